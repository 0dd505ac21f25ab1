import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { aSentDocument, CLIENT, simulate, statusOf, succeed } from "../../support/stories.ts";
import { KEY, testWorld } from "../../support/world.ts";
import { aPage, expectFit, loadChecker, useBrowser } from "../../support/browser.ts";
import { CONSENT_PATH, VIEWS, aBusyWorld, aDocumentOf, rowsOf } from "../../support/inspector.ts";

useBrowser();

describe("the inspector in a browser", () => {
  test("acts for the counterparties, moves the clock, and shows the results without a reload", async () => {
    const { world, id } = await aBusyWorld();
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/`);
    await page.evaluate("window.kept = true");
    await page.getByRole("link", { name: /Service agreement/ }).click();
    await page.evaluate("window.kept = true");
    await page.getByRole("button", { name: `Sign as Ivo Marek` }).click();
    await page.getByTestId("recipients").getByText("signed", { exact: true }).waitFor();
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
    expect(await page.getByTestId("journal").locator("tbody tr").count()).toBe(10);
    expect(new URL(page.url()).searchParams).toEqual(new URLSearchParams("view=journal&q=listform&is=refused"));
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    expect(await page.evaluate("document.activeElement === document.querySelector('main a.row')")).toBe(true);

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
      ...["view=lint", "view=journal&tenant=test-long", `view=journal&id=${call.id}`],
      `view=documents&id=${id}`,
    ];
    const page = await aPage();
    await loadChecker(page);
    for (const path of [
      ...inspected.map((query) => `/__admin/?${query}`),
      ...["/", "/docs/", "/pm", "/document-editor", "/s/nobody/", "/document/nobody", "/oauth2/authorize"],
      CONSENT_PATH,
    ]) {
      const url = `${world.sandbox.url}${path}`;
      const count = path.includes("mails") ? 1 : 4;
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
