/** The documentation site is complete and works offline under a strict policy. */
import { beforeAll, describe, expect, test } from "vitest";
import { ensureSite } from "../../../docs/site/build.ts";
import { sections } from "../../../docs/site/sections.ts";
import { aPage, useBrowser } from "../../support/browser.ts";
import { testWorld } from "../../support/world.ts";

useBrowser();
beforeAll(ensureSite, 240_000);

const pages = () => sections().flatMap((section) => section.pages.map(([path]) => path));
const get = async (world: Awaited<ReturnType<typeof testWorld>>, path: string) =>
  world.request("GET", path, { key: null, headers: { accept: "text/html" } });

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
    expect(texts.size).toBeGreaterThanOrEqual(pages().length);
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
  ["/docs/do/webhooks/", "/docs/do/webhooks"],
  ["/docs/do/webhooks//?a=b", "/docs/do/webhooks?a=b"],
  ["/docs/do/webhooks.md", "/docs/do/webhooks"],
  ["/docs/index.md", "/docs/"],
  ["/docs//", "/docs/"],
])("%s leads to %s", async (path, page) => {
  const world = await testWorld();
  const answer = await get(world, path);
  expect([answer.status, answer.headers.get("location")]).toEqual([302, page]);
  expect((await get(world, page)).status).toBe(200);
});

test("its search works in a browser, without a call to another host and without a policy violation", async () => {
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
  await first.click();
  await page.getByRole("heading", { name: /clock stands still/i }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/docs/start/troubleshooting");
  expect(problems).toEqual([]);
});
