/** Tests the tables of the inspector in a browser. */
import { describe, expect, test } from "vitest";
import { aDraft, aSentDocument, anUploadedDocument } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { aPage, expectAccessible, useBrowser } from "../../support/browser.ts";

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
    expect(await reader.getByTestId("documents").locator("tbody strong").allTextContents()).toEqual(["Berry", "Cherry", "Apple"]);
  });
});
