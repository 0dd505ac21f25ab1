/** One story in a real browser. `test/system/pages` holds the others. */
import { expect, test } from "vitest";
import { embed, useBrowser } from "../../support/browser.ts";
import { aSentDocument, CLIENT, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

const LOADING = "session_view.document.loading";
const RENDERED = "session_view.document.rendered";
const LOADED = "session_view.document.loaded";
const COMPLETED = "session_view.document.completed";

/** The packaged browser is for Linux on x64. */
const isThere = process.env.CHROMIUM_PATH !== undefined || (process.platform === "linux" && process.arch === "x64");
const lacks = isThere ? "" : " (skipped: there is no browser on this machine)";
if (isThere) useBrowser();

test.skipIf(lacks)(
  `createDocumentLink: the embedding page receives messages about loading and completion, and the document is completed${lacks}`,
  async () => {
    const world = await testWorld({ port: 0 });
    const id = await aSentDocument(world);
    const session = await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } }));
    const { frame, hears, heard } = await embed(`${world.sandbox.url}/s/${session.body.id}/`);
    expect(await hears(LOADED)).toEqual({
      origin: world.sandbox.url,
      data: {
        type: LOADED,
        payload: {
          uuid: id,
          recipient: { id: expect.any(String), email: CLIENT.email, company: "", firstName: "Ivo", lastName: "Marek" },
        },
      },
    });
    await hears(RENDERED);
    await frame.getByLabel("Company").fill("Client Ltd");
    await frame.getByLabel("Agree").check();
    await frame.getByLabel("Type your full name").fill("Ivo Marek");
    await frame.getByTestId("finish").click();
    const { data } = await hears(COMPLETED);
    expect(data.payload).toMatchObject({ uuid: id, recipient: { email: CLIENT.email } });
    expect((await heard()).map((one) => one.data.type)).toEqual([LOADING, LOADED, RENDERED, COMPLETED]);
    expect(await frame.getByTestId("done").textContent()).toContain("You have finished this document");
    const { body } = await world.call("detailsDocument", { params: { id } });
    expect(body.status).toBe("document.completed");
    expect(body.fields.find((one: { name: string }) => one.name === "Company").value).toBe("Client Ltd");
  },
);
