import { describe, expect, test } from "vitest";
import { aDraft, anUploadedDocument, aSentDocument, simulate, succeed } from "../../support/stories.ts";
import { useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

const NOT_FOUND = { status: 404, body: { type: "request_error", detail: "Not found" } };
const SAM = "sam.ode@northpeak.example";

const memberId = (world: TestWorld, email: string): string => {
  const user = world.tenant.store.users.where("email", email)[0];
  return world.tenant.store.members.where("user", user?.id ?? "")[0]?.id ?? "";
};

const ownerOf = (world: TestWorld, id: string) => world.tenant.store.documents.get(id)?.owner;

describe("transferDocumentOwnership", () => {
  const call = (world: TestWorld, id: string, body: object, key?: string) =>
    world.call("transferDocumentOwnership", { params: { id }, body, ...(key === undefined ? {} : { key }) });

  test("transferDocumentOwnership makes a member the owner of the document", async () => {
    const id = await aSentDocument(world);
    const membership_id = memberId(world, SAM);
    expect((await call(world, id, { membership_id })).status).toBe(204);
    expect(ownerOf(world, id)).toBe(membership_id);
    const listed = await world.call("listDocuments", { query: { membership_id } });
    expect(listed.body.results.map((one: { id: string }) => one.id)).toEqual([id]);
  });
});

describe("transferAllDocumentsOwnership", () => {
  test("transferAllDocumentsOwnership transfers all documents of a member, except deleted ones", async () => {
    const [a, b] = [await aDraft(world), await aSentDocument(world)];
    const gone = await aDraft(world);
    await world.call("deleteDocument", { params: { id: gone } });
    await simulate(world, a, "lock");
    const from = ownerOf(world, a) as string;
    const to = memberId(world, SAM);
    const body = { from_membership_id: from, to_membership_id: to };
    expect((await world.call("transferAllDocumentsOwnership", { body })).status).toBe(204);
    expect([a, b, gone].map((id) => ownerOf(world, id))).toEqual([to, to, from]);
  });
});

describe("documentMoveToFolder", () => {
  const call = (world: TestWorld, id: string, folder_id: string, key?: string) =>
    world.call("documentMoveToFolder", { params: { id, folder_id }, ...(key === undefined ? {} : { key }) });

  test("documentMoveToFolder moves a document in any status, and listDocuments finds it in that folder", async () => {
    const folder = world.tenant.store.folders.all().find((one) => one.kind === "document")?.id as string;
    for (const id of [await anUploadedDocument(world), await aSentDocument(world)]) {
      expect((await call(world, id, folder)).status).toBe(204);
      const listed = await world.call("listDocuments", { query: { folder_uuid: folder, id } });
      expect(listed.body.results).toHaveLength(1);
    }
  });

  test("documentMoveToFolder answers 404 for unknown ids and template folders, and 423 while locked", async () => {
    const { folders } = world.tenant.store;
    const folder = folders.all().find((one) => one.kind === "document");
    if (!folder) throw new Error("no folder");
    const templates = folders.put({ ...folder, id: "templateFolder", kind: "template" });
    const id = await aDraft(world);
    expect(await call(world, id, "nothing")).toMatchObject(NOT_FOUND);
    expect(await call(world, id, templates.id)).toMatchObject(NOT_FOUND);
    expect(await call(world, "nothing", folder.id)).toMatchObject(NOT_FOUND);
    expect(await call(world, id, folder.id, "test-other")).toMatchObject(NOT_FOUND);
    await simulate(world, id, "lock");
    expect(await call(world, id, folder.id)).toMatchObject({ status: 423 });
  });
});

describe("createDocumentEditingSession", () => {
  const call = (world: TestWorld, id: string, body: object) =>
    world.call("createDocumentEditingSession", { params: { id }, body });

  test("createDocumentEditingSession opens a session, and a newer session of the same user replaces it", async () => {
    const id = await aDraft(world);
    const first = await call(world, id, { email: SAM, lifetime: 100 });
    expect(first).toMatchObject({
      status: 201,
      body: { email: SAM, expires_at: "2026-03-02T09:01:45.000000Z", document_id: id, key: first.body.token },
    });
    expect(first.body.token).toMatch(/^[0-9a-f]{40}$/);
    const second = await call(world, id, { email: SAM });
    expect(second.body.expires_at).toBe("2026-03-02T10:00:05.000000Z");
    expect(world.tenant.store.editing_sessions.get(first.body.id)?.replaced).toBe(true);
    expect(world.tenant.store.editing_sessions.get(second.body.id)?.replaced).toBe(false);
  });

  test("createDocumentEditingSession allows 250 sessions in a week, then answers 403", async () => {
    const id = await aDraft(world);
    for (let i = 0; i < 250; i++) await succeed(call(world, id, { email: SAM }));
    expect(await call(world, id, { email: SAM })).toMatchObject({ status: 403, body: { type: "permissions_error" } });
    await world.advance("7d");
    expect((await call(world, id, { email: SAM })).status).toBe(201);
  });

  test("createDocumentEditingSession refuses sent documents, wrong lifetimes, strangers and unknown ids", async () => {
    const id = await aDraft(world);
    expect(await call(world, id, { email: SAM, lifetime: 59 })).toMatchObject({
      status: 400,
      body: { type: "request_error", detail: { lifetime: ["Ensure this value is greater than or equal to 60."] } },
    });
    expect(await call(world, id, { email: SAM, lifetime: 86_401 })).toMatchObject({ status: 400 });
    expect(await call(world, id, {})).toMatchObject({ status: 400, body: { detail: { email: ["This field is required."] } } });
    expect(await call(world, id, { email: "x" })).toMatchObject({
      status: 400,
      body: { detail: { email: ["Enter a valid email address."] } },
    });
    expect(await call(world, id, { email: "stranger@elsewhere.example" })).toMatchObject({ status: 400 });
    expect(await call(world, "nothing", { email: SAM })).toMatchObject(NOT_FOUND);
    expect(await call(world, await aSentDocument(world), { email: SAM })).toMatchObject({
      status: 400,
      body: { type: "request_error" },
    });
  });
});

describe("documentESignDisclosure", () => {
  const call = (world: TestWorld, document_id: string) => world.call("documentESignDisclosure", { params: { document_id } });

  test("documentESignDisclosure shows the workspace's text, or nulls when the disclosure is off", async () => {
    const id = await aDraft(world);
    expect((await call(world, id)).body).toEqual({
      result: {
        is_enabled: true,
        company_name: "Northpeak Ltd",
        esign_disclosure_text: "<p>By signing you agree to do business with Northpeak Ltd by electronic means.</p>",
      },
    });
    const { workspaces } = world.tenant.store;
    const [workspace] = workspaces.all();
    if (!workspace) throw new Error("no workspace");
    workspaces.put({ ...workspace, settings: { ...workspace.settings, esign_disclosure: null } });
    expect(await call(world, id)).toMatchObject({
      status: 200,
      body: { result: { is_enabled: false, company_name: null, esign_disclosure_text: null } },
    });
    expect(await call(world, "nothing")).toMatchObject(NOT_FOUND);
  });
});
