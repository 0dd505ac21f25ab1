/** Tests the tables of the inspector in a browser. */
import { describe, expect, test } from "vitest";
import { receiver } from "../../support/receiver.ts";
import { aDraft, aSentDocument, aSubscription, anUploadedDocument, simulate, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { aPage, expectAccessible, expectFit, useBrowser } from "../../support/browser.ts";

useBrowser();

describe("tables of the inspector", () => {
  test("documents sort by each column with a click or the keyboard, and the address keeps the order for a reader without the script", async () => {
    const world = await testWorld({ port: 0 });
    await anUploadedDocument(world, { body: { name: "Berry" } });
    await aSentDocument(world, { template: "payment", body: { name: "Apple" } });
    await aDraft(world, { template: "pricing", body: { name: "Cherry" } });
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/`);
    const names = () => page.getByTestId("documents").locator("tbody strong").allTextContents();
    const order = (title: string) => page.getByRole("columnheader", { name: title }).getAttribute("aria-sort");
    await page.getByRole("link", { name: "Name" }).click();
    await page.locator('[aria-sort="ascending"]').waitFor();
    expect(await names()).toEqual(["Apple", "Berry", "Cherry"]);
    await page.keyboard.press("Enter");
    await page.locator('[aria-sort="descending"]').waitFor();
    expect(await names()).toEqual(["Cherry", "Berry", "Apple"]);
    // Amounts begin with the highest.
    await page.getByRole("link", { name: "Value" }).click();
    await page.locator('th:has-text("Value")[aria-sort="descending"]').waitFor();
    expect(await names()).toEqual(["Apple", "Cherry", "Berry"]);
    expect(await order("Name")).toBe("none");
    expect(
      await page
        .getByRole("row", { name: /Cherry/ })
        .locator("td")
        .allInnerTexts(),
    ).toEqual(expect.arrayContaining(["Cherry", "draft", "829.05 USD", "Pricing table"]));
    await expectAccessible(page);

    const reader = await aPage({ javaScriptEnabled: false });
    await reader.goto(page.url());
    expect(await reader.getByTestId("documents").locator("tbody strong").allTextContents()).toEqual(["Apple", "Cherry", "Berry"]);
    await reader.getByRole("link", { name: "Status" }).click();
    expect(await reader.getByTestId("documents").locator("tbody strong").allTextContents()).toEqual(["Cherry", "Berry", "Apple"]);
  });

  test("a document's page begins with its timeline on an axis, and offers one way to let it expire", async () => {
    const world = await testWorld({ port: 0 });
    const id = await aSentDocument(world, { template: "pricing" });
    await simulate(world, id, "view");
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=documents&id=${id}`);
    expect(await page.locator("main h2").first().textContent()).toBe("Timeline");
    const axis = page.getByRole("region", { name: /^Timeline on the clock/ });
    expect(await axis.locator("svg svg title").allTextContents()).toEqual(["uploaded", "draft", "sent", "viewed"]);
    expect(await page.getByRole("button", { name: /expire/i }).allTextContents()).toEqual(["Expire"]);
    const text = (await page.locator("main").textContent()) ?? "";
    expect(text).toContain("Ivo Marek opened it");
    expect(text).not.toMatch(/\bby (create|process|send|view)\b/);
    // A mark opens its entry.
    await axis.locator(".mark.due").first().click();
    await page
      .getByTestId("timeline")
      .getByRole("button", { name: /^Skip to this/ })
      .waitFor();
  });

  test("two calls stand side by side with their differences", async () => {
    const world = await testWorld({ port: 0 });
    const id = await aDraft(world, { body: { name: "Offer 42" } });
    await succeed(world.call("updateDocument", { params: { id }, body: { name: "Offer 43" } }));
    await world.call("updateDocument", { params: { id }, body: { recipients: "nobody" } });
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=journal`);
    await page.getByTestId("journal").getByRole("link", { name: "updateDocument" }).first().click();
    await page.getByRole("heading", { name: "updateDocument 400 Offer 43" }).waitFor();
    await page.getByLabel("Compare with").selectOption({ index: 0 });
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("heading", { name: "Two calls" }).waitFor();
    expect(await page.getByTestId("compare-request").locator("mark").allInnerTexts()).toEqual([
      expect.stringContaining('"recipients": "nobody"'),
      expect.stringContaining('"name": "Offer 43"'),
    ]);
    expect(await page.getByTestId("compare-call").locator("mark").allInnerTexts()).toContain("Status: 400");
    await expectFit(page, [
      { colorScheme: "light", width: 390 },
      { colorScheme: "dark", width: 1280 },
    ]);
  });

  test("deliveries stand by document with the number of their attempts", async () => {
    const world = await testWorld({ port: 0 });
    const hook = await receiver();
    await aSubscription(world, hook);
    await succeed(
      world.admin("POST", "/webhooks/rules", {
        name: "down",
        when: { event: "document_state_changed", document: { name: "Offer 42" } },
        then: { attempt_result: 500, times: 1 },
      }),
    );
    await aDraft(world, { body: { name: "Offer 42" } });
    await aDraft(world, { body: { name: "Offer 43" } });
    await world.advance("2m");
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=deliveries`);
    expect(await page.locator(".grid .group").allInnerTexts()).toEqual(["Offer 43 draft", "Offer 42 draft"]);
    expect(await page.locator(".grid td.number").allInnerTexts()).toContain("2");
    await expectAccessible(page);
    await page.getByRole("link", { name: "Attempts" }).click();
    await page.locator('[aria-sort="descending"]').waitFor();
    expect(await page.locator(".grid .group").count()).toBe(0);
  });

  test("a mail shows its raw message and whether its link opens", async () => {
    const world = await testWorld({ port: 0 });
    const id = await aSentDocument(world, { silent: false, body: { name: "Angebot für Übersee" } });
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=mails&is=sent`);
    await page.getByRole("link", { name: "Raw message" }).click();
    const raw = (await page.getByRole("group", { name: "Raw message" }).textContent()) ?? "";
    expect(raw).toMatch(/^Message-ID: <\S+@docdouble>\nDate: Mon, 02 Mar 2026 09:00:0\d \+0000\nFrom: /);
    const [, encoded = ""] = /^Subject: =\?utf-8\?B\?(.*)\?=$/m.exec(raw) ?? [];
    expect(Buffer.from(encoded, "base64").toString()).toContain("Angebot für Übersee");
    expect(await page.getByTestId("links").textContent()).toMatch(/^opens for Ivo Marek http/);
    await simulate(world, id, "decline");
    await page.getByTestId("links").getByText("refused: the document is declined").waitFor();
    expect(new URL(page.url()).searchParams).toEqual(new URLSearchParams("view=mails&is=sent&as=raw"));
    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Mails" }).waitFor();
    expect(await page.locator("main").textContent()).not.toContain("none");
  });

  test("an entry of the timeline shows what it changed, at each width", async () => {
    const world = await testWorld({ port: 0 });
    const id = await aDraft(world, { template: "pricing", body: { name: "Offer 42" } });
    await succeed(world.call("updateDocument", { params: { id }, body: { name: "Offer 43", metadata: { order: "7" } } }));
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=documents&id=${id}`);
    const timeline = page.getByTestId("timeline");
    await timeline.getByRole("link", { name: /updateDocument/ }).click();
    const changes = timeline.getByTestId("changes").getByRole("listitem");
    await changes.first().waitFor();
    expect(await changes.allTextContents()).toEqual(["Name Offer 42 → Offer 43", "Metadata order 7"]);
    await expectFit(page, [
      { colorScheme: "dark", width: 390 },
      { colorScheme: "light", width: 1920 },
    ]);
  });
});
