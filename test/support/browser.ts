/** A real browser for the tests of pages. The files of a worker share it. Each test has new tabs, and no cookies of another test. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from "playwright-core";
import { launchBrowser } from "./chromium.ts";
import { within } from "./patience.ts";
import { beforeAll, expect, onTestFinished, vi } from "vitest";

let browser: Browser | undefined;
/** The context that tests share. Its first tab stays open, so that all tests share one process for pages too. */
let shared: BrowserContext | undefined;
let isSharedInUse = false;

/**
 * Starts the browser before the worker's first file with pages, and again after a crash. The browser reads its commands from a pipe of the
 * worker, so it ends when the worker ends.
 */
export function useBrowser(): void {
  vi.setConfig({ testTimeout: within(90_000) });
  beforeAll(async () => {
    if (browser?.isConnected()) return;
    browser = await launchBrowser();
    shared = await browser.newContext();
    isSharedInUse = false;
    await shared.newPage();
  }, within(60_000));
}

/**
 * A page that fails its test when its script throws. The first page of a test uses the shared context. A new context would need a new
 * process, which takes as long as a short test. Every further page has its own context, and so has a page with other rights.
 */
export async function aPage({ viewport, colorScheme, reducedMotion, ...rights }: BrowserContextOptions = {}): Promise<Page> {
  if (!browser || !shared) throw new Error("a test file with pages calls useBrowser()");
  const isShared = !isSharedInUse && Object.keys(rights).length === 0;
  const context = isShared ? shared : await browser.newContext(rights);
  context.setDefaultTimeout(within(10_000));
  const errors: Error[] = [];
  if (isShared) isSharedInUse = true;
  onTestFinished(async () => {
    if (isShared) await clear(context);
    else await context.close();
    if (errors.length > 0) throw errors[0];
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(error));
  await page.setViewportSize(viewport ?? { width: 1100, height: 900 });
  if (colorScheme || reducedMotion) await page.emulateMedia({ colorScheme, reducedMotion });
  return page;
}

/** Closes the tabs of a test and deletes its cookies. Other stored data belongs to the port of a server, and each test has a new port. */
async function clear(context: BrowserContext): Promise<void> {
  isSharedInUse = false;
  const [, ...tabs] = context.pages();
  for (const tab of tabs) await tab.close();
  await context.clearCookies();
}

interface Heard {
  origin: string;
  data: { type: string; payload: Record<string, unknown> };
}

export interface Embedding {
  page: Page;
  /** The frame with the session. */
  frame: Frame;
  heard(): Promise<Heard[]>;
  /** Waits for a message of that type and returns it. */
  hears(type: string): Promise<Heard>;
}

/** A page of another origin that embeds `url` and records the messages of the session. */
export async function embed(url: string): Promise<Embedding> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(
      `<!doctype html><title>Host</title><script>window.heard=[];addEventListener("message",(event)=>{if(String(event.data?.type).startsWith("session_view"))heard.push({origin:event.origin,data:event.data})})</script>
<iframe title="Signing" src="${url}" width="1000" height="800"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const page = await aPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const frame = page.frames().find((one) => one !== page.mainFrame());
  if (!frame) throw new Error("the page embeds nothing");
  // Scripts for the page are strings, because this project has no types for browsers.
  const heard = () => page.evaluate<Heard[]>("heard");
  return {
    page,
    frame,
    heard,
    async hears(type) {
      await page.waitForFunction(`heard.some((one) => one.data.type === ${JSON.stringify(type)})`);
      return (await heard()).find((one) => one.data.type === type) as Heard;
    },
  };
}

/** The accessibility checker, minified and in ASCII. With any other character, the browser takes almost twice as long to receive it. */
const CHECKER = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8").replace(
  /\P{ASCII}/gu,
  (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
);

/** All rules run. The checker describes only violations, because a description of all passes takes longer than the rules. */
const RUN_RULES = 'axe.run({ resultTypes: ["violations"], selectors: false }).then(({ violations }) => violations)';

/** Lets a tab load the checker with each page. For tests that check many pages: sending the checker at each check takes longer. */
export async function loadChecker(page: Page): Promise<void> {
  await page.addInitScript(CHECKER);
}

/** Expects no finding of the accessibility checker on the page, of any impact. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(CHECKER);
  const violations = await page.evaluate<AxeResults["violations"]>(RUN_RULES);
  const found = violations.map((one) => ({
    id: one.id,
    impact: one.impact,
    nodes: one.nodes.map((node) => node.html.slice(0, 200)),
  }));
  expect(found, page.url()).toEqual([]);
}

export interface Look {
  colorScheme: "light" | "dark";
  /** Width of the window in CSS pixels. */
  width: number;
}

/**
 * Expects, in each look, no finding of the accessibility checker and no element wider than the screen. The page changes its look without
 * a new load, because loading a page and the checker takes as long as a check.
 */
export async function expectFit(page: Page, looks: readonly Look[]): Promise<void> {
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    await expectNoSideScroll(page);
    await expectAccessible(page);
  }
}

/** Expects that no element is wider than the screen. A failure names the wide elements. */
export async function expectNoSideScroll(page: Page): Promise<void> {
  const wide = await page.evaluate<string[]>(`document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
      .map((one) => location.search + " " + one.outerHTML.slice(0, 160))`);
  expect(wide).toEqual([]);
}
