import { describe, expect, test } from "vitest";
import { anotherWorkspace } from "../../support/people.ts";
import { CLIENT, DIRECTOR, aDraft, aSentDocument, anUploadedDocument, simulate, succeed } from "../../support/stories.ts";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

describe("adminCreateDocument", () => {
  test("adminCreateDocument creates a document in the given status, and explains a refusal", async () => {
    const made = await world.admin("POST", "/documents", { status: "document.viewed", metadata: { deal: "7" } });
    expect(made).toMatchObject({ status: 201, body: { status: "document.viewed", name: expect.any(String) } });
    const { body } = await world.call("detailsDocument", { params: { id: made.body.id } });
    expect(body).toMatchObject({ status: "document.viewed", metadata: { deal: "7" } });
    const refused = await world.admin("POST", "/documents", { template: "One signr" });
    expect(refused).toMatchObject({
      status: 400,
      body: { detail: 'there is no template "One signr"; did you mean "One signer"?' },
    });
    expect((await world.admin("POST", "/documents", { status: "document.lost" })).status).toBe(400);
    expect((await world.admin("GET", "/documents")).body.meta.total).toBe(1);
  });
});

describe("adminListDocuments", () => {
  test("adminListDocuments lists the newest first, filters by name, id and status, and hides other tenants", async () => {
    const draft = await aDraft(world, { body: { name: "Order one" } });
    const sent = await aSentDocument(world, { body: { name: "Order two" } });
    const all = (await world.admin("GET", "/documents")).body;
    expect(all.meta).toEqual({ total: 2 });
    expect(all.documents[0]).toEqual({
      id: sent,
      name: "Order two",
      status: "document.sent",
      workspace_id: expect.any(String),
      created: "2026-03-02T09:00:05.000000Z",
      modified: "2026-03-02T09:00:10.000000Z",
      deleted: false,
      locked: false,
      turn: ["Ivo Marek"],
      recipients: 1,
    });
    const ids = async (query: string) =>
      (await world.admin("GET", `/documents?${query}`)).body.documents.map((one: { id: string }) => one.id);
    expect(await ids("q=ONE")).toEqual([draft]);
    expect(await ids(`q=${sent}`)).toEqual([sent]);
    expect(await ids("status=sent")).toEqual([sent]);
    expect(await ids("status=document.draft")).toEqual([draft]);
    expect((await world.admin("GET", "/documents?colour=red")).status).toBe(400);
    expect((await world.admin("GET", "/documents", undefined, "test-other")).body.documents).toEqual([]);
    // The list covers all workspaces. No call of the service does.
    const { id } = await anotherWorkspace(world);
    const [row] = world.tenant.store.documents.all();
    if (row) world.tenant.store.documents.put({ ...row, workspace_id: id });
    expect((await world.admin("GET", "/documents")).body.meta).toEqual({ total: 2 });
  });
});

describe("adminDocument", () => {
  test("adminDocument shows the path of statuses, whose turn it is, the possible next steps and the due jobs", async () => {
    const id = await aSentDocument(world, { template: "twoSigners" });
    await simulate(world, id, "view");
    const state = (await succeed(world.admin("GET", `/documents/${id}`))).body;
    expect(state).toMatchObject({
      id,
      status: "document.viewed",
      status_code: 5,
      path: ["document.uploaded", "document.draft", "document.sent", "document.viewed"],
      turn: ["Ivo Marek"],
      recipients: [
        { email: CLIENT.email, is_turn: true, has_completed: false, viewed: "2026-03-02T09:00:05.000000Z" },
        { email: DIRECTOR.email, is_turn: false, has_completed: false, viewed: null },
      ],
      jobs: [{ kind: "expire_document", due: state.expires }],
      lock: null,
    });
    expect(state.next).toContainEqual({ trigger: "complete", to: "document.completed" });
    expect(state.next).not.toContainEqual(expect.objectContaining({ trigger: "send" }));
    expect(state.allows).toContain("sign");
    expect(state.allows).not.toContain("edit");
    expect((await world.admin("GET", "/documents/nothing")).status).toBe(404);
    expect((await world.admin("GET", `/documents/${id}`, undefined, "test-other")).status).toBe(404);
    // An act without a recipient is performed by the recipient whose turn it is.
    for (const turn of [["Tess Okafor"], []]) {
      await simulate(world, id, "sign");
      expect((await world.admin("GET", `/documents/${id}`)).body.turn).toEqual(turn);
    }
  });

  test.each([
    ["uploaded", anUploadedDocument, {}],
    ["draft", aDraft, {}],
    ["sent", aSentDocument, { template: "twoSigners" }],
    ["waiting_approval", aSentDocument, { template: "approval" }],
  ] as const)("adminDocument of a document in %s offers only acts that succeed", async (status, make, options) => {
    const id = await make(world, options);
    const { acts } = (await succeed(world.admin("GET", `/documents/${id}`))).body;
    expect(acts.length).toBeGreaterThan(0);
    await succeed(world.admin("POST", "/snapshots", { name: "before" }));
    for (const { act, recipient } of acts) {
      const options = { comment: { text: "Hello" }, forward: { to: { email: "other@client.example" } }, schedule: { at: "1d" } };
      const words = options[act as keyof typeof options];
      const body = { ...(recipient === null ? {} : { recipient }), ...words };
      const done = await world.admin("POST", `/documents/${id}/simulate/${act}`, body);
      expect.soft(done.status, `${act} in ${status}: ${JSON.stringify(done.body)}`).toBe(200);
      await succeed(world.admin("POST", "/snapshots/before/restore"));
    }
  });

  test("adminDocument offers unlock for a locked document, and no act for a deleted document", async () => {
    const id = await aDraft(world);
    await simulate(world, id, "lock");
    const locked = (await world.admin("GET", `/documents/${id}`)).body;
    expect(locked).toMatchObject({ locked: true, lock: { expires: "2026-03-02T09:05:05.000000Z" } });
    expect(locked.acts).toContainEqual({ act: "unlock", recipient: null });
    await simulate(world, id, "unlock");
    await succeed(world.call("deleteDocument", { params: { id } }));
    expect((await world.admin("GET", `/documents/${id}`)).body).toMatchObject({ deleted: true, acts: [] });
  });
});
