import { describe, expect, test } from "vitest";
import { OFFER } from "../../support/choice-offer.ts";
import { lab } from "../../support/lab.ts";
import { aSentDocument, CLIENT, type StoryOptions, simulate, statusOf, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";
import { aPage, embed, expectAccessible, expectFit, expectNoSideScroll, loadChecker, useBrowser } from "../../support/browser.ts";

useBrowser();
const COMPLETED = "session_view.document.completed";

/** A sent document and a session of one of its recipients. */
async function aSession(
  world: TestWorld,
  options: StoryOptions & { recipient?: string } = {},
): Promise<{ id: string; url: string }> {
  const { recipient = CLIENT.email, ...story } = options;
  const id = await aSentDocument(world, story);
  return { id, url: await sessionOf(world, id, recipient) };
}

async function sessionOf(world: TestWorld, id: string, recipient: string): Promise<string> {
  const made = await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient } }));
  return `${world.sandbox.url}/s/${made.body.id}/`;
}

describe("createDocumentLink with open choices", () => {
  test("the page offers optional rows, alternatives and quantities, saves them with new totals, and keeps them after finish", async () => {
    const world = await lab(OFFER, { port: 0 });
    const id = await aSentDocument(world, { body: { template_uuid: "TemplateChoicexxxxxxxx" } });
    const page = await aPage({ viewport: { width: 390, height: 800 } });
    await page.goto(await sessionOf(world, id, CLIENT.email));
    const choices = page.getByTestId("choices");
    expect(await choices.getByRole("checkbox", { name: "Extra 30.00 USD" }).isChecked()).toBe(false);
    await choices.getByRole("checkbox", { name: "Extra 30.00 USD" }).check();
    await choices.getByRole("radio", { name: "Large 90.00 USD" }).check();
    await choices.getByRole("textbox", { name: "Quantity of Seats" }).fill("5");
    // The totals on the page change before anything is saved.
    await page.locator("[data-live]").getByText("670.00", { exact: false }).first().waitFor();
    expect((await world.call("detailsDocument", { params: { id } })).body.grand_total.amount).not.toBe("670");
    await expectAccessible(page);
    await expectNoSideScroll(page);
    await page.getByTestId("save").click();
    await page.getByTestId("notice").waitFor();
    const total = async () => (await world.call("detailsDocument", { params: { id } })).body.grand_total.amount;
    expect(await total()).toBe("670");
    expect(await choices.getByRole("radio", { name: "Large 90.00 USD" }).isChecked()).toBe(true);

    // An invalid value does not discard the other values.
    await choices.getByRole("textbox", { name: "Quantity of Seats" }).fill("some");
    await page.getByLabel("Type your full name").fill("Ivo Marek");
    await page.getByTestId("save").click();
    expect(await page.getByTestId("errors").textContent()).toContain("Seats: A valid number is required.");
    expect(await choices.getByRole("textbox", { name: "Quantity of Seats" }).getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel("Type your full name").inputValue()).toBe("Ivo Marek");
    await expectAccessible(page);
    expect(await total()).toBe("670");
    await choices.getByRole("textbox", { name: "Quantity of Seats" }).fill("6");
    await page.getByTestId("finish").click();
    await page.getByTestId("done").waitFor();
    expect([await statusOf(world, id), await total()]).toEqual(["document.completed", "680"]);
    const [text, button] = await Promise.all([
      page.locator(".banner p").first().boundingBox(),
      page.getByTestId("download").boundingBox(),
    ]);
    expect(button?.y).toBeGreaterThanOrEqual((text?.y ?? 0) + (text?.height ?? 0));
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByTestId("download").click()]);
    expect(file.suggestedFilename()).toMatch(/\.pdf$/);
  });
});

describe("createDocumentLink in an embedding page", () => {
  test("the page follows a redirect only outside an embedding page", async () => {
    const world = await testWorld({ port: 0 });
    const target = `${world.sandbox.url}/health`;
    const story = {
      template: "pricing",
      body: { recipients: [{ ...CLIENT, redirect: { is_enabled: true, url: target } }] },
    } as const;
    const inside = await aSession(world, story);
    const { frame, hears } = await embed(inside.url);
    await frame.getByLabel("Type your full name").fill("Ivo Marek");
    await frame.getByTestId("finish").click();
    await hears(COMPLETED);
    expect(frame.url()).toBe(inside.url);
    const page = await aPage();
    await page.goto((await aSession(world, story)).url);
    await page.getByLabel("Type your full name").fill("Ivo Marek");
    await page.getByTestId("finish").click();
    await page.waitForURL(target);
  });
});

