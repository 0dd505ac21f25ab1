/** Tests the API reference at /reference, the start page, and the page of an unknown address, as HTML and in a browser. */
import { describe, expect, test } from "vitest";
import { operations } from "../../../src/service/nouns/index.ts";
import { testWorld } from "../../support/world.ts";
import { aPage, expectAccessible, expectNoSideScroll, useBrowser } from "../../support/browser.ts";

useBrowser();

describe("/reference", () => {
  test("the page lists every operation, sends a call with the key of the world, and loads nothing from other hosts", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage({ viewport: { width: 1280, height: 900 } });
    const foreign: string[] = [];
    const complaints: string[] = [];
    page.on("request", (one) => one.url().startsWith(world.sandbox.url ?? "") || foreign.push(one.url()));
    // A broken content policy and a failed load both show here.
    page.on("console", (one) => one.type() === "error" && complaints.push(one.text()));
    await page.goto(`${world.sandbox.url}/reference`);
    await page.locator(".opblock").first().waitFor();
    // Only the operations near the window are in the page.
    const ids = new Set<string>();
    const height = await page.evaluate<number>("document.documentElement.scrollHeight");
    for (let y = 0; y < height; y += 600) {
      await page.evaluate(
        `new Promise((resolve) => { scrollTo(0, ${y}); requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))); })`,
      );
      for (const id of await page.locator(".opblock-summary-operation-id").allTextContents()) ids.add(id);
    }
    // The events of webhooks stand below the operations.
    const isEvent = (id: string) => /^on[A-Z]/.test(id);
    expect([...ids].filter((id) => !isEvent(id)).sort()).toEqual(operations.map((one) => one.id).sort());
    await page.goto(`${world.sandbox.url}/reference#createDocument`);
    const open = page.locator(".opblock.is-open");
    await open.getByText("createDocument", { exact: true }).waitFor();
    expect(new URL(page.url()).hash).toBe("#/Documents/createDocument");
    await open.getByRole("button", { name: "Try it out" }).click();
    await open.getByRole("button", { name: "Execute" }).click();
    const answer = open.locator(".live-responses-table .response").first();
    await answer.getByText("document.uploaded").waitFor();
    expect(await answer.locator(".response-col_status").textContent()).toContain("201");
    expect(await open.locator(".curl-command").textContent()).toContain("Authorization: API-Key docdouble-key");
    expect(world.tenant.store.documents.size).toBe(1);

    await page.goto(`${world.sandbox.url}/reference#listTemplates`);
    await open.getByText("listTemplates", { exact: true }).waitFor();
    await open.getByRole("button", { name: "Try it out" }).click();
    await open.getByRole("button", { name: "Execute" }).click();
    await open.locator(".live-responses-table .response-col_status").getByText("200").waitFor();

    await page.locator(".filter input").fill("deleteWebhook");
    await page.getByText("deleteWebhookSubscription", { exact: true }).waitFor();
    await page.getByText("listTemplates", { exact: true }).waitFor({ state: "detached" });
    expect((await page.locator(".opblock-summary-operation-id").allTextContents()).filter((id) => !isEvent(id))).toEqual([
      "deleteWebhookSubscription",
    ]);
    expect([foreign, complaints]).toEqual([[], []]);
  });

  test("the admin API is on the same page, where only reads can be sent, and the page fits a phone in dark mode", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage({ viewport: { width: 390, height: 800 }, colorScheme: "dark" });
    await page.goto(`${world.sandbox.url}/reference?api=admin#adminClock`);
    const open = page.locator(".opblock.is-open");
    await open.getByRole("button", { name: "Try it out" }).click();
    await open.getByRole("button", { name: "Execute" }).click();
    await open.locator(".live-responses-table .response-col_status").getByText("200").waitFor();
    await expectNoSideScroll(page);
    await page.goto(`${world.sandbox.url}/reference?api=admin#adminReset`);
    await open.getByText("adminReset", { exact: true }).waitFor();
    expect(await open.getByRole("button", { name: "Try it out" }).count()).toBe(0);
  });

  test("the page allows scripts and styles of this server only, and serves no other file", async () => {
    const world = await testWorld();
    const { headers, body } = await world.request("GET", "/reference", { key: null });
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'self' 'sha256-[^' ]+'; script-src 'self' 'sha256-[^' ]+'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(new TextDecoder().decode(body)).not.toMatch(/(?:src|href)="https?:|@import/);
    for (const name of ["package.json", "..%2fpackage.json", "index.html"])
      expect.soft((await world.request("GET", `/reference/${name}`, { key: null })).status, name).toBe(404);
  });
});

test("the content security policy of each page allows scripts and styles only by their hashes", async () => {
  const world = await testWorld();
  for (const path of ["/", "/reference", "/__admin/", "/s/nobody/", "/document/nobody", "/oauth2/authorize"]) {
    const { headers } = await world.request("GET", path, { key: null, headers: { accept: "text/html" } });
    expect.soft(headers.get("content-type"), path).toContain("text/html");
    expect.soft(headers.get("content-security-policy"), path).toMatch(/^default-src 'none'; .*style-src ('self' )?'sha256-/);
    expect.soft(headers.get("content-security-policy"), path).not.toContain("unsafe");
  }
});

describe("/", () => {
  test("a browser receives a start page with working links, and other clients receive 404", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage({ viewport: { width: 360, height: 740 } });
    await page.goto(world.sandbox.url);
    await page.getByText("API-Key docdouble-key").first().waitFor();
    await expectNoSideScroll(page);
    await expectAccessible(page);
    const links = [...(await page.content()).matchAll(/href="(\/[^"]*)"/g)].map((match) => match[1] as string);
    expect(links).toEqual(expect.arrayContaining(["/__admin/", "/reference", "/openapi.json", "/health"]));
    for (const link of links) expect.soft((await fetch(world.sandbox.url + link)).status, link).toBe(200);
    expect((await world.request("GET", "/")).status).toBe(404);
    expect((await world.request("POST", "/", { headers: { accept: "text/html" } })).status).toBe(404);
  });
});
