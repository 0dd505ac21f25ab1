/** Tests the smaller pages of the inspector in a browser. */
import { describe, expect, test } from "vitest";
import { aDraft, aSentDocument, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { aPage, expectAccessible, useBrowser } from "../../support/browser.ts";

useBrowser();

describe("the sections of the inspector", () => {
  test("the data of a document is edited in place in any status, and a refused value stays as it was", async () => {
    const world = await testWorld({ port: 0 });
    const id = await aSentDocument(world, { template: "everyField", body: { name: "Offer 42", metadata: { "order.no": "7" } } });
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=documents&id=${id}`);
    const edit = async (label: string, value: string) => {
      await page.getByLabel(label, { exact: true }).fill(value);
      await page.keyboard.press("Enter");
    };
    await edit("Name", "Offer 43");
    await page.getByRole("heading", { name: "Offer 43 sent" }).waitFor();
    // The notice says what changed, and takes it back.
    const notice = page.getByRole("status", { name: "Result of your last action" });
    expect(await notice.locator("strong").textContent()).toBe("Name: Offer 42 → Offer 43");
    await notice.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Offer 42 sent" }).waitFor();
    expect(await notice.locator("strong").textContent()).toBe("Name: Offer 43 → Offer 42");
    await edit("Name", "Offer 43");
    await page.getByRole("heading", { name: "Offer 43 sent" }).waitFor();
    await edit("Metadata order.no", "8");
    // The notice says what changed, and takes it back.
    await page.locator("#result").getByText("Metadata order.no: 7 → 8").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator("#result").getByText("Metadata order.no: 8 → 7").waitFor();
    await edit("Metadata order.no", "8");
    await page.locator("#result").getByText("Metadata order.no: 7 → 8").waitFor();
    const row = () => world.tenant.store.documents.get(id);
    expect([row()?.name, row()?.metadata["order.no"], row()?.status]).toEqual(["Offer 43", "8", "document.sent"]);
    const date = row()?.fields.find((one) => one.type === "date");
    await edit(`Field ${date?.name}`, "someday");
    await page.getByText("refused with 400").waitFor();
    expect(row()?.fields.find((one) => one.uuid === date?.uuid)?.value).toEqual(date?.value);
    await expectAccessible(page);
    const reader = await aPage({ javaScriptEnabled: false });
    await reader.goto(page.url());
    expect(await reader.getByTestId("metadata").locator(".still").first().isVisible()).toBe(true);
    expect(await reader.getByTestId("metadata").locator("input").first().isVisible()).toBe(false);
  });

  test("a rule and a ready-made story open as YAML, and a result stands beside each name", async () => {
    const world = await testWorld({ port: 0 });
    const rule = { name: "slow", when: { operation: "sendDocument" }, then: { error: "throttled", times: 1 } };
    await succeed(world.admin("POST", "/rules", rule));
    await world.call("sendDocument", { params: { id: await aDraft(world) }, body: {} });
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=rules`);
    const row = page.getByTestId("rules").getByRole("row", { name: /^slow/ });
    expect(await row.textContent()).toContain("used up, once");
    await row.getByRole("link").click();
    const yaml = await page.getByRole("group", { name: "Rule slow" }).textContent();
    expect(yaml).toContain("when:\n  operation: sendDocument");
    await page.goto(`${world.sandbox.url}/__admin/?view=scenarios`);
    const stories = page.getByTestId("stories");
    await stories.getByRole("link", { name: "declined" }).click();
    await page.getByRole("group", { name: "Story declined" }).getByText("name: declined").waitFor();
    await stories.getByRole("button", { name: "Load declined" }).click();
    await stories.getByText(/^\d of \d hold$/).waitFor();
    await page.getByTestId("results").getByText("not yet").first().waitFor();
    await expectAccessible(page);
  });
});
