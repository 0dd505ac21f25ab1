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

test("the report begins with its verdict, and contradicts itself in no end of a search", async () => {
  const page = await aPage();
  const heads: string[] = [];
  for (const change of [
    {},
    { breaks: [twice], not_tried: 0 },
    { breaks: [], causes: [], not_tried: 0 },
    { breaks: [], causes: [], ended: "budget" as const },
    { clean: { ...report.clean, problem: "differs" as const, message: "They part." }, breaks: [], causes: [] },
  ]) {
    await page.setContent(htmlReport({ ...report, ...change }));
    heads.push((await page.locator("main > :first-child :is(h1, li, p)").allTextContents()).join(" | "));
  }
  expect(heads).toEqual([
    `Your client breaks in 2 ways | 12 runs, 40 left out, 1 not tried: a part of the search ended early (seed 1)`,
    `Your client breaks in one way | 12 runs, 40 left out, 0 not tried: nothing is left to try (seed 1)`,
    "Nothing broke your client | 12 runs, 40 left out, 0 not tried: nothing is left to try (seed 1)",
    "Nothing broke so far | 12 runs, 40 left out, 1 not tried: the budget ended the search (seed 1)",
    "Nothing is proven: two runs without a fault differ | 12 runs, 40 left out, 1 not tried: a part of the search ended early (seed 1)",
  ]);
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
