/** Tests the API reference at /reference, the start page, and the page of an unknown address, as HTML and in a browser. */
import { describe, expect, test } from "vitest";
import { adminOperations } from "../../../src/library/surfaces.ts";
import { hostOf } from "../../../src/library/sandbox.ts";
import { operations } from "../../../src/service/api/index.ts";
import { aDraft, anUploadedDocument, statusOf } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { aPage, expectAccessible, expectNoSideScroll, useBrowser } from "../../support/browser.ts";

useBrowser();

/** The checker computes the styles of hidden elements too, which takes seconds. */
const WITHOUT_CLOSED = "for (const one of document.querySelectorAll('details:not([open]) > .both')) one.remove()";

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
    // Every member of the service's API has a description.
    const [service = ""] = text.split('id="admin-api"');
    const members = [
      ...service.matchAll(
        /<code class="name">(\w+)<\/code> <span class="type">[^<]*<\/span>(?: <span class="must">required<\/span>)?( <span class="about">[A-Z])?/g,
      ),
    ];
    expect(members.length).toBeGreaterThan(2000);
    expect(members.filter(([, , sentence]) => sentence === undefined).map(([, name]) => name)).toEqual([]);
    expect(text).toMatch(
      /<code class="name">signing_order<\/code> <span class="type">[^<]*<\/span> <span class="about">The recipient&#39;s turn; equal numbers/,
    );
    const admin = [...text.matchAll(/<details class="admin-op" id="(\w+)"[\s\S]*?<p class="lead">([A-Z])?/g)];
    expect(admin.map(([, id]) => id).sort()).toEqual(adminOperations.map((one) => one.id).sort());
    expect(admin.filter(([, , sentence]) => sentence === undefined).map(([, id]) => id)).toEqual([]);
    expect(text).toContain('<p class="lead">Returns the clock&#39;s time, mode and speed, and the next job.</p>');
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
    await other.evaluate(WITHOUT_CLOSED);
    await expectAccessible(other);
  });

  test("on a wide screen, the form stays beside the description while it scrolls, and below it on a narrow one", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage({ viewport: { width: 1100, height: 800 } });
    await page.goto(`${world.sandbox.url}/reference#createDocument`);
    const tell = page.locator("#createDocument .tell");
    const form = page.locator("#createDocument .try");
    await form.waitFor();
    const boxes = async () => {
      const [left, right] = await Promise.all([tell.boundingBox(), form.boundingBox()]);
      return { left: left ?? { x: 0, y: 0, width: 0, height: 0 }, right: right ?? { x: 0, y: 0, width: 0, height: 0 } };
    };
    const wide = await boxes();
    expect(wide.right.x).toBeGreaterThanOrEqual(wide.left.x + wide.left.width);
    await page.evaluate(
      "document.querySelector('#createDocument .answers').scrollIntoView({ behavior: 'instant', block: 'end' })",
    );
    const scrolled = await boxes();
    expect(scrolled.left.y).toBeLessThan(0);
    expect(scrolled.right.y).toBeGreaterThanOrEqual(56);
    await page.setViewportSize({ width: 1099, height: 800 });
    const narrow = await boxes();
    expect(narrow.right.y).toBeGreaterThanOrEqual(narrow.left.y + narrow.left.height);
  });

  test("a form holds ids of the world, runs without typing, and shows status, time, reason and curl", async () => {
    const world = await testWorld({ port: 0 });
    const id = await aDraft(world);
    const page = await aPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${world.sandbox.url}/reference#sendDocument`);
    const send = page.locator("#sendDocument");
    const curl = send.getByLabel("Request as curl");
    await curl.getByText(id).waitFor();
    expect(await send.getByLabel("id", { exact: true }).inputValue()).toBe(id);
    expect(await curl.textContent()).toContain(
      `'${world.sandbox.url}/public/v1/documents/${id}/send' \\\n  -H 'Authorization: API-Key docdouble-key' \\\n  --json '{`,
    );
    await send.getByRole("button", { name: "Try it" }).click();
    await send.getByText(/^200 in \d+ ms$/).waitFor();
    const [call] = world.tenant.journal.latest(1);
    expect(await send.getByText("this call in the journal").getAttribute("href")).toBe(`/__admin/?view=journal&id=${call?.id}`);
    expect(await statusOf(world, id)).toBe("document.sent");
    await send.getByRole("button", { name: "Try it" }).click();
    await send.getByText(/^409 in \d+ ms$/).waitFor();
    expect(await send.locator(".reason").textContent()).toContain("document.sent");
    await expectNoSideScroll(page);
  });

  test("the form of an upload sends a small file when the visitor chooses none", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage();
    for (const operation of ["createDocumentFromUpload", "createDocumentFromMarkdownUpload"]) {
      await page.goto(`${world.sandbox.url}/reference#${operation}`);
      const form = page.locator(`#${operation} .try`);
      await form.getByRole("button", { name: "Try it" }).click();
      await form.getByText(/^201 in \d+ ms$/).waitFor();
    }
    await world.advance("1m");
    expect(world.tenant.store.documents.all().map((one) => one.status)).toEqual(["document.draft", "document.draft"]);
  });

  test("the index lists every operation, and the filter leaves the groups that match", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${world.sandbox.url}/reference`);
    expect(await page.locator(".links a").count()).toBe(operations.length + adminOperations.length);
    await page.keyboard.press("/");
    await page.keyboard.type("webhook-subscriptions delete");
    await page.locator("#found", { hasText: "1 operation" }).waitFor();
    expect(await page.locator(".links details:visible summary").allTextContents()).toEqual(["Webhook subscriptions 1"]);
    await page.locator(".links a:visible").click();
    await page.locator("#deleteWebhookSubscription[open] .try").waitFor();
  });

  test("a key of no world fills no form, and opens no world", async () => {
    const world = await testWorld();
    await aDraft(world);
    const ask = (key: string | null) => world.request("GET", "/reference/trials/sendDocument", { key });
    expect((await ask("test-nobody")).body).toEqual({ params: {}, query: {} });
    expect([...hostOf(world.sandbox).tenants()]).toHaveLength(1);
    expect((await ask("wrong")).status).toBe(401);
    expect((await ask(null)).status).toBe(401);
    await world.request("GET", "/public/v1/documents", { key: "test-other" });
    expect((await ask("test-other")).body).toEqual({ params: {}, query: {} });
  });

  test("the page fits a phone in dark mode, also with all operations open", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
    await page.goto(`${world.sandbox.url}/reference#listDocuments`);
    await expectNoSideScroll(page);
    await page.getByRole("button", { name: "Open all" }).click();
    await page.getByRole("button", { name: "Close all" }).waitFor();
    expect(await page.locator(".op[open]").count()).toBe(operations.length);
    await expectNoSideScroll(page);
    await page.getByRole("button", { name: "Close all" }).click();
    await page.evaluate(`document.querySelector("#listDocuments").open = true; ${WITHOUT_CLOSED}`);
    await expectAccessible(page);
  });

  test("without JavaScript the page is readable, and its operations open", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage({ javaScriptEnabled: false });
    await page.goto(`${world.sandbox.url}/reference`);
    await page.locator("#statusDocument > summary").click();
    await page.locator("#statusDocument .both").waitFor();
    expect(await page.locator("#q").isVisible()).toBe(false);
  });
});

