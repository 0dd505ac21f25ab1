import { describe, expect, test } from "vitest";
import { CLIENT, simulate, statusOf } from "../../support/stories.ts";
import { aPage, expectFit, loadChecker, useBrowser } from "../../support/browser.ts";
import { CONSENT_PATH, VIEWS, aBusyWorld, rowsOf } from "../../support/inspector.ts";

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