describe("the signing page", () => {
  test("a whole document can be signed with the keyboard alone", async () => {
    const world = await testWorld({ port: 0 });
    const { id, url } = await aSession(world, { template: "everyField" });
    const page = await aPage();
    await page.goto(url);
    const focused = () =>
      page.evaluate<string>(
        `((one) => one.dataset.testid ?? one.closest("[data-testid^=field-]")?.dataset.testid ?? "")(document.activeElement)`,
      );
    const tabTo = async (wanted: string) => {
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press("Tab");
        if ((await focused()) === wanted) return;
      }
      throw new Error(`the keyboard does not reach ${wanted}`);
    };
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the document");
    await tabTo("field-Text");
    await page.keyboard.type("Something");
    await tabTo("field-Date");
    await page.keyboard.type("03022026");
    await tabTo("field-Dropdown");
    await page.keyboard.type("Medium");
    await tabTo("field-Radio");
    await page.keyboard.press("ArrowDown");
    await tabTo("field-Initials");
    await page.keyboard.type("IM");
    await tabTo("field-Signature");
    await page.keyboard.type("Ivo Marek");
    await tabTo("finish");
    await page.keyboard.press("Enter");
    await page.getByTestId("done").waitFor();
    expect(await statusOf(world, id)).toBe("document.completed");
    const { fields } = (await world.call("detailsDocument", { params: { id } })).body;
    const values = Object.fromEntries(fields.map((one: { name: string; value: unknown }) => [one.name, one.value]));
    expect(values).toMatchObject({ Text: "Something", Date: "2026-03-02", Dropdown: "Medium", Checkbox: false });
    expect(["Post", "Courier"]).toContain(values.Radio);
  });
});

describe("accessibility of the signing page", () => {
  test("everything works without JavaScript", async () => {
    const world = await testWorld({ port: 0 });
    const { id, url } = await aSession(world, { template: "everyField" });
    const page = await aPage({ javaScriptEnabled: false });
    await page.goto(url);
    await page.getByLabel("Text required").fill("Kept");
    await page.getByLabel("File").setInputFiles({ name: "proof.txt", mimeType: "text/plain", buffer: Buffer.from("proof") });
    await page.getByTestId("finish").click();
    const errors = page.getByTestId("errors");
    expect(await errors.getByRole("listitem").allTextContents()).toEqual([
      "Date: This field is required.",
      "Dropdown: This field is required.",
      "Radio: This field is required.",
      "Initials: This field is required.",
      "Signature: This field is required.",
    ]);
    expect(await page.getByLabel("Text required").inputValue()).toBe("Kept");
    await page.getByLabel("Notes").fill("Two\nlines");
    await page.getByLabel("Date").fill("2026-03-02");
    await page.getByLabel("Dropdown").selectOption("Large");
    await page.getByLabel("Courier").check();
    await page.getByLabel("Type your initials").fill("IM");
    await page.getByLabel("Type your full name").fill("Ivo Marek");
    await page.getByTestId("finish").click();
    await page.getByTestId("done").waitFor();
    const { body } = await world.call("detailsDocument", { params: { id } });
    expect(body.status).toBe("document.completed");
    const file = body.fields.find((one: { name: string }) => one.name === "File").value;
    expect(file).toEqual({ name: "proof.txt", url: expect.stringContaining(`${world.sandbox.url}/files/`) });
    expect(await (await fetch(file.url)).text()).toBe("proof");
  });

  test("light at 1280 and 390 px and dark at 820 px, the page has no accessibility finding and does not scroll sideways", async () => {
    const world = await testWorld({ port: 0 });
    const page = await aPage();
    await loadChecker(page);
    const fits = () =>
      expectFit(page, [
        { colorScheme: "light", width: 1280 },
        { colorScheme: "dark", width: 820 },
        { colorScheme: "light", width: 390 },
      ]);
    const shown = async (url: string) => {
      await page.goto(url);
      await fits();
    };
    const every = await aSession(world, { template: "everyField" });
    await shown(every.url);
    for (const more of await page.locator("summary").all()) await more.click();
    await fits();
    await page.getByTestId("finish").click();
    await fits();
    const pricing = await aSession(world, { template: "pricing" });
    await shown(pricing.url);
    await simulate(world, pricing.id, "sign");
    await shown(pricing.url);
    const payment = await aSession(world, { template: "payment" });
    await simulate(world, payment.id, "sign");
    await shown(payment.url);
    await shown(`${world.sandbox.url}/s/nothing/`);
    const guarded = {
      ...CLIENT,
      verification_settings: { verification_place: "before_open", passcode_verification: { passcode: "abc1234" } },
    };
    await shown((await aSession(world, { body: { recipients: [guarded] } })).url);
    await shown(`${world.sandbox.url}/__admin/?view=mails`);
  });
});