test("the content security policy of each page allows scripts and styles only by their hashes", async () => {
  const world = await testWorld();
  for (const path of ["/", "/reference", "/__admin/", "/s/nobody/", "/document/nobody", "/oauth2/authorize"]) {
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
    const shown = [...text.matchAll(/">([^<]*Document, [^<]*)<\/a>(?: <span class="badge calm">([^<]*)<)?/g)];
    expect(shown.map(([, title, times]) => [title, times])).toEqual([
      ["statusDocument, Offer 42", "×7"],
      ["createDocument, Offer 42", undefined],
    ]);
    expect(
      [...text.matchAll(/<li(?: class="wrong")?><a href="([^"]*)">([^<]*)<\/a><\/li>/g)].map(([, href, fact]) => [href, fact]),
    ).toEqual([
      ["/__admin/?view=clock", "clock frozen, 2026-03-02 09:00:00"],
      ["/__admin/?view=documents", "1 document"],
      ["/__admin/?view=journal", "8 calls"],
      ["/__admin/?view=deliveries", "0 webhooks"],
      ["/__admin/?view=mails", "0 mails"],
    ]);
  });

  test("the page shows no API key when the admin API requires a token", async () => {
    const world = await testWorld({ adminToken: "secret" });
    const { body } = await world.request("GET", "/", { key: null, headers: { accept: "text/html,*/*" } });
    const text = new TextDecoder().decode(body);
    expect(text).toContain("API-Key YOUR-KEY");
    expect(text).not.toContain("docdouble-key");
    expect(text).not.toContain("0 documents");
    const reference = await world.request("GET", "/reference", { key: null });
    expect(new TextDecoder().decode(reference.body)).not.toContain("docdouble-key");
  });
});
