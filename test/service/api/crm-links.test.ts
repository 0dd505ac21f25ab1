import { describe, expect, test } from "vitest";
import { aDraft, TEMPLATES } from "../../support/stories.ts";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

const DEAL = { provider: "hubspot", entity_type: "deal", entity_id: "134" };
const NOT_FOUND = { status: 404, body: { type: "request_error", detail: "Not found" } };

describe("createLinkedObject", () => {
  test("createLinkedObject accepts one link per provider, and links of several providers", async () => {
    const id = await aDraft(world);
    await world.call("createLinkedObject", { params: { id }, body: DEAL });
    const again = await world.call("createLinkedObject", { params: { id }, body: { ...DEAL, entity_id: "135" } });
    expect({ status: again.status, body: again.body }).toEqual({
      status: 400,
      body: { type: "request_error", detail: { provider: ["The document is already linked to this provider."] } },
    });
    const other = await world.call("createLinkedObject", { params: { id }, body: { ...DEAL, provider: "pipedrive" } });
    expect(other.status).toBe(201);
    expect((await world.call("listLinkedObjects", { params: { id } })).body.linked_objects).toHaveLength(2);
  });
});

describe("deleteLinkedObject", () => {
  test("deleteLinkedObject deletes the link, and answers 404 afterwards", async () => {
    const id = await aDraft(world);
    const { body } = await world.call("createLinkedObject", { params: { id }, body: DEAL });
    const params = { id, linked_object_id: body.id };
    expect((await world.call("deleteLinkedObject", { params })).status).toBe(204);
    const again = await world.call("deleteLinkedObject", { params });
    expect({ status: again.status, body: again.body }).toEqual(NOT_FOUND);
    expect((await world.call("detailsDocument", { params: { id } })).body.linked_objects).toEqual([]);
  });
});

describe("listDocumentsByLinkedObject", () => {
  test("listDocumentsByLinkedObject answers an array of this workspace's documents, newest first, without deleted ones", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) {
      const id = await aDraft(world);
      await world.call("createLinkedObject", { params: { id }, body: DEAL });
      ids.push(id);
    }
    const [first, second, deleted, foreign] = ids as [string, string, string, string];
    await world.call("deleteDocument", { params: { id: deleted } });
    const link = world.tenant.store.links.where("document", foreign)[0];
    if (link) world.tenant.store.links.put({ ...link, workspace_id: "another" });
    const answer = await world.call("listDocumentsByLinkedObject", { query: DEAL });
    expect(answer.status).toBe(200);
    expect(answer.body.map((one: { id: string }) => one.id)).toEqual([second, first]);
    expect(answer.body[1]).toEqual({
      id: first,
      status: "document.draft",
      date_created: "2026-03-02T09:00:00.000000Z",
      template_id: TEMPLATES.oneSigner,
    });
    const older = await world.call("listDocumentsByLinkedObject", { query: { ...DEAL, order_by: "date_created" } });
    expect(older.body.map((one: { id: string }) => one.id)).toEqual([first, second]);
    const other = await world.call("listDocumentsByLinkedObject", { query: { ...DEAL, entity_id: "135" } });
    expect({ status: other.status, body: other.body }).toEqual({ status: 200, body: [] });
  });

  test("listDocumentsByLinkedObject filters by owners, and `[]` means no filter", async () => {
    const id = await aDraft(world);
    await world.call("createLinkedObject", { params: { id }, body: DEAL });
    const count = async (owner_ids: string[]) =>
      (await world.call("listDocumentsByLinkedObject", { query: { ...DEAL, owner_ids } })).body.length;
    expect(await count(["[]"])).toBe(1);
    expect(await count(["MemberNoraxxxxxxxxxxxx"])).toBe(1);
    expect(await count(["MemberSamxxxxxxxxxxxxx", "UserNoraxxxxxxxxxxxxxx"])).toBe(1);
    expect(await count(["MemberSamxxxxxxxxxxxxx"])).toBe(0);
  });
});

describe("addDsvNamedItems", () => {
  test("addDsvNamedItems answers the items with ids, and items of one page name share a page id", async () => {
    const id = await aDraft(world);
    const items = [
      { name: "First", level: 0, page_name: "one" },
      { name: "Inner", level: 1, page_name: "one" },
      { name: "Second", level: 0, page_name: "two" },
    ];
    const { status, body } = await world.call("addDsvNamedItems", { params: { document_id: id }, body: { items } });
    expect(status).toBe(200);
    const [first, inner, second] = body.results;
    expect(body).toEqual({
      count: 3,
      results: items.map((item, i) => ({ id: body.results[i].id, ...item, page_uuid: body.results[i].page_uuid })),
    });
    expect(inner.page_uuid).toBe(first.page_uuid);
    expect(second.page_uuid).not.toBe(first.page_uuid);
    const later = await world.call("addDsvNamedItems", { params: { document_id: id }, body: { items: items.slice(2) } });
    expect(later.body.results[0].page_uuid).toBe(second.page_uuid);
    expect(later.body.results[0].id).not.toBe(second.id);
  });
});

test("createLinkedObject accepts a provider name in lower case only", async () => {
  const params = { id: await aDraft(world) };
  const body = { provider: "HubSpot", entity_type: "deal", entity_id: "1" };
  expect(await world.call("createLinkedObject", { params, body })).toMatchObject({
    status: 400,
    body: { type: "request_error", detail: { provider: ["Provider name should be in lower case."] } },
  });
  expect((await world.call("createLinkedObject", { params, body: { ...body, provider: "hubspot" } })).status).toBe(201);
});
