/** Tests the HTML report of an exploration in a browser, and its JUnit report in an XML parser. */
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { htmlReport } from "../../../src/cli/explore/report-html.ts";
import { junitReport } from "../../../src/cli/explore/report-junit.ts";
import { changesSince } from "../../../src/tools/explore/report-changes.ts";
import { report, twice } from "../../tools/explore/sample-report.ts";
import { files } from "../../support/process.ts";
import { aPage, expectAccessible, expectNoSideScroll, useBrowser } from "../../support/browser.ts";

useBrowser();

const scenarios = new Map([["docdouble/found/creates-twice.yaml", "# <img src=x> explains\nversion: 1\n"]]);
const changes = changesSince([twice, { ...twice, symptom: "hung", name: "old-one" }], report);

test("the HTML report is one accessible file, in light and dark mode, on large and small screens", async () => {
  const address = pathToFileURL(files({ "report.html": htmlReport(report, { changes, scenarios }) })).href;
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await aPage({ colorScheme });
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(address);
    expect(requests).toEqual([address]);
    expect(await page.title()).toBe("2 broke · docdouble explore");
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    await expectAccessible(page);
    expect(await page.locator("img, script").count()).toBe(0);
    await page.setViewportSize({ width: 380, height: 800 });
    await expectNoSideScroll(page);
  }
});

test("the keyboard reaches the matrix, follows a broken cell to its break, and opens the story as a list", async () => {
  const page = await aPage();
  await page.goto(pathToFileURL(files({ "report.html": htmlReport(report, { scenarios }) })).href);
  const focused = () =>
    page.evaluate<string>("document.activeElement.getAttribute('aria-labelledby') ?? document.activeElement.textContent");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("matrix");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("✗broke");
  await page.keyboard.press("Enter");
  expect(new URL(page.url()).hash).toBe("#break-1");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("The story as a list");
  await page.keyboard.press("Enter");
  const story = page.locator("#break-1 ol.story");
  expect(await story.isVisible()).toBe(true);
  expect(await story.locator("li").first().textContent()).toContain("client → service createDocument → connection lost");
});

test("the JUnit report is valid XML with a case for each tried cell, even with hostile texts", async () => {
  const hostile = "]]> <b> \u0000 \ud800 \u001b & \" ' ü";
  const broken = { ...report, breaks: report.breaks.map((one) => ({ ...one, message: `${hostile} ${one.message}` })) };
  const page = await aPage();
  const cases = await page.evaluate<[string, string, string | null][]>(`{
    const xml = new DOMParser().parseFromString(${JSON.stringify(junitReport(broken))}, "text/xml");
    if (xml.querySelector("parsererror")) throw new Error(xml.querySelector("parsererror").textContent);
    [...xml.querySelectorAll("testcase")].map((one) => [one.getAttribute("classname"), one.getAttribute("name"), one.querySelector("failure")?.getAttribute("message") ?? null]);
  }`);
  const read = "]]> <b> ? ? ? & \" ' ü";
  expect(cases).toEqual([
    ["clean run", "passes twice with the same result", null],
    ["document_state_changed 1", "webhook_forged", null],
    ["createDocument 1", "reset_after", `${read} ${twice.message}`],
    ["createDocument 1", "throttled", null],
    ...[1, 2, 3].map((nth) => [`statusDocument ${nth}`, "throttled", null]),
    ["sendDocument 1", "throttled", null],
    ["several faults", "gives-up", `${read} The client gives up.`],
  ]);
});
