/** The documentation site is complete, works offline under a strict policy, and its search answers the questions of users. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { variablesInSources } from "../../../docs/environment-page.ts";
import { ensureSite } from "../../../docs/site/build.ts";
import { installed } from "../../../docs/installed.ts";
import { exclusively } from "../../../docs/site/exclusively.ts";
import { QUESTIONS } from "../../../docs/site/questions.ts";
import { SEARCHES } from "../../../docs/site/searches.ts";
import { searchOptions } from "../../../docs/site/search.ts";
import { sections } from "../../../docs/site/sections.ts";
import type { Host } from "../../../src/service/service.ts";
import { sendUnbuiltDocs } from "../../../src/inspector/pages-route.ts";
import { aPage, expectAccessible, useBrowser } from "../../support/browser.ts";
import { files, run, serve } from "../../support/process.ts";
import { testWorld } from "../../support/world.ts";

const BUILT = "site/built";
useBrowser();
beforeAll(ensureSite, 240_000);

const pages = () => sections().flatMap((section) => section.pages.map(([path]) => path));
const get = async (world: Awaited<ReturnType<typeof testWorld>>, path: string) =>
  world.request("GET", path, { key: null, headers: { accept: "text/html" } });

test("each page of docs/ is in the menu once, and each page of the menu exists", () => {
  const all = pages();
  expect(new Set(all).size).toBe(all.length);
  for (const path of all.filter((one) => one !== "decisions/index")) expect.soft(existsSync(`docs/${path}.md`), path).toBe(true);
  expect(all.length).toBeGreaterThan(30);
});

test("docs/environment.md names each variable that the sources read", () => {
  const page = readFileSync("docs/environment.md", "utf8");
  expect(variablesInSources().filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("only one caller builds the site at a time, and a dead builder does not block others", async () => {
  const lock = join(files(), "lock");
  const log: string[] = [];
  const build = (name: string, limit_ms = 60_000) =>
    exclusively(lock, limit_ms, async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
    });
  await Promise.all([build("first"), build("second")]);
  expect(log).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  mkdirSync(lock);
  await build("third", 0);
  expect(log.at(-1)).toBe("third ends");
  await expect(exclusively(lock, 60_000, () => Promise.reject(new Error("no build")))).rejects.toThrow("no build");
  expect(existsSync(lock)).toBe(false);
});

describe("a server", () => {
  test("serves each page of the menu, and each of their links and anchors exists", async () => {
    const world = await testWorld();
    const texts = new Map<string, string>();
    const read = async (path: string): Promise<string> => {
      if (!texts.has(path)) {
        const answer = await world.sandbox.fetch(path);
        expect.soft(answer.status, path).toBe(200);
        texts.set(path, await answer.text());
      }
      return texts.get(path) ?? "";
    };
    for (const page of pages()) {
      const path = `/docs/${page.replace(/index$/, "")}`;
      for (const [, href = ""] of (await read(path)).matchAll(/<a[^>]* href="([^"]+)"/g)) {
        if (/^https?:/.test(href)) continue;
        const [target = "", anchor] = href.split("#");
        const text = await read(target === "" ? path : target.replace(/\.html$/, ""));
        if (anchor) expect.soft(text.includes(`id="${decodeURIComponent(anchor)}"`), `${path}: ${href}`).toBe(true);
      }
    }
    expect(texts.size).toBeGreaterThan(pages().length);
  });

  test("sends content types, allows only the scripts of its pages, and answers 404 for unknown paths", async () => {
    const world = await testWorld();
    const home = await get(world, "/docs/");
    expect(home.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(home.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self' 'sha256-/);
    const text = await (await world.sandbox.fetch("/docs/")).text();
    const loaded = [...text.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
    expect(loaded.length).toBeGreaterThan(2);
    expect(loaded.filter((path) => !path.startsWith("/docs/"))).toEqual([]);
    const TYPES: Record<string, string> = {
      js: "text/javascript; charset=utf-8",
      css: "text/css; charset=utf-8",
      svg: "image/svg+xml",
    };
    for (const path of loaded) {
      const { status, headers } = await get(world, path);
      expect.soft([status, headers.get("content-type")], path).toEqual([200, TYPES[path.split(".").at(-1) ?? ""]]);
    }
    expect((await get(world, "/docs/nothing")).status).toBe(404);
    expect((await get(world, "/docs/..%2f..%2fpackage.json")).status).toBe(404);
    const redirect = await get(world, "/docs");
    expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "/docs/"]);
  });
});

test.each([
  ["/docs/guides/webhooks/", "/docs/guides/webhooks"],
  ["/docs/guides/webhooks//?a=b", "/docs/guides/webhooks?a=b"],
  ["/docs/guides/webhooks.md", "/docs/guides/webhooks"],
  ["/docs/decisions", "/docs/decisions/"],
  ["/docs/decisions/index.md", "/docs/decisions/"],
  ["/docs/index.md", "/docs/"],
  ["/docs//", "/docs/"],
])("%s leads to %s", async (path, page) => {
  const world = await testWorld();
  const answer = await get(world, path);
  expect([answer.status, answer.headers.get("location")]).toEqual([302, page]);
  expect((await get(world, page)).status).toBe(200);
});

test("an unknown address with a slash or an ending answers 404", async () => {
  const world = await testWorld();
  for (const path of ["/docs/nothing/", "/docs/guides/", "/docs/nothing.md", "/docs/https://example.com/"]) {
    expect.soft([path, (await get(world, path)).status]).toEqual([path, 404]);
  }
});

test("a clone without the site explains how to build it, and answers 404 for its pages", async () => {
  const clone = { version: "1.2.3" } as Host;
  const home = sendUnbuiltDocs(clone, "/docs/");
  expect([home.status, home.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const text = await home.text();
  const command = />npm run tools && (npm run (\w+))<\/pre>/.exec(text);
  expect(JSON.parse(readFileSync("package.json", "utf8")).scripts[command?.[2] ?? ""]).toContain("docs/site/build.ts");
  for (const [, path = ""] of text.matchAll(/<code>(.+?)<\/code>/g)) expect(existsSync(path), path).toBe(true);
  expect(sendUnbuiltDocs(clone, "/docs/tutorial").status).toBe(404);
});

test("the page about languages has one tab per language", async () => {
  const world = await testWorld();
  const text = await (await world.sandbox.fetch("/docs/languages")).text();
  const tabs = [...text.matchAll(/<label[^>]*>([^<]+)<\/label>/g)].map(([, title]) => title);
  expect(tabs).toEqual(["Python", "Java", "PHP", "Ruby", "Go", "Python client", "Java client", "PHP client"]);
  expect(text).not.toContain("tabs --");
});

describe("docdouble docs", () => {
  test("prints the URL of the documentation, and fails without a server", async () => {
    const server = await serve(["--port", "0", "--log", "silent"]);
    expect(await run(["docs", server.url])).toEqual({ code: 0, stdout: `${server.url}/docs/\n`, stderr: "" });
    expect(JSON.parse((await run(["docs", server.url, "--json"])).stdout)).toEqual({ url: `${server.url}/docs/` });
    await server.stop();
    expect(await run(["docs", server.url])).toMatchObject({ code: 1, stderr: expect.stringContaining("docdouble start") });
    expect((await run(["docs", "--nonsense"])).code).toBe(2);
  });
});

interface Found {
  id: string;
  /** The words of the index that matched. */
  terms: string[];
}
interface Index {
  search(text: string): Found[];
}

