/** Tests the page of a document and the lists of the inspector in a browser. Each test makes many checks on one page. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { receiver } from "../../support/receiver.ts";
import { aDraft, aSubscription } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { aPage, expectAccessible, useBrowser } from "../../support/browser.ts";

useBrowser();

describe("the page of a document and the lists", () => {
  test("a document's page breaks calls and deliveries, takes steps, opens entries by address, and saves the story as a scenario", async () => {
    const world = await testWorld({ port: 0 });
    const hook = await receiver();
    await aSubscription(world, hook);
    const id = await aDraft(world);
    const page = await aPage();
    await page.goto(`${world.sandbox.url}/__admin/?view=documents&id=${id}`);
    const press = async (name: string) => {
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByText(`${name}: done`).waitFor();
    };
    const send = () => world.call("sendDocument", { params: { id }, body: { silent: false } });
    await press("Throttle the next send");
    expect((await send()).status).toBe(429);
    await press("Lock for 10 minutes");
    expect((await send()).status).toBe(423);
    await press("Unlock");
    await press("Fail the next two deliveries");
    await press("Send");
    await page.getByTestId("path").getByText("sent").waitFor();
    await world.advance("2m");
    const attempts = world.sandbox.webhooks.deliveries({ document_id: id, status: "document.sent" })[0]?.attempts;
    expect(attempts?.map((one) => one.status)).toEqual([500, 500]);
    await press("Lose the next answer");
    await expect(world.call("statusDocument", { params: { id } })).rejects.toThrow();

    // An entry opens without a reload, and its address opens it again.
    const timeline = page.getByTestId("timeline");
    await timeline.getByRole("link", { name: /sendDocument.*429/ }).click();
    await timeline.getByTestId("why").getByText("injected by rule").waitFor();
    await timeline.getByText('"throttled"').waitFor();
    await expectAccessible(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByTestId("timeline").getByText('"throttled"').waitFor();
    await other.close();
    await timeline
      .getByRole("link", { name: /deliver/ })
      .last()
      .click();
    await page.getByRole("button", { name: "Skip to this (deliver)" }).click();
    await page
      .locator("#result")
      .getByText(/deliver/)
      .first()
      .waitFor();

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Save as scenario" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("service-agreement.yaml");
    expect(readFileSync(await download.path(), "utf8")).toContain("operation: sendDocument");
    await page.getByRole("button", { name: "Preview the PDF" }).click();
    await page.locator("#preview[open] iframe").waitFor();
    await page.keyboard.press("Escape");
    const [signing] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "Open as Ivo Marek" }).click(),
    ]);
    await signing.getByTestId("signing-form").waitFor();
  });
});
