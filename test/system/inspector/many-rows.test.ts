/** Tests in a browser that a long list costs no more than a short one, in numbers that no machine changes. */
import { expect, test } from "vitest";
import { aPage, expectFit, useBrowser } from "../../support/browser.ts";
import { aDraft } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

useBrowser();

const MANY = 10_000;
const FEW = 200;
const ROWS = 100;

/** What a page costs a browser: its rows, all its elements, those that stick while the page scrolls, and the letters of its HTML. */
const COST = `({
  rows: document.querySelectorAll(".grid tbody tr").length,
  elements: document.querySelectorAll("main *").length,
  sticky: [...document.querySelectorAll("main *")].filter((one) => getComputedStyle(one).position === "sticky").length,
  letters: document.querySelector("main").innerHTML.length,
})`;

interface Cost {
  rows: number;
  elements: number;
  sticky: number;
  letters: number;
}

/** Fills the list up to `count` documents with copies of its first one. */
function fill({ tenant: { store } }: TestWorld, count: number): void {
  const [first] = store.documents.all();
  if (!first) throw new Error("no document to copy");
  store.transaction(() => {
    for (let i = store.documents.size; i < count; i++)
      store.documents.put({ ...first, id: `${first.id.slice(0, -5)}${String(i).padStart(5, "0")}`, name: `Offer ${i}` });
  });
}

test("a list of 10,000 documents costs the browser what 200 cost, and each sort asks the server once", async () => {
  const world = await testWorld({ port: 0 });
  await aDraft(world, { template: "pricing", body: { name: "Offer 0" } });
  fill(world, FEW);
  const page = await aPage({ viewport: { width: 1280, height: 900 } });
  // Without its timer and its stream of events, the page asks the server only for what somebody clicks.
  await page.addInitScript("setInterval = () => 0");
  await page.route("**/__admin/events", (route) => route.abort());
  await page.goto(`${world.sandbox.url}/__admin/?view=documents`);
  const few = await page.evaluate<Cost>(COST);
  fill(world, MANY);
  await page.goto(`${world.sandbox.url}/__admin/?view=documents`);
  const many = await page.evaluate<Cost>(COST);
  expect(few.rows).toBe(ROWS);
  expect(many).toEqual({ ...few, letters: expect.any(Number) });
  // Longer numbers are all that grows.
  expect(many.letters - few.letters).toBeLessThan(1000);
  expect(many.letters).toBeLessThan(150_000);
  expect(many.elements).toBeLessThan(25 * ROWS);
  // Only the heads of the columns stay in view.
  expect(many.sticky).toBe(await page.locator(".grid thead th").count());
  expect(await page.locator(".pager").textContent()).toContain("of 10,000");

  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === "/__admin/") asked.push(search);
  });
  for (const [column, sort] of [
    ["Value", "-value"],
    ["Value", "value"],
    ["Name", "name"],
  ] as const) {
    const before = asked.length;
    await page.getByRole("columnheader", { name: column }).getByRole("link").click();
    await page.locator(`th[aria-sort="${sort.startsWith("-") ? "descending" : "ascending"}"]`, { hasText: column }).waitFor();
    expect(asked.slice(before)).toEqual([`?view=documents&sort=${sort}`]);
    expect(await page.locator(".grid tbody tr").count()).toBe(ROWS);
  }

  await page.getByLabel("Page", { exact: true }).fill("100");
  await page.keyboard.press("Enter");
  await page.getByText("9,901–10,000 of 10,000").waitFor();
  expect(await page.locator(".grid tbody tr").count()).toBe(ROWS);
  await expectFit(page, [
    { colorScheme: "light", width: 390 },
    { colorScheme: "dark", width: 1280 },
  ]);
});
