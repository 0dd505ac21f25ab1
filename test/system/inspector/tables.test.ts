/** Tests the tables of the inspector in a browser. */
import { describe, expect, test } from "vitest";
import { receiver } from "../../support/receiver.ts";
import { aDraft, aSentDocument, aSubscription, anUploadedDocument, simulate, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { aPage, expectAccessible, expectFit, useBrowser } from "../../support/browser.ts";

useBrowser();

const HEIGHTS =
  "[...document.querySelectorAll('.grid tbody tr:not(.detail), .timeline > .opens > .row')].map((one) => one.getBoundingClientRect().height)";

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
        .allTextContents(),
    ).toEqual(expect.arrayContaining(["Cherry", "draft", "829.05 USD", "Pricing table"]));
    await expectAccessible(page);

    const reader = await aPage({ javaScriptEnabled: false });
    await reader.goto(page.url());
    expect(await reader.getByTestId("documents").locator("tbody strong").allTextContents()).toEqual(["Apple", "Cherry", "Berry"]);
    await reader.getByRole("link", { name: "Status" }).click();
    expect(await reader.getByTestId("documents").locator("tbody strong").allTextContents()).toEqual(["Cherry", "Berry", "Apple"]);
  });

  test("every row of a list is at most 40 px high, on a phone too", async () => {
    const world = await testWorld({ port: 0 });
    const hook = await receiver();
    await aSubscription(world, hook);
    const id = await aSentDocument(world, {
      template: "twoSigners",
      body: { name: "A name that is much too long for one line ".repeat(3) },
    });
    await simulate(world, id, "view");
    await world.call("createDocument", { body: { name: "Wrong" } });
    const page = await aPage();
    for (const query of ["view=documents", `view=documents&id=${id}`])
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${world.sandbox.url}/__admin/?${query}`);
        const heights = await page.evaluate<number[]>(HEIGHTS);
        expect(heights.length, query).toBeGreaterThan(0);
        expect(Math.max(...heights), `${query} at ${width} px`).toBeLessThanOrEqual(40);
      }
  });

  test("a document's page begins with its timeline on an axis, folds the diagram, and offers one way to let it expire", async () => {
    const world = await testWorld({ port: 0 });
    const id = await aSentDocument(world, { template: "pricing" });
    await simulate(world, id, "view");
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=documents&id=${id}`);
    expect(await page.locator("main h2").first().textContent()).toBe("Timeline");
    const axis = page.getByRole("region", { name: /^Timeline on the clock/ });
    expect(await axis.locator("svg svg title").allTextContents()).toEqual(["uploaded", "draft", "sent", "viewed"]);
    expect(await page.locator("#diagram").isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: /expire/i }).allTextContents()).toEqual(["Expire"]);
    const text = (await page.locator("main").textContent()) ?? "";
    expect(text).toContain("a recipient opened it");
    expect(text).not.toMatch(/\bby (create|process|send|view)\b/);
    // A mark opens its entry.
    await axis.locator(".mark.due").first().click();
    await page
      .getByTestId("timeline")
      .getByRole("button", { name: /^Skip to this/ })
      .waitFor();
  });

  test("a slider shows the document before and after each change, and a call without an effect changes nothing", async () => {
    const world = await testWorld({ port: 0 });
    const id = await aDraft(world, { template: "pricing", body: { name: "Offer 42" } });
    await succeed(world.call("updateDocument", { params: { id }, body: { name: "Offer 43", metadata: { order: "7" } } }));
    expect((await world.call("updateDocument", { params: { id }, body: { recipients: "nobody" } })).status).toBe(400);
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=documents&id=${id}`);
    const step = page.getByTestId("step");
    const changes = () => step.getByTestId("changes").locator("tbody tr").allInnerTexts();
    expect(await changes()).toContain("Status\tdraft\tsent");
    const last = Number(await page.locator("#step-range").getAttribute("max"));
    await page.locator("#step-range").fill(String(last - 1));
    await step.getByText("This call changed nothing.").waitFor();
    await step.getByText("400").waitFor();
    await page.getByRole("link", { name: "Before" }).click();
    await step.getByText("Offer 43").first().waitFor();
    expect(await changes()).toEqual(["Name\tOffer 42\tOffer 43", "Metadata order\t–\t7"]);
    expect(new URL(page.url()).searchParams.get("step")).toBe(String(last - 2));
    await expectFit(page, [
      { colorScheme: "dark", width: 390 },
      { colorScheme: "light", width: 1920 },
    ]);
  });
});
