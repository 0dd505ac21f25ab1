/** The documentation site looks like the product, leads back to its server, and breaks no word of a command. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { ensureSite } from "../../../docs/site/build.ts";
import { withoutPlaceholders } from "../../../docs/site/pages.ts";
import { isBreakable, wholeWords } from "../../../docs/site/whole-words.ts";
import { aPage, expectAccessible, expectNoSideScroll, useBrowser } from "../../support/browser.ts";
import { testWorld } from "../../support/world.ts";

useBrowser();
beforeAll(ensureSite, 240_000);

const COLORS = `["body", "--accent"].map((one) =>
  getComputedStyle(document.documentElement).getPropertyValue(one === "body" ? "--ink" : one).trim())`;

test.each(["light", "dark"] as const)("in %s mode the site has the colors and the mark of the inspector", async (colorScheme) => {
  const world = await testWorld({ port: 0 });
  const page = await aPage({ colorScheme });
  await page.goto(`${world.sandbox.url}/__admin/`);
  const colors = await page.evaluate<string[]>(COLORS);
  const mark = await page.locator(".brand").first().textContent();
  await page.goto(`${world.sandbox.url}/docs/guides/polling`);
  expect(await page.evaluate<string[]>(COLORS)).toEqual(colors);
  expect((await page.locator(".VPNavBarTitle").textContent())?.replaceAll(/\s/g, "")).toBe(mark?.replaceAll(/\s/g, ""));
  const [link, accent] = await page.evaluate<string[]>(`(() => {
    const one = document.body.appendChild(document.createElement("i"));
    one.style.color = "var(--accent)";
    return [document.querySelector(".VPDoc main p a, .VPDoc main td a"), one].map((element) => getComputedStyle(element).color);
  })()`);
  expect(link).toBe(accent);
});

test("the bar leads to the server, its inspector and its reference", async () => {
  const world = await testWorld({ port: 0 });
  const page = await aPage({ viewport: { width: 1280, height: 800 } });
  for (const [name, path] of [
    ["Server", "/"],
    ["Inspector", "/__admin/"],
    ["Reference", "/reference"],
  ] as const) {
    await page.goto(`${world.sandbox.url}/docs/guides/polling`);
    await page.locator(".VPNavBar").getByRole("link", { name, exact: true }).click();
    await page.waitForURL(`${world.sandbox.url}${path}`);
    expect(await page.locator("h1").count(), name).toBeGreaterThan(0);
  }
});

/** Words of code that stand on two lines although they fit into one, on the page that is open. */
const BROKEN_WORDS = `[...document.querySelectorAll(".vp-doc pre code")].flatMap((code) => {
  if (code.getClientRects().length === 0) return [];
  const line = code.clientWidth || code.parentElement.clientWidth - 32;
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const pieces = [];
  while (walker.nextNode()) pieces.push(walker.currentNode);
  const text = pieces.map((one) => one.data).join("");
  const at = (offset) => {
    for (const one of pieces) {
      if (offset <= one.length) return [one, offset];
      offset -= one.length;
    }
  };
  return [...text.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    if (word.length > 40) return false;
    const range = document.createRange();
    range.setStart(...at(index + 0.5 - 0.5));
    range.setEnd(...at(index + word.length));
    const tops = [...range.getClientRects()].filter((one) => one.width > 1).map((one) => Math.round(one.top));
    return Math.max(...tops) - Math.min(...tops) > 8;
  }).map(([word]) => word);
})`;

async function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(BROKEN_WORDS);
}

test.each([390, 1280])("at %i px no line of code breaks inside a word, and nothing scrolls sideways", async (width) => {
  const world = await testWorld({ port: 0 });
  const page = await aPage({ viewport: { width, height: 844 } });
  for (const path of ["guides/install", "deploy", "languages", "guides/agents-that-send", "guides/retries", "commands"]) {
    await page.goto(`${world.sandbox.url}/docs/${path}`);
    expect.soft(await brokenWords(page), path).toEqual([]);
    await expectNoSideScroll(page);
  }
});

test("at 1280 px a line of code has 80 characters", async () => {
  const world = await testWorld({ port: 0 });
  const page = await aPage({ viewport: { width: 1280, height: 844 } });
  await page.goto(`${world.sandbox.url}/docs/guides/webhooks`);
  const rows = await page.evaluate<number>(`(() => {
    const code = document.querySelector(".vp-doc pre code");
    code.textContent = "";
    const height = () => code.getBoundingClientRect().height;
    code.textContent = "x";
    const one = height();
    code.textContent = "x".repeat(80);
    return height() / one;
  })()`);
  expect(rows).toBe(1);
});

