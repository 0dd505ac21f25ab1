/** The unmodified official browser libraries in Chromium. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { lab } from "../../support/lab.ts";
import { aDraft, aSentDocument, CLIENT, statusOf, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";
import { useBrowser } from "../../support/browser.ts";
import { aLibraryPage } from "../../support/official-libraries.ts";

useBrowser();

async function aSession(world: TestWorld, story: Parameters<typeof aSentDocument>[1] = {}) {
  const id = await aSentDocument(world, story);
  const { body } = await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } }));
  return { id, session: body.id as string };
}

const SIZE = { width: 1000, height: 800 };

function signing(world: TestWorld, sessionId: string): string {
  return `makeSigning(${JSON.stringify({ sessionId, ...SIZE })}, ${JSON.stringify({ host: `${world.sandbox.url}/pm/` })})`;
}

function editor(world: TestWorld): string {
  return `makeEditor({}, ${JSON.stringify({ host: `${world.sandbox.url}/document-editor/` })})`;
}

/** Answers requests to the real host from docdouble, as `docs/do/embed.md` shows. */
function routed(world: TestWorld): (page: Page) => Promise<void> {
  return async (page) => {
    await page.route("https://app.pandadoc.com/**", async (route) => {
      const { pathname, search } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: `${world.sandbox.url}${pathname}${search}` }) });
    });
  };
}

function payloadOf(world: TestWorld, id: string): object {
  const recipient = world.tenant.store.documents.get(id)?.recipients[0];
  return {
    uuid: id,
    recipient: { id: recipient?.id, email: CLIENT.email, company: "", firstName: "Ivo", lastName: "Marek" },
  };
}

async function sign(page: Awaited<ReturnType<typeof aLibraryPage>>): Promise<void> {
  const frame = await page.session();
  await frame.getByLabel("Company").fill("Client Ltd");
  await frame.getByLabel("Agree").check();
  await frame.getByLabel("Type your full name").fill("Ivo Marek");
  await frame.getByTestId("finish").click();
}

describe("the library pandadoc-signing", () => {
  test("with `host`, the events come in order with the published payload, and the document is completed", async () => {
    const world = await testWorld({ port: 0 });
    const { id, session } = await aSession(world);
    const page = await aLibraryPage(signing(world, session));
    await page.hears("document.rendered");
    await sign(page);
    await page.hears("document.completed");
    const payload = payloadOf(world, id);
    expect(await page.heard()).toEqual(
      ["document.loading", "document.loaded", "document.rendered", "document.completed"].map((event) => ({ event, payload })),
    );
    expect(await statusOf(world, id)).toBe("document.completed");
  });

  test("with `page.route`, the library keeps its own host, and docdouble answers for it", async () => {
    const world = await testWorld({ port: 0 });
    const { id, session } = await aSession(world);
    const page = await aLibraryPage(`makeSigning(${JSON.stringify({ sessionId: session, ...SIZE })})`, routed(world));
    await page.hears("document.rendered");
    expect(page.shell().url()).toBe("https://app.pandadoc.com/pm/");
    await sign(page);
    expect(await page.hears("document.completed")).toEqual(payloadOf(world, id));
    expect(await statusOf(world, id)).toBe("document.completed");
  });

  test("`close` closes a session, `open` opens the next one in the same frame, and `destroy` removes the frame", async () => {
    const world = await testWorld({ port: 0 });
    const [first, second] = [await aSession(world), await aSession(world, { body: { name: "Second" } })];
    const page = await aLibraryPage(signing(world, first.session));
    await page.hears("document.rendered");
    await page.page.evaluate("library.close()");
    expect(await page.shell().getByTestId("no-session").isVisible()).toBe(true);
    expect(page.shell().childFrames()).toEqual([]);
    await page.page.evaluate(`library.open({ sessionId: ${JSON.stringify(second.session)} })`);
    expect(await (await page.session()).getByTestId("document-name").textContent()).toBe("Second");
    await page.page.evaluate("library.destroy()");
    expect(await page.page.locator("iframe").count()).toBe(0);
  });

  test.each([
    ["a failure", { respond: { status: 500 } }],
    ["a network fault", { network: "reset" }],
  ])("%s while the page loads posts loading.error", async (_, then) => {
    const world = await lab({ rules: [{ name: "down", when: { path: "/s/**" }, then }] }, { port: 0 });
    const { session } = await aSession(world);
    const page = await aLibraryPage(signing(world, session));
    await page.hears("document.loading.error");
    expect(await page.names()).toEqual(["document.loading", "document.loading.error"]);
  });
});

describe("the library pandadoc-editor", () => {
  async function aToken(world: TestWorld) {
    const id = await aDraft(world);
    const { body } = await succeed(
      world.call("createDocumentEditingSession", {
        params: { id },
        body: { email: "nora.lind@northpeak.example", lifetime: 900 },
      }),
    );
    return { id, token: body.token as string };
  }

  test("with `host`, the page posts loading and rendered, and says that it is a stand-in", async () => {
    const world = await testWorld({ port: 0 });
    const { token } = await aToken(world);
    const page = await aLibraryPage(editor(world));
    await page.page.waitForFunction("library.open({ token: '' }).then(() => true)");
    await page.shell().getByText("Stand-in for the editor").waitFor();
    await page.page.evaluate(`library.open({ token: ${JSON.stringify(token)} })`);
    await page.hears("content.rendered");
    expect(await page.names()).toEqual(["document.loading", "content.rendered"]);
    expect(await page.shell().getByTestId("title").textContent()).toBe("Service agreement");
    expect(await page.shell().getByTestId("facts").textContent()).toContain("nora.lind@northpeak.example");
    await page.page.evaluate("library.close()");
    expect(await page.shell().getByTestId("title").textContent()).toBe("The editor is closed");
  });
});
