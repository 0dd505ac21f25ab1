/** Tests the inspector: the HTML from the server as text, and its behavior in a real browser. */
import { hostOf } from "../../../src/library/sandbox.ts";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { receiver } from "../../support/receiver.ts";
import {
  aSentDocument,
  anUploadedDocument,
  aSubscription,
  CLIENT,
  DIRECTOR,
  simulate,
  statusOf,
  succeed,
} from "../../support/stories.ts";
import { KEY, type TestWorld, testWorld } from "../../support/world.ts";
import { INBOX_PATH } from "../../../src/inspector/views/inbox.ts";
import { aPage, expectFit, loadChecker, useBrowser } from "../../support/browser.ts";

useBrowser();

const VIEWS = ["documents", "clock", "journal", "deliveries", "mails", "rules", "scenarios", "assumptions", "tenants"];
const CONSENT_PATH =
  "/oauth2/authorize?client_id=docdouble-client&redirect_uri=http://localhost:3000/callback&scope=read%2Bwrite&response_type=code";
const EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";

async function pageOf(world: TestWorld, query = "", key?: string): Promise<string> {
  const answer = await world.admin("GET", `/${query}`, undefined, key);
  expect(answer.status).toBe(200);
  return new TextDecoder().decode(answer.body);
}

/** The ids of the rows of a page that can be opened. */
async function rowsOf(url: string): Promise<string[]> {
  const page = await (await fetch(url, { headers: { accept: "text/html" } })).text();
  return [...page.matchAll(/<a class="row[^"]*" id="([^"]+)"[^>]* data-open/g)].map(([, id = ""]) => id);
}

/** A world with something in every section. */
async function aBusyWorld(name = "Service agreement"): Promise<{ world: TestWorld; id: string }> {
  const world = await testWorld({ port: 0, oauth: "interactive" });
  const hook = await receiver();
  await aSubscription(world, hook, { name });
  await succeed(
    world.admin("POST", "/rules", { name, when: { operation: "listContacts" }, then: { error: "throttled", times: 1 } }),
  );
  const webhooks = [{ name, when: { event: "recipient_completed" }, then: { duplicate: 1 } }];
  await succeed(world.admin("POST", "/scenarios", JSON.stringify({ version: 1, name, description: name, webhooks })));
  await world.call("listContacts");
  const recipients = [{ ...CLIENT, last_name: name === EVIL ? EVIL : CLIENT.last_name }, DIRECTOR];
  const id = await aSentDocument(world, { template: "twoSigners", silent: false, body: { name, recipients } });
  await simulate(world, id, "view");
  await simulate(world, id, "comment", { text: name });
  await world.advance("1s");
  return { world, id };
}

/** A sent document of another tenant, which has a separate clock. */
async function aDocumentOf(world: TestWorld, key: string, name: string): Promise<string> {
  const id = await anUploadedDocument(world, { key, body: { name } });
  await succeed(world.admin("POST", "/clock/advance", { by: "5s" }, key));
  await succeed(world.call("sendDocument", { params: { id }, body: { silent: true }, key }));
  return id;
}

describe("adminInspector", () => {
  test("adminInspector escapes text from outside in every section", async () => {
    const { world, id } = await aBusyWorld(EVIL);
    const [call] = (await world.admin("GET", "/requests")).body.requests;
    const { timeline } = (await world.admin("GET", `/documents/${id}/timeline`)).body;
    expect(timeline.map((one: { kind: string }) => one.kind)).toEqual(
      expect.arrayContaining(["call", "act", "mail", "delivery"]),
    );
    const document = `?view=documents&id=${id}`;
    const opened = [...(await pageOf(world, document)).matchAll(/<a class="row" id="([^"]+)"/g)].map((match) => match[1]);
    const rule = encodeURIComponent(`rule-${EVIL}`);
    const queries = [
      ...VIEWS.map((view) => `?view=${view}`),
      ...[document, `${document}&open=${opened.join(",")}`, `?view=journal&id=${call.id}`, `?view=rules&open=${rule}`],
      ...[`?view=search&q=${encodeURIComponent(EVIL.slice(0, 8))}`, `?view=mails&open=${world.tenant.store.emails.all()[0]?.id}`],
    ];
    for (const query of queries) {
      const page = await pageOf(world, query);
      expect.soft(page.match(/<script/g), query).toHaveLength(2);
      expect.soft(page, query).not.toContain("<img");
    }
    expect(await pageOf(world, `?view=documents&id=${id}`)).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(await pageOf(world, "?view=rules")).toContain('data-testid="webhook-rules"');
    expect(await pageOf(world, "?view=scenarios")).toContain("It expects nothing.");
    const reflected = encodeURIComponent(EVIL);
    for (const query of [
      `?q=${reflected}`,
      `?is=${reflected}`,
      `?id=${reflected}`,
      `?view=journal&id=${reflected}`,
      `?tenant=${reflected}`,
    ])
      expect.soft((await pageOf(world, query)).match(/<script|<img/g), query).toHaveLength(2);
  });

  test("adminInspector shows a journal without secrets", async () => {
    const world = await testWorld();
    const code = (await world.admin("POST", "/oauth/codes", { client_id: "docdouble-client" })).body.code;
    const token = await world.request("POST", "/oauth2/access_token", {
      key: null,
      body: `grant_type=authorization_code&client_id=docdouble-client&client_secret=docdouble-secret&code=${code}&scope=read%2Bwrite`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(token.status).toBe(200);
    await world.call("listDocuments");
    const all = (await world.admin("GET", "/requests")).body.requests;
    const pages = await Promise.all(all.map((one: { id: string }) => pageOf(world, `?view=journal&id=${one.id}`)));
    const text = pages.join();
    expect(text).toContain("authorization_code");
    expect(text).toContain("API-Key ***");
    for (const secret of ["docdouble-secret", code, token.body.access_token, token.body.refresh_token, KEY])
      expect.soft(text).not.toContain(secret);
  });

  test("adminInspector shows a form's fields as formatted JSON, and its files with name, size and digest", async () => {
    const world = await testWorld();
    const data = { name: "Offer", password: "correct horse" };
    await succeed(world.call("createDocumentFromUpload", { parts: { file: new File(["%PDF-1.7"], `${EVIL}.pdf`), data } }));
    const [{ id }] = (await world.admin("GET", "/requests")).body.requests;
    const text = await pageOf(world, `?view=journal&id=${id}`);
    expect(text).toContain("onerror=alert(2)&gt;.pdf · application/octet-stream · 8 bytes");
    expect(text).toMatch(/sha256 [0-9a-f]{64}/);
    expect(text).toContain('aria-label="Field data"');
    expect(text).toContain('<span class="j-name">&quot;name&quot;</span>: <span class="j-string">&quot;Offer&quot;</span>');
    expect(text).not.toContain("correct horse");
  });

  test("adminInspector shows why a call was refused, and reports an unknown document, call or view", async () => {
    const world = await testWorld();
    await world.call("statusDocument", { params: { id: "nothing" } });
    expect(await pageOf(world, "?view=journal")).toContain("no document nothing in this workspace");
    expect(await pageOf(world, "?view=documents&id=nothing")).toContain("No such document");
    expect(await pageOf(world, "?view=journal&id=nothing")).toContain("No such call");
    expect((await world.admin("GET", "/?view=nothing")).status).toBe(400);
  });

  test("adminInspector shows the tenant of the key or the address, and creates no tenant for an unknown name", async () => {
    const world = await testWorld();
    await aDocumentOf(world, "test-other", "Theirs");
    await aSentDocument(world, { body: { name: "Ours" } });
    for (const page of [await pageOf(world, "", "test-other"), await pageOf(world, "?tenant=test-other")]) {
      expect(page).toContain("Theirs");
      expect(page).not.toContain("Ours");
    }
    expect(await pageOf(world, "?tenant=test-new")).toContain("Ours");
    expect((await world.admin("GET", "/tenants")).body.tenants).toHaveLength(2);
  });

  test("the admin API answers only under a loopback name or the public URL, and accepts no changes from other pages", async () => {
    const world = await testWorld({ publicUrl: "http://docs.example:8080/double" });
    const ask = async (path: string, headers: Record<string, string>, method = "GET") =>
      (await world.request(method, path, { headers })).status;
    const READS = ["/", "/emails/inbox", "/clock", "/requests", "/tenants", "/emails", "/health", "/events"];
    for (const host of ["localhost", "127.0.0.1:4010", "[::1]:4010", "app.localhost:80", "docs.example"])
      for (const path of READS) expect.soft(await ask(`/__admin${path}`, { host }), host + path).toBe(200);
    for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "notlocalhost"]) {
      for (const path of READS) expect.soft(await ask(`/__admin${path}`, { host }), host + path).toBe(403);
      expect.soft(await ask("/health", { host }), host).toBe(200);
      expect.soft(await ask("/__admin/reset", { host }, "POST"), host).toBe(403);
      const origin = `http://${host}`;
      expect.soft(await ask("/__admin/reset", { host, origin }, "POST"), origin).toBe(403);
      expect.soft(await ask("/__admin/reset", { host: "localhost", origin }, "POST"), origin).toBe(403);
    }
    expect(await ask("/__admin/reset", { host: "localhost", origin: "null" }, "POST")).toBe(403);
    const own = { "x-docdouble-page-token": hostOf(world.sandbox).pageToken };
    expect(await ask("/__admin/reset", { host: "localhost:4010", origin: "http://localhost:4010", ...own }, "POST")).toBe(200);
    expect(await ask("/__admin/reset", { host: "localhost:4010", origin: "http://docs.example:8080", ...own }, "POST")).toBe(200);
    const { body } = await world.request("GET", "/__admin/clock", { headers: { host: "evil.example" } });
    expect(body.why).toBe(
      "the admin API answers under localhost and http://docs.example:8080/double, not under evil.example; set --public-url",
    );
  });

  test("beyond loopback the token opens the admin API under any host name, but not its pages", async () => {
    const world = await testWorld({ host: "0.0.0.0", adminToken: "open sesame", publicUrl: "http://docs.example" });
    const ask = async (path: string, token: string) =>
      (await world.request("GET", path, { headers: { host: "docdouble:4010", "x-docdouble-admin-token": token } })).status;
    expect(await ask("/__admin/clock", "open sesame")).toBe(200);
    expect(await ask("/__admin/clock", "wrong")).toBe(401);
    expect(await ask("/__admin/", "open sesame")).toBe(403);
  });

  test("the headers of a page prevent other sites from reading it, embedding it or running scripts in it", async () => {
    const world = await testWorld();
    const { headers } = await world.admin("GET", "/");
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; connect/,
    );
    expect(headers.get("x-frame-options")).toBe("DENY");
  });

  test("when an admin token is set, a page asks the browser for it as a password", async () => {
    const world = await testWorld({ adminToken: "a-token" });
    const ask = (headers: Record<string, string>, path = "/__admin/") => world.request("GET", path, { key: null, headers });
    const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`me:${password}`).toString("base64")}` });
    const refused = await ask({});
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, expect.stringContaining("Basic realm")]);
    expect((await ask(basic("wrong"))).status).toBe(401);
    expect((await ask(basic("a-token"))).status).toBe(200);
    expect((await ask({}, "/__admin/clock")).headers.get("www-authenticate")).toBeNull();
  });
});

describe("the inspector in a browser", () => {
  test("acts for the counterparties, moves the clock, and shows the results without a reload", async () => {
    const { world, id } = await aBusyWorld();
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/`);
    await page.evaluate("window.kept = true");
    await page.getByRole("link", { name: /Service agreement/ }).click();
    await page.evaluate("window.kept = true");
    await page.getByRole("button", { name: `Sign as Ivo Marek` }).click();
    await page.getByText("signed", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Sign as Tess Okafor" }).click();
    await page.getByTestId("path").getByText("completed").waitFor();
    expect(await statusOf(world, id)).toBe("document.completed");
    await page.getByRole("button", { name: "Lock", exact: true }).click();
    await page
      .getByTestId("timeline")
      .getByRole("link", { name: /make pdf/ })
      .click();
    await page.getByRole("button", { name: "Skip to this (make pdf)" }).click();
    await page
      .locator("#result")
      .getByText(/make pdf/)
      .waitFor();
    // The page also follows a change from elsewhere.
    await page.getByText("live ·").waitFor();
    await simulate(world, id, "unlock");
    await page.getByRole("button", { name: "Lock", exact: true }).waitFor();
    expect(await page.evaluate("window.kept")).toBe(true);
  });

  test("fills in, comments, forwards, suggests edits and declines, and keeps typed text after a refusal or a refresh", async () => {
    const { world, id } = await aBusyWorld();
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=documents&id=${id}`);
    const ask = async (act: string, words: Record<string, string>, nth = 0) => {
      const form = page.locator(`[id^="ask-${act}-"]`).nth(nth);
      await form.locator("summary").click();
      for (const [label, text] of Object.entries(words)) await form.getByLabel(label).fill(text);
      return form.locator("form button");
    };
    await (await ask("review", { "What should change?": "Clause 2" })).click();
    await page.getByRole("button", { name: "Accept the review" }).click();
    await (await ask("forward", { "Email address": CLIENT.email })).click();
    await page.getByText("refused with 400").waitFor();
    const forward = page.locator('[id^="ask-forward-"]').first();
    expect(await forward.getByLabel("Email address").inputValue()).toBe(CLIENT.email);
    await forward.getByLabel("Email address").fill("deputy@client.example");
    await forward.getByLabel("They sign in this place").check();
    await forward.locator("form button").click();
    await page.getByTestId("recipients").getByText("deputy@client.example").first().waitFor();
    const half = await ask("decline", { Reason: "Half a reason" });
    await (await ask("fill", { ClientName: "Ivo" })).click();
    await page.getByText("Fill in: done").waitFor();
    expect(world.tenant.store.documents.get(id)?.fields[0]?.value).toBe("Ivo");
    await (await ask("comment", { Comment: "Could we start in April?" })).click();
    await page.getByTestId("comments").getByText("Could we start in April?").waitFor();
    await half.click();
    await page.getByTestId("path").getByText("declined").waitFor();
    expect(world.tenant.store.audit.where("document", id).at(-1)).toMatchObject({ action: 43, reason: "Half a reason" });
  });

  test("approves and rejects for the current approver, and makes a payment fail or succeed", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage();
    const open = (id: string) => page.goto(`${world.sandbox.url}/__admin/?view=documents&id=${id}`);
    await open(await aSentDocument(world, { template: "approval" }));
    expect(await page.getByRole("button", { name: /^Approve/ }).count()).toBe(1);
    await page.getByRole("button", { name: /^Approve as/ }).click();
    await page.getByTestId("approval").getByText("approved").waitFor();
    await page.getByText("Reject…").click();
    await page.getByLabel("Reason").fill("Too cheap");
    await page.getByRole("button", { name: "Reject", exact: true }).click();
    await page.getByTestId("path").getByText("rejected").waitFor();
    const paid = await aSentDocument(world, { template: "payment" });
    await simulate(world, paid, "sign");
    await open(paid);
    await page.getByText("Fail the payment…").click();
    await page.getByRole("button", { name: "Fail the payment", exact: true }).click();
    await page.getByText("Fail the payment: done").waitFor();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await page.getByTestId("path").getByText("paid").waitFor();
  });

  test("shows why an act was refused", async () => {
    const world = await testWorld({ port: 0 });
    const id = await aSentDocument(world);
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=documents&id=${id}`);
    // A refresh does not replace selected text, so the outdated button stays on the page.
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))");
    await simulate(world, id, "expire");
    await page.evaluate("document.querySelector('button[data-call$=sign]').click()");
    await page.getByText("refused with 409").waitFor();
    expect(await page.locator("#result").textContent()).toContain("the document is in document.voided");
  });

  test("acts on the shown tenant, and not on the default tenant", async () => {
    const world = await testWorld({ port: 0 });
    const id = await aDocumentOf(world, "test-other", "Service agreement");
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=tenants`);
    await page.getByRole("link", { name: /^test-other/ }).click();
    await page.getByRole("link", { name: /Service agreement/ }).click();
    await page.getByRole("button", { name: "Expire", exact: true }).click();
    await page.getByTestId("path").getByText("voided").waitFor();
    const other = await world.call("statusDocument", { params: { id }, key: "test-other" });
    expect(other.body.status).toBe("document.voided");
    await page.getByRole("link", { name: "Clock" }).first().click();
    await page.getByRole("button", { name: "+ 60 d" }).click();
    await page.getByText("2026-05-01").first().waitFor();
    expect((await world.admin("GET", "/clock")).body.now).toBe("2026-03-02T09:00:00.000000Z");
  });

  test("works by keyboard, and keeps open entries and the focus during a refresh", async () => {
    const { world } = await aBusyWorld();
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=deliveries`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const again = page.getByRole("button", { name: /^Send again/ }).first();
    await again.focus();
    const before = world.tenant.store.deliveries.size;
    await page.keyboard.press("Enter");
    await page.getByText("done", { exact: false }).first().waitFor();
    expect(world.tenant.store.deliveries.all().reduce((sum, one) => sum + one.attempts.length, 0)).toBeGreaterThanOrEqual(before);
    expect(await page.locator("[data-open][aria-expanded=true]").count()).toBe(1);
    expect(await page.evaluate("document.activeElement.dataset.call")).toContain("/redeliver");
    await page.keyboard.press("Escape");
    expect(await page.locator("#result").isVisible()).toBe(false);
  });

  test("lists have a search, keyboard steps and filters, and keep their scroll position while entries arrive", async () => {
    const world = await testWorld({ port: 0 });
    for (let i = 0; i < 40; i++)
      await world.call(i % 2 ? "listTemplates" : "listForm", { query: { page: i, ...(i % 4 ? {} : { count: "no" }) } });
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=journal`);
    await page.keyboard.press("/");
    await page.keyboard.type("listform");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "refused 10" }).click();
    expect(await page.getByTestId("journal").locator("li").count()).toBe(10);
    expect(new URL(page.url()).searchParams).toEqual(new URLSearchParams("view=journal&q=listform&is=refused"));
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    expect(await page.evaluate("document.activeElement === document.querySelector('main .rows a')")).toBe(true);

    await page.goto(`${world.sandbox.url}/__admin/?view=journal`);
    await page.getByText("live ·").waitFor();
    await page.evaluate("scrollTo(0, 900)");
    const top = (row: string) => page.evaluate<number>(`document.querySelector('a[href="${row}"]').getBoundingClientRect().top`);
    const row = await page.evaluate<string>("document.elementFromPoint(600, 300).closest('a').getAttribute('href')");
    const before = await top(row);
    await world.call("listContacts");
    await page.getByText("listContacts").waitFor();
    expect(Math.abs((await top(row)) - before)).toBeLessThan(2);
  });

  test("an example call and a journal call can be copied as working curl commands, and the journal's command omits the key", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage({ permissions: ["clipboard-read", "clipboard-write"] });
    const run = (command: string) =>
      promisify(execFile)("bash", ["-c", command], { env: { ...process.env, DOCDOUBLE_API_KEY: KEY } }).then(
        ({ stdout }) => stdout,
      );
    const copied = async (name: string) => {
      await page.getByRole("button", { name }).click();
      await page.getByText("Copied").waitFor();
      return page.evaluate<string>("navigator.clipboard.readText()");
    };
    await page.goto(`${world.sandbox.url}/__admin/`);
    expect(await run((await copied("Copy the call")).replace("curl", "curl -s"))).toContain('"status":"document.uploaded"');
    await succeed(world.call("createContact", { body: { email: "o'neil@client.example", first_name: '$HOME `id` \\ "x"' } }));
    const [call] = (await world.admin("GET", "/requests")).body.requests;
    await page.goto(`${world.sandbox.url}/__admin/?view=journal&id=${call.id}`);
    const command = await copied("Copy as curl");
    expect(command).not.toContain(KEY);
    await world.admin("POST", "/reset/state");
    const answer = await run(command.replace("curl", "curl -s"));
    expect(answer).toMatch(/^HTTP\/1.1 201 /);
    expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({
      email: "o'neil@client.example",
      first_name: '$HOME `id` \\ "x"',
    });
  });

  test("is readable without JavaScript", async () => {
    const { world } = await aBusyWorld();
    const page = await aPage({ javaScriptEnabled: false });
    await page.goto(`${world.sandbox.url}/__admin/`);
    await page.getByRole("link", { name: /Service agreement/ }).click();
    expect(await page.getByTestId("path").textContent()).toMatch(/uploaded.*draft.*sent.*viewed/);
    expect(await page.getByTestId("recipients").textContent()).toContain(CLIENT.email);
    expect(await page.getByRole("button", { name: /Sign as/ }).count()).toBe(0);
    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Mails" }).click();
    await page
      .getByRole("link", { name: /sent you/ })
      .first()
      .click();
    expect(await page.getByRole("link", { name: "Open to sign" }).getAttribute("href")).toContain("/document/");
  });

  test("in light mode at 1280 px and in dark mode at 390 px, no page has an accessibility finding or scrolls sideways", async () => {
    const { world, id } = await aBusyWorld();
    const [call] = (await world.admin("GET", "/requests")).body.requests;
    await world.admin("GET", "/clock", undefined, "test-empty");
    for (let i = 0; i < 120; i++) await world.call("listTemplates", { key: "test-long", query: { count: 1 + (i % 90) } });
    const inspected = [
      ...VIEWS.map((view) => `view=${view}`),
      ...["documents", "clock", "deliveries", "mails", "scenarios"].map((view) => `view=${view}&tenant=test-empty`),
      ...["view=documents&id=nothing", "view=journal&q=nothing"],
      ...["view=lint", "view=search&q=agreement", "view=journal&tenant=test-long", `view=journal&id=${call.id}`],
      `view=documents&id=${id}`,
    ];
    const page = await aPage();
    await loadChecker(page);
    for (const path of [
      ...inspected.map((query) => `/__admin/?${query}`),
      ...[INBOX_PATH, `${INBOX_PATH}?tenant=test-empty`],
      ...["/", "/docs/", "/pm", "/document-editor", "/s/nobody/", "/document/nobody", "/oauth2/authorize"],
      CONSENT_PATH,
    ]) {
      const url = `${world.sandbox.url}${path}`;
      const count = /mails|inbox/.test(path) ? 1 : 4;
      const open = (await rowsOf(url)).slice(0, count);
      await page.goto(open.length === 0 ? url : `${url}${path.includes("?") ? "&" : "?"}open=${open.join()}`);
      const rows = await page.evaluate<string[]>("[...document.querySelectorAll('main a.row[data-open]')].map((one) => one.id)");
      expect(rows.slice(0, count), path).toEqual(open);
      if (path.endsWith("view=clock")) await page.getByRole("button", { name: "Until idle" }).click();
      await page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true");
      await expectFit(page, [
        { colorScheme: "light", width: 1280 },
        { colorScheme: "dark", width: 390 },
      ]);
    }
  });
});
