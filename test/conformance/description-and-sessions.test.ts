/** C16, C18, E3: the served description, and what a session's page posts. */
import { describe, expect, test } from "vitest";
import { aDraft, aSentDocument, CLIENT, DIRECTOR, succeed } from "../support/stories.ts";
import { type TestWorld, testWorld } from "../support/world.ts";

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

describe("C16 the served description", () => {
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
  ])("C16 %s declares every refusal that it answers", async (_, method, path, statuses) => {
    const { responses } = (await description(await testWorld())).paths[path]?.[method] ?? { responses: {} };
    expect(
      Object.keys(responses)
        .map(Number)
        .filter((status) => status >= 400),
    ).toEqual(statuses);
  });

  test("C16 the second delete of a document is a declared 403", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    expect((await world.call("deleteDocument", { params: { id } })).status).toBe(204);
    expect((await world.call("deleteDocument", { params: { id } })).status).toBe(403);
    expect((await description(world)).paths["/public/v1/documents/{id}"]?.delete?.responses).toHaveProperty("403");
  });

  test("C16 it names the API's versions that it models beside docdouble's own", async () => {
    const { info } = await description(await testWorld());
    expect(info["x-modelled-api"]).toEqual({ title: "PandaDoc Public API", described: "8.8.0", specified: "8.11.0" });
    expect(info.description).toContain("8.8.0");
    expect(info.description).toContain("8.11.0");
    expect(info.version).not.toBe("8.8.0");
  });
});

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

  test("E3 the session of a group's member names the member", async () => {
    const world = await testWorld();
    const members = [{ email: "one@client.example" }, { email: "two@client.example", first_name: "Tove" }];
    const recipients = [{ type: "recipient_group", name: "Board", role: "Client", members }];
    const { path } = await aSession(world, { template: "pricing", body: { recipients } }, "two@client.example");
    const html = await (await world.sandbox.fetch(path)).text();
    const [, loaded] = JSON.parse(/id="state">(.*?)<\/script>/.exec(html)?.[1] ?? "{}").now;
    expect(loaded.payload.recipient).toMatchObject({ email: "two@client.example", firstName: "Tove", lastName: null });
  });

  test("E3 the journal has the editor's question without its E-Token", async () => {
    const world = await testWorld();
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
