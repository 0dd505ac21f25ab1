/** The served OpenAPI description, and the messages that the page of a session posts. */
import { describe, expect, test } from "vitest";
import { aDraft, aSentDocument, CLIENT, DIRECTOR, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

/** The names of the messages that the page posts when it opens. */
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

describe("the served description", () => {
  interface Described {
    info: { description: string; version: string; "x-modelled-api": object };
    paths: Record<string, Record<string, { responses: Record<string, object> }>>;
  }
  const description = async (world: TestWorld) => (await world.request("GET", "/openapi.json", { key: null })).body as Described;

  test.each([
    ["createContact", "post", "/public/v1/contacts", [400, 401, 403, 413, 429]],
    ["deleteContact", "delete", "/public/v1/contacts/{id}", [400, 401, 403, 404, 413, 429]],
    ["deleteDocument", "delete", "/public/v1/documents/{id}", [401, 403, 404, 413, 423, 429]],
    ["deleteCatalogItem", "delete", "/public/v2/product-catalog/items/{item_uuid}", [400, 401, 403, 404, 413, 429]],
  ])("%s declares each of its error statuses", async (_, method, path, statuses) => {
    const { responses } = (await description(await testWorld())).paths[path]?.[method] ?? { responses: {} };
    expect(
      Object.keys(responses)
        .map(Number)
        .filter((status) => status >= 400),
    ).toEqual(statuses);
  });
});

describe("the message `loaded`", () => {
  test("is posted once: not after saving, a refused finish or a finish", async () => {
    const { id, path } = await aSession(world, { template: "pricing" });
    const uuid = world.tenant.store.documents.get(id)?.fields[0]?.uuid;
    expect(await posted(world, path)).toEqual(["loading", "loaded", "rendered"]);
    expect(await posted(world, path, { act: "save", fields: "1" })).toEqual([]);
    expect(await posted(world, path, { act: "finish", fields: "1" })).toEqual([]);
    expect(await posted(world, path, { act: "finish", fields: "1", [`f.${uuid}`]: "Ivo Marek" })).toEqual(["completed"]);
  });

  test("is posted after a verification before opening", async () => {
    const verification_settings = { verification_place: "before_open", passcode_verification: { passcode: "abc1234" } };
    const { path } = await aSession(world, { body: { recipients: [{ ...CLIENT, verification_settings }] } });
    expect(await posted(world, path)).toEqual(["loading"]);
    expect(await posted(world, path, { act: "verify", answer: "wrong12" })).toEqual([]);
    expect(await posted(world, path, { act: "verify", answer: "abc1234" })).toEqual(["loaded", "rendered"]);
  });
});

describe("the messages of a session without a document to show", () => {
  test("a recipient who must wait, and an expired session, get loading.error", async () => {
    const early = await aSession(world, { template: "twoSigners" }, DIRECTOR.email);
    expect(await posted(world, early.path)).toEqual(["loading", "loading.error"]);
    const late = await aSession(world, {});
    await world.advance("3600s");
    expect(await posted(world, late.path)).toEqual(["loading", "loading.error"]);
    expect(await posted(world, "/s/nothing/")).toEqual(["loading", "not.found"]);
  });

  test("the payload for a member of a group describes the member", async () => {
    const members = [{ email: "one@client.example" }, { email: "two@client.example", first_name: "Tove" }];
    const recipients = [{ type: "recipient_group", name: "Board", role: "Client", members }];
    const { path } = await aSession(world, { template: "pricing", body: { recipients } }, "two@client.example");
    const html = await (await world.sandbox.fetch(path)).text();
    const [, loaded] = JSON.parse(/id="state">(.*?)<\/script>/.exec(html)?.[1] ?? "{}").now;
    expect(loaded.payload.recipient).toMatchObject({ email: "two@client.example", firstName: "Tove", lastName: null });
  });

  test("the journal has the call of the editor without its E-Token", async () => {
    const id = await aDraft(world);
    const body = { email: "nora.lind@northpeak.example", lifetime: 900 };
    const made = await succeed(world.call("createDocumentEditingSession", { params: { id }, body }));
    const headers = { authorization: `E-Token ${made.body.token}` };
    const answer = await world.sandbox.fetch("/document-editor/session", { headers });
    expect(await answer.json()).toMatchObject({ kind: "document", id, name: "Service agreement", status: "document.draft" });
    const asked = world.tenant.journal.all().at(-1);
    expect(asked).toMatchObject({ operationId: "editorSession", page: true, status: 200 });
    expect(JSON.stringify((await world.admin("GET", "/requests")).body)).not.toContain(made.body.token);
  });

  test("the journal omits the calls of an open page that checks its session", async () => {
    const { id, path } = await aSession(world, {});
    const before = world.tenant.journal.all().length;
    expect((await world.sandbox.fetch(`${path}alive`)).status).toBe(204);
    expect(world.tenant.journal.all()).toHaveLength(before);
    await succeed(world.call("documentRevertToDraft", { params: { id } }));
    expect((await world.sandbox.fetch(`${path}alive`)).status).toBe(404);
  });
});
