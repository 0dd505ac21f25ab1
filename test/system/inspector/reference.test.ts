/** Tests the API reference at /reference, the start page, and the page of an unknown address, as HTML and in a browser. */
import { describe, expect, test } from "vitest";
import { adminOperations } from "../../../src/library/surfaces.ts";
import { operations } from "../../../src/service/api/index.ts";
import { anUploadedDocument } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { aPage, expectAccessible, expectNoSideScroll, useBrowser } from "../../support/browser.ts";

useBrowser();

describe("/reference", () => {
  test("the page shows and describes every operation once, and loads nothing from other servers", async () => {
    const world = await testWorld();
    const answer = await world.request("GET", "/reference", { key: null });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    // The policy allows one style and one script, each by its hash, so injected code has no effect.
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^' ]+'; script-src 'sha256-[^' ]+'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    const text = new TextDecoder().decode(answer.body);
    expect([...text.matchAll(/<details class="op" id="(\w+)"/g)].map((match) => match[1]).sort()).toEqual(
      operations.map((one) => one.id).sort(),
    );
    expect(text).not.toMatch(/(?:src|href)="https?:|@import|<link/);
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text.length).toBeLessThan(1_500_000);
    // Every member has a description.
    const members = [
      ...text.matchAll(/<code class="name">(\w+)<\/code> <span class="type">[^<]*<\/span>( <span class="about">[A-Z])?/g),
    ];
    expect(members.length).toBeGreaterThan(2000);
    expect(members.filter(([, , sentence]) => sentence === undefined).map(([, name]) => name)).toEqual([]);
    expect(text).toMatch(
      /<code class="name">signing_order<\/code> <span class="type">[^<]*<\/span> <span class="about">The recipient&#39;s turn; equal numbers/,
    );
    const admin = [...text.matchAll(/<details class="admin-op" id="(\w+)".*?<div class="inside">(<p>[A-Z])?/g)];
    expect(admin.map(([, id]) => id).sort()).toEqual(adminOperations.map((one) => one.id).sort());
    expect(admin.filter(([, , sentence]) => sentence === undefined).map(([, id]) => id)).toEqual([]);
    expect(text).toContain("<p>Returns the clock&#39;s time, mode and speed, and the next job.</p>");
    expect(text).toContain("&quot;template_uuid&quot;: &quot;TemplateOneSignerxxxxx&quot;");
  });

  test("a search filters the operations, Enter opens the match, and an operation's address opens it", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/reference`);
    await page.keyboard.press("/");
    await page.keyboard.type("send silent");
    await page.locator("#found", { hasText: "1 operation" }).waitFor();
    expect(await page.locator(".op:not([hidden])").getAttribute("id")).toBe("sendDocument");
    await page.keyboard.press("Enter");
    const send = page.locator("#sendDocument");
    await send.getByText("silent", { exact: true }).waitFor();
    await page.waitForURL(/#sendDocument$/);
    await page.locator("#q").focus();
    await page.keyboard.press("Escape");
    expect(await page.locator(".op:not([hidden])").count()).toBe(operations.length);

    const other = await aPage();
    await other.goto(`${world.sandbox.url}/reference#createDocument`);
    await other.locator("#createDocument[open]").waitFor();
    await other.waitForFunction("document.activeElement.parentNode.id === 'createDocument'");
    // The example on the page works without changes.
    await other.locator("#createDocument .try").getByRole("button", { name: "Try it" }).click();
    await other.locator("#createDocument .try pre").getByText('"status": "document.uploaded"').waitFor();
    expect(world.tenant.store.documents.size).toBe(1);
    // The checker computes the styles of hidden elements too, which takes seconds. The next test keeps them.
    await other.evaluate("for (const one of document.querySelectorAll('.op:not([open]) > .inside')) one.remove()");
    await expectAccessible(other);
  });

  test("the page fits a phone in dark mode, also with all operations open", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
    await page.goto(`${world.sandbox.url}/reference#listDocuments`);
    await expectNoSideScroll(page);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Open all" }).click();
    await page.getByRole("button", { name: "Close all" }).waitFor();
    expect(await page.locator(".op[open]").count()).toBe(operations.length);
    await expectNoSideScroll(page);
  });

  test("without JavaScript the page is readable, and its operations open", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage({ javaScriptEnabled: false });
    await page.goto(`${world.sandbox.url}/reference`);
    await page.locator("#statusDocument > summary").click();
    await page.locator("#statusDocument .inside").waitFor();
    expect(await page.locator("#q").isVisible()).toBe(false);
  });
});

test("the content security policy of each page allows scripts and styles only by their hashes", async () => {
  const world = await testWorld();
  for (const path of [
    "/",
    "/reference",
    "/__admin/",
    "/__admin/emails/inbox",
    "/s/nobody/",
    "/document/nobody",
    "/oauth2/authorize",
  ]) {
    const { headers } = await world.request("GET", path, { key: null, headers: { accept: "text/html" } });
    expect.soft(headers.get("content-type"), path).toContain("text/html");
    expect.soft(headers.get("content-security-policy"), path).toMatch(/^default-src 'none'; .*style-src 'sha256-/);
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

  test("an address without a page shows the reason, and links that work", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage({ viewport: { width: 360, height: 740 } });
    await page.goto(`${world.sandbox.url}/inspector`);
    await page.getByText("The service has no path /inspector.").waitFor();
    await expectNoSideScroll(page);
    await expectAccessible(page);
    const links = [...(await page.content()).matchAll(/href="(\/[^"]*)"/g)].map((match) => match[1] as string);
    expect(links).toEqual(expect.arrayContaining(["/", "/__admin/", "/reference", "/docs/"]));
    for (const link of links)
      expect.soft((await fetch(world.sandbox.url + link, { headers: { accept: "text/html" } })).status, link).toBe(200);
  });

  test("the latest calls show the names of their documents, and equal calls share a line", async () => {
    const world = await testWorld();
    const id = await anUploadedDocument(world, { body: { name: "Offer 42" } });
    for (let i = 0; i < 7; i++) await world.call("statusDocument", { params: { id } });
    const { body } = await world.request("GET", "/", { key: null, headers: { accept: "text/html" } });
    const text = new TextDecoder().decode(body);
    const shown = [...text.matchAll(/">([^<]*Document, [^<]*)<\/a> (?:<span class="badge calm">([^<]*)<)?/g)];
    expect(shown.map(([, title, times]) => [title, times])).toEqual([
      ["statusDocument, Offer 42", "×7"],
      ["createDocument, Offer 42", undefined],
    ]);
  });

  test("the page shows no API key when the admin API requires a token", async () => {
    const world = await testWorld({ adminToken: "secret" });
    const { body } = await world.request("GET", "/", { key: null, headers: { accept: "text/html,*/*" } });
    const text = new TextDecoder().decode(body);
    expect(text).toContain("API-Key YOUR-KEY");
    expect(text).not.toContain("docdouble-key");
  });
});