const pathsOf = (found: readonly Found[]) => found.map(({ id }) => /^\/docs\/(.*?)(?:\.html)?(?:#|$)/.exec(id)?.[1] || "index");

/** Loads the index with the same settings as the page. */
async function index(): Promise<Index> {
  const name = readdirSync(join(BUILT, "assets/chunks")).find((one) => one.startsWith("@localSearchIndexroot")) ?? "";
  const { default: json } = (await import(pathToFileURL(join(BUILT, "assets/chunks", name)).href)) as { default: string };
  const MiniSearch = createRequire(join(installed("vitepress"), "package.json"))("minisearch");
  const options = { fields: ["title", "titles", "text"], storeFields: ["title", "titles"] };
  return MiniSearch.loadJSON(json, { ...options, searchOptions });
}

describe("search", () => {
  test("at least fifty questions exist, each about a page of the menu", () => {
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(50);
    expect(QUESTIONS.filter(({ page }) => !pages().includes(page))).toEqual([]);
  });

  test("the answer to each question is among the first three results", async () => {
    const found = await index();
    for (const { question, search, page } of QUESTIONS) {
      expect.soft(pathsOf(found.search(search).slice(0, 3)), `${question} (${search})`).toContain(page);
    }
  });

  test("each search of a newcomer has its page among the first three results", async () => {
    const found = await index();
    expect(Object.values(SEARCHES).flat().length).toBeGreaterThan(150);
    for (const [page, searches] of Object.entries(SEARCHES))
      for (const search of searches) expect.soft(pathsOf(found.search(search).slice(0, 3)), search).toContain(page);
  });

  test("a number has no slips: 401 does not find 404", async () => {
    const found = await index();
    expect(found.search("401").filter(({ terms }) => terms.some((term) => !term.startsWith("401")))).toEqual([]);
  });

  test("the key / opens the search, and every letter typed after it arrives", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage();
    // The search box is a separate program. It arrives late.
    await page.route(/LocalSearch/, async (route) => {
      await page.waitForFunction(() => "typed" in globalThis);
      await route.continue();
    });
    await page.goto(`${world.sandbox.url}/docs/`);
    await page.keyboard.type("/webhook", { delay: 1 });
    await page.evaluate(() => void Object.assign(globalThis, { typed: true }));
    await page.locator(".VPLocalSearchBox .result").first().waitFor();
    expect(await page.locator(".VPLocalSearchBox input").inputValue()).toBe("webhook");
    await page.keyboard.type("s");
    expect(await page.locator(".VPLocalSearchBox input").inputValue()).toBe("webhooks");
  });

  test("an excerpt of the search has no language of a code block before the code", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/docs/`);
    await page.keyboard.press("/");
    await page.locator(".VPLocalSearchBox input").fill("webhook");
    const found = page.locator(".VPLocalSearchBox .excerpt", { hasText: "import {" });
    await found.first().waitFor();
    for (const text of await found.allTextContents()) expect(text).not.toMatch(/(?:js|ts)import \{/);
  });

  test("works in a browser, without a call to another host and without a policy violation", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage();
    const problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith(world.sandbox.url) && !request.url().startsWith("data:")) problems.push(request.url());
    });
    await page.goto(`${world.sandbox.url}/docs/`);
    await page
      .getByRole("button", { name: /search/i })
      .first()
      .click();
    await page.locator(".VPLocalSearchBox input").fill("clock stands still");
    const first = page.locator(".VPLocalSearchBox .result").first();
    // A result shows the words around the first match, on at most two lines.
    await first.locator("mark").last().waitFor();
    expect(await first.locator(".excerpt").textContent()).toMatch(/clock/i);
    expect((await first.locator(".excerpt").textContent())?.length).toBeLessThan(200);
    await expectAccessible(page);
    await first.click();
    await page.getByRole("heading", { name: /clock stands still/i }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/docs/guides/troubleshooting");
    expect(problems).toEqual([]);
  });
});