test("at 390 px the switches of the assumptions show all columns", async () => {
  const world = await testWorld({ port: 0 });
  const page = await aPage({ viewport: { width: 390, height: 844 } });
  await page.goto(`${world.sandbox.url}/docs/assumptions`);
  expect(
    await page.evaluate<boolean>(
      `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector(".vp-doc table"))`,
    ),
  ).toBe(true);
});

test("an unknown page names the way to the start, and the accessibility checker finds nothing", async () => {
  const world = await testWorld({ port: 0 });
  const page = await aPage();
  await page.goto(`${world.sandbox.url}/docs/nothing`);
  await page.getByRole("heading", { name: "There is no such page" }).waitFor();
  await expectAccessible(page);
  await page.locator(".NotFound a").click();
  await page.waitForURL(`${world.sandbox.url}/docs/`);
});

test("a word with a hyphen or a slash stays whole, and other words keep their colors", () => {
  const line = (html: string) => `<pre><code><span class="line">${html}</span></code></pre>`;
  expect(wholeWords(line('<span style="a">npx</span><span style="b"> x --y</span>'))).toBe(
    line('<span style="a">npx </span><span style="b">x </span><span class="whole" style="b">--y</span>'),
  );
  expect(wholeWords(line('<span style="a">"a-</span><span style="b">b" c</span>'))).toBe(
    line('<span class="whole"><span style="a">"a-</span><span style="b">b"</span></span> <span style="b">c</span>'),
  );
  const nested = line('<span style="a"><b>a-b</b></span>');
  expect(wholeWords(nested)).toBe(nested);
  expect(["--port", "/dev/null", "a|b", "{a}b"].map(isBreakable)).toEqual([true, true, true, true]);
  expect(["port", "end.", "(", "a-".repeat(30)].map(isBreakable)).toEqual([false, false, false, false]);
});

test("the first frame of the recording shows each line whole, in letters that a phone can show", () => {
  const svg = readFileSync("docs/public/recording.svg", "utf8");
  const width = Number(/ width="(\d+)"/.exec(svg)?.[1]);
  const lines = [...svg.matchAll(/<text .*?>(.*?)<\/text>/g)].map(([, text = ""]) =>
    text.replaceAll(/<[^>]*>/g, "").replaceAll(/&\w+;/g, "x"),
  );
  const size = Number(/font: (\d+)px/.exec(svg)?.[1]);
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) expect.soft(20 + line.length * size * 0.61, line).toBeLessThan(width);
  // The page of a phone is 342 pixels wide.
  expect((size * 342) / width).toBeGreaterThan(9.5);
  expect(Number(/from \{ opacity: ([\d.]+) \}/.exec(svg)?.[1])).toBeGreaterThanOrEqual(0.8);
});

test("at 1280 pixels the outline keeps the distance of the page from the window's edge", async () => {
  const world = await testWorld({ port: 0 });
  const page = await aPage({ viewport: { width: 1280, height: 800 } });
  for (const path of ["lint", "guides/troubleshooting"]) {
    await page.goto(`${world.sandbox.url}/docs/${path}`);
    await page.locator(".VPDocAsideOutline a").first().waitFor();
    const right = await page.evaluate<number>(
      `Math.max(...[...document.querySelectorAll(".VPDocAsideOutline a")].map((one) => one.getBoundingClientRect().right))`,
    );
    expect(right, path).toBeLessThanOrEqual(1280 - 24);
  }
});

test("text whose link names the placeholder of the account is plain text", async () => {
  const world = await testWorld({ port: 0 });
  const page = await aPage();
  await page.goto(`${world.sandbox.url}/docs/changelog`);
  expect((await page.locator(".vp-doc h2").first().textContent())?.replaceAll("\u200b", "").trim()).toBe("Unreleased");
  expect(await page.locator('.vp-doc a[href*="/OWNER/"]').count()).toBe(0);
  const text = "## [Unreleased]\n\n[Guide](x.md)\n\n[Unreleased]: https://github.com/OWNER/docdouble/commits/main\n";
  expect(withoutPlaceholders(text)).toBe("## Unreleased\n\n[Guide](x.md)\n\n");
});
