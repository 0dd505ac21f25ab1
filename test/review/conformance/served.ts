/** C16, C18, E3: the served description, and what a session's page posts. */
import { describe, expect, test } from "vitest";
import { aSentDocument, CLIENT, DIRECTOR, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

/** What the page posts at once when it comes, by name. */
async function posted(world: TestWorld, path: string, form?: Record<string, string>): Promise<string[]> {
  const body = form && new URLSearchParams(form);
  const answer = await world.sandbox.fetch(path, body ? { method: "POST", body, redirect: "manual" } : {});
  const next = answer.headers.get("location");
  if (next) return posted(world, next);
  const state = /<script type="application\/json" id="state">(.*?)<\/script>/.exec(await answer.text())?.[1];
  const { now = [], rendered } = JSON.parse(state ?? "{}") as { now?: { type: string }[]; rendered?: { type: string } };
  return [...now, ...(rendered ? [rendered] : [])].map(({ type }) => type.replace("session_view.document.", ""));
}

async function aSession(world: TestWorld, story: Parameters<typeof aSentDocument>[1], recipient = CLIENT.email) {
  const id = await aSentDocument(world, story);
  const { body } = await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient } }));
  return { id, path: `/s/${body.id}/` };
}

describe("C18 the signing page posts `loaded` once", () => {
  test("C18 not again after saving, after a refused finish, and after finishing", async () => {
    const world = await testWorld();
    const { id, path } = await aSession(world, { template: "pricing" });
    const uuid = world.tenant.store.documents.get(id)?.fields[0]?.uuid;
    expect(await posted(world, path)).toEqual(["loading", "loaded", "rendered"]);
    expect(await posted(world, path, { act: "save", fields: "1" })).toEqual([]);
    expect(await posted(world, path, { act: "finish", fields: "1" })).toEqual([]);
    expect(await posted(world, path, { act: "finish", fields: "1", [`f.${uuid}`]: "Ivo Marek" })).toEqual(["completed"]);
  });

  test("C18 a check before opening: `loaded` comes once, after the check", async () => {
    const world = await testWorld();
    const verification_settings = { verification_place: "before_open", passcode_verification: { passcode: "abc1234" } };
    const { path } = await aSession(world, { body: { recipients: [{ ...CLIENT, verification_settings }] } });
    expect(await posted(world, path)).toEqual(["loading"]);
    expect(await posted(world, path, { act: "verify", answer: "wrong12" })).toEqual([]);
    expect(await posted(world, path, { act: "verify", answer: "abc1234" })).toEqual(["loaded", "rendered"]);
  });

  test("C18 a check before signing: the document was loaded before it", async () => {
    const world = await testWorld();
    const verification_settings = { verification_place: "before_sign", passcode_verification: { passcode: "abc1234" } };
    const { path } = await aSession(world, {
      template: "pricing",
      body: { recipients: [{ ...CLIENT, verification_settings }] },
    });
    expect(await posted(world, path)).toEqual(["loading", "loaded", "rendered"]);
    expect(await posted(world, path, { act: "finish", fields: "1" })).toEqual([]);
    expect(await posted(world, path, { act: "verify", answer: "abc1234" })).toEqual([]);
  });
});

describe("E3 the messages of a session without a document to show", () => {
  test("E3 who must wait, and who comes too late, get loading.error", async () => {
    const world = await testWorld();
    const early = await aSession(world, { template: "twoSigners" }, DIRECTOR.email);
    expect(await posted(world, early.path)).toEqual(["loading", "loading.error"]);
    const late = await aSession(world, {});
    await world.advance("3600s");
    expect(await posted(world, late.path)).toEqual(["loading", "loading.error"]);
    expect(await posted(world, "/s/nothing/")).toEqual(["loading", "not.found"]);
  });

  test("E3 the payload names the company of the contact, and nothing that is not published", async () => {
    const world = await testWorld();
    await succeed(world.call("createContact", { body: { email: CLIENT.email, company: "Client Ltd" } }));
    const { id, path } = await aSession(world, {});
    const html = await (await world.sandbox.fetch(path)).text();
    const recipient = world.tenant.store.documents.get(id)?.recipients[0]?.id;
    const state = JSON.parse(/id="state">(.*?)<\/script>/.exec(html)?.[1] ?? "{}");
    expect(state.now[1]).toEqual({
      type: "session_view.document.loaded",
      payload: {
        uuid: id,
        recipient: { id: recipient, email: CLIENT.email, company: "Client Ltd", firstName: "Ivo", lastName: "Marek" },
      },
    });
  });

  test("E3 an open page asks whether its session works: the journal leaves that out", async () => {
    const world = await testWorld();
    const { id, path } = await aSession(world, {});
    const before = world.tenant.journal.all().length;
    expect((await world.sandbox.fetch(`${path}alive`)).status).toBe(204);
    expect(world.tenant.journal.all()).toHaveLength(before);
    await succeed(world.call("documentRevertToDraft", { params: { id } }));
    expect((await world.sandbox.fetch(`${path}alive`)).status).toBe(404);
  });
});
