import { describe, expect, test } from "vitest";
import { CLIENT, aDraft, aSentDocument, simulate, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { aPage, expectAccessible, expectNoSideScroll, useBrowser } from "../../support/browser.ts";

describe("lists of the inspector", () => {
  useBrowser();

  test("the journal folds polls with the same answer into one line, and a new answer or a change starts a new line", async () => {
    const world = await testWorld({ port: 0 });
    const [id, other] = [await aDraft(world), await aDraft(world)];
    await world.admin("POST", "/reset/journal");
    const poll = async (of: string) => succeed(world.call("statusDocument", { params: { id: of } }));
    for (let i = 0; i < 3; i++) {
      await poll(id);
      await poll(other);
      await world.admin("POST", "/clock/advance", { by: "2s" });
    }
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    await poll(other);
    await poll(id);
    await simulate(world, id, "view");
    await poll(id);
    await poll(id);
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=journal`);
    const lines = page.getByTestId("journal").locator(":scope > tbody > tr");
    const badges = async () =>
      (await lines.locator("a.row").allTextContents()).map((text) => /([a-z]+Document)(?: (×.*))?$/.exec(text)?.slice(1));
    expect(await badges()).toEqual([
      ["statusDocument", "×2 at one instant"],
      ["statusDocument", undefined],
      ["statusDocument", undefined],
      ["sendDocument", undefined],
      ["statusDocument", "×3 in 4 s"],
      ["statusDocument", "×3 in 4 s"],
    ]);
    await lines.nth(4).locator("a.row").click();
    await page.getByTestId("polls").waitFor();
    const polls = page.getByTestId("polls").locator("li");
    expect(await polls.count()).toBe(3);
    await poll(other);
    await page.getByText("×2", { exact: false }).nth(1).waitFor();
    expect(await polls.count()).toBe(3);
    await expectAccessible(page);
    await polls.first().locator("a").click();
    await page.getByRole("heading", { name: "statusDocument" }).waitFor();
  });

  test("the page of mails shows the newest mail, starts with the list on a phone, and can send an example document", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=mails`);
    await page.getByRole("button", { name: "Send an example document" }).click();
    await page.getByRole("link", { name: "Open to sign" }).waitFor();
    await page.getByRole("link", { name: "Raw message" }).click();
    await page.getByText(/\nFrom: .*\nTo: /).waitFor();
    expect(new URL(page.url()).searchParams).toEqual(new URLSearchParams("view=mails&as=raw"));
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.name")).toBe("q");

    await aSentDocument(world, { template: "twoSigners", silent: false });
    await page.setViewportSize({ width: 380, height: 800 });
    await page.goto(`${world.sandbox.url}/__admin/?view=mails`);
    expect(await page.getByTestId("mail").isVisible()).toBe(false);
    await page.getByRole("link", { name: /^Ivo Marek/ }).click();
    await page.getByTestId("mail").waitFor();
    expect(await page.getByTestId("mails").isVisible()).toBe(false);
    expect(await page.getByTestId("mail").textContent()).toContain(CLIENT.email);
    await expectNoSideScroll(page);
    await expectAccessible(page);
    await page.getByRole("link", { name: "All mails" }).click();
    await page.getByTestId("mails").waitFor();
    const signing = page.waitForEvent("popup");
    await page.getByRole("link", { name: /^Ivo Marek/ }).click();
    await page.getByRole("link", { name: "Open to sign" }).click();
    await (await signing).getByTestId("signing-form").waitFor();
  });
});
