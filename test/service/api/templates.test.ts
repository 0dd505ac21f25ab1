import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { faultsByName } from "../../support/faults.ts";
import { aBrokenPdf, aPdf, eventsOf, FORBIDDEN, NOT_FOUND, subscribe } from "../../support/content.ts";
import { CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const EVENTS = ["template_created", "template_updated", "template_deleted"];

const statusOf = async (world: TestWorld, id: string) =>
  (await succeed(world.call("statusTemplate", { params: { id } }))).body.status;
const detailsOf = async (world: TestWorld, id: string) => (await succeed(world.call("detailsTemplate", { params: { id } }))).body;

/** Starts a local server that answers every request in the same way. Returns the URL of a PDF there. */
async function aServer(status: number, bytes: Uint8Array): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(bytes));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/files/Terms.pdf`;
}

describe("createTemplate", () => {
  test("createTemplate shows content_date_modified when the query requests it", async () => {
    const answer = await world.call("createTemplate", { query: { fields: "content_date_modified" }, body: { name: "x" } });
    expect(answer).toMatchObject({ status: 201, body: { content_date_modified: "2026-03-02T09:00:00.000000Z" } });
  });

  test("createTemplate fetches pages from a URL, and a failed download ends in template.ERROR without an event", async () => {
    await subscribe(world, EVENTS);
    const file = new Uint8Array(await (await aPdf(2)).arrayBuffer());
    const good = await succeed(world.call("createTemplate", { body: { name: "By URL", url: await aServer(200, file) } }));
    const bad = await succeed(world.call("createTemplate", { body: { name: "Gone", url: await aServer(404, file) } }));
    await world.advance("5s");
    expect(await statusOf(world, good.body.id)).toBe("template.PROCESSED");
    expect(world.tenant.store.templates.get(good.body.id)?.pages).toHaveLength(2);
    expect(await statusOf(world, bad.body.id)).toBe("template.ERROR");
    expect(world.tenant.store.templates.get(bad.body.id)?.internal.conversion.failure).toMatchObject({
      type: "source",
      detail: expect.stringContaining("(status code: 404)"),
    });
    expect((await eventsOf(world, "template_created")).map((one) => one.id)).toEqual([good.body.id]);
  });
});

describe("createTemplateWithUpload", () => {
  test("createTemplateWithUpload makes a template that, once processed, gives its pages and file to documents", async () => {
    const file = await aPdf(3);
    const { body } = await succeed(
      world.call("createTemplateWithUpload", { parts: { file, data: { name: "Uploaded", metadata: { a: "b" } } } }),
    );
    const early = await world.call("createDocument", { body: { template_uuid: body.id, recipients: [{ email: CLIENT.email }] } });
    expect(early).toMatchObject({ status: 400, body: { detail: { template_uuid: ["Template is not processed yet."] } } });
    await world.advance("5s");
    const document = await succeed(
      world.call("createDocument", { body: { template_uuid: body.id, recipients: [{ email: CLIENT.email }] } }),
    );
    await world.advance("5s");
    const row = world.tenant.store.documents.get(document.body.id);
    expect(row).toMatchObject({ status: "document.draft", name: "Uploaded" });
    expect(row?.pages).toEqual(Array.from({ length: 3 }, () => ({ width: 300, height: 400, text: "" })));
    const source = row?.internal.source;
    if (source?.kind !== "template") throw new Error("made from a template");
    const kept = world.tenant.store.files.get(source.file_id ?? "");
    expect(Buffer.from(kept?.base64 ?? "", "base64")).toEqual(Buffer.from(await file.arrayBuffer()));
  });

  test("createTemplateWithUpload names the template after its file, and ends in template.ERROR for a broken PDF", async () => {
    const { body } = await succeed(world.call("createTemplateWithUpload", { parts: { file: aBrokenPdf() } }));
    expect(body.name).toBe("Broken");
    await world.advance("5s");
    expect(await statusOf(world, body.id)).toBe("template.ERROR");
    for (const [id, options] of [
      ["updateTemplate", { body: {} }],
      ["createTemplateEditingSession", { body: { email: "nora.lind@northpeak.example" } }],
      ["duplicateTemplate", {}],
    ] as const)
      expect(await world.call(id, { params: { id: body.id }, ...options })).toMatchObject({
        status: 400,
        body: { type: "request_error", detail: expect.stringContaining("template.PROCESSED") },
      });
  });

  test("createTemplateWithUpload follows the configured progression of template.processing", async () => {
    await succeed(world.admin("POST", "/transitions", { model: "template.processing", progression: "polls", times: 2 }));
    const { body } = await succeed(world.call("createTemplateWithUpload", { parts: { file: await aPdf() } }));
    await world.advance("1h");
    expect(await statusOf(world, body.id)).toBe("template.UPLOADED");
    expect(await statusOf(world, body.id)).toBe("template.UPLOADED");
    await world.advance("1ms");
    expect(await statusOf(world, body.id)).toBe("template.PROCESSED");
    await succeed(world.admin("POST", "/transitions", { model: "template.processing", progression: "fail", detail: "no" }));
    const failed = await succeed(world.call("createTemplate", { body: {} }));
    await world.advance("5s");
    expect(await statusOf(world, failed.body.id)).toBe("template.ERROR");
  });
});

describe("duplicateTemplate", () => {
  test("duplicateTemplate copies all content, with new ids", async () => {
    await subscribe(world, EVENTS);
    const answer = await world.call("duplicateTemplate", { params: { id: TEMPLATES.everyField } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: answer.body.id,
      name: "Copy of Every kind of field",
      date_created: "2026-03-02T09:00:00.000000Z",
      date_modified: "2026-03-02T09:00:00.000000Z",
      meta: { source_template_id: TEMPLATES.everyField },
    });
    const source = await detailsOf(world, TEMPLATES.everyField);
    const copy = await detailsOf(world, answer.body.id);
    expect(copy.fields.map((field: { name: string }) => field.name)).toEqual(
      source.fields.map((field: { name: string }) => field.name),
    );
    expect(copy.fields[0].uuid).not.toBe(source.fields[0].uuid);
    expect(copy.fields[0].assigned_to).toMatchObject({ id: copy.roles[0].id, name: "Signer" });
    expect(copy.roles[0].id).not.toBe(source.roles[0].id);
    expect(copy.content_placeholders[0]).toMatchObject({ block_id: "placeholder1" });
    expect(await statusOf(world, answer.body.id)).toBe("template.PROCESSED");
    expect(await eventsOf(world, "template_created")).toMatchObject([{ id: answer.body.id }]);
  });
});

describe("deleteTemplate", () => {
  test("deleteTemplate answers 204, then 403, and only the list of deleted templates shows the template", async () => {
    await subscribe(world, EVENTS);
    const params = { id: TEMPLATES.oneSigner };
    expect((await world.call("deleteTemplate", { params })).status).toBe(204);
    expect(await world.call("deleteTemplate", { params })).toMatchObject(FORBIDDEN);
    expect(await world.call("detailsTemplate", { params })).toMatchObject(NOT_FOUND);
    expect(await world.call("deleteTemplate", { params: { id: "nothing" } })).toMatchObject(NOT_FOUND);
    const listed = await world.call("listTemplates", { query: { deleted: true } });
    expect(listed.body.results.map((one: { id: string }) => one.id)).toEqual([TEMPLATES.oneSigner]);
    expect(await eventsOf(world, "template_deleted")).toMatchObject([{ id: TEMPLATES.oneSigner, name: "One signer" }]);
  });
});

describe("updateTemplate", () => {
  test("updateTemplate replaces the roles, changes roles with known ids, and updates the assignments of fields", async () => {
    await subscribe(world, EVENTS);
    const params = { id: TEMPLATES.twoSigners };
    const [client] = (await detailsOf(world, TEMPLATES.twoSigners)).roles;
    await world.advance("1m");
    const roles = [
      { id: client.id, name: "Buyer", signing_order: 2 },
      { name: "Manager", signing_order: 1 },
    ];
    expect((await world.call("updateTemplate", { params, body: { roles } })).status).toBe(204);
    const details = await detailsOf(world, TEMPLATES.twoSigners);
    expect(details.roles).toMatchObject([
      { id: client.id, name: "Buyer", signing_order: "2" },
      { name: "Manager", signing_order: "1" },
    ]);
    const assigned = Object.fromEntries(
      details.fields.map((field: { name: string; assigned_to: { name: string } }) => [field.name, field.assigned_to.name]),
    );
    expect(assigned).toEqual({ ClientName: "Buyer", ClientDate: "Buyer", ClientSignature: "Buyer", DirectorSignature: "" });
    // New roles change `date_modified`. New content changes `content_date_modified`. An empty update changes neither.
    expect(details).toMatchObject({
      date_modified: "2026-03-02T09:01:00.000000Z",
      content_date_modified: "2026-03-02T09:00:00.000000Z",
    });
    await world.advance("1m");
    expect((await world.call("updateTemplate", { params, body: {} })).status).toBe(204);
    expect((await detailsOf(world, TEMPLATES.twoSigners)).date_modified).toBe("2026-03-02T09:01:00.000000Z");
    expect(await eventsOf(world, "template_updated")).toMatchObject([{ id: TEMPLATES.twoSigners }]);
    await succeed(world.call("updateTemplate", { params, body: { tokens: [{ name: "Deal.Name", value: "North" }] } }));
    expect((await detailsOf(world, TEMPLATES.twoSigners)).content_date_modified).toBe("2026-03-02T09:02:00.000000Z");
  });

  test("updateTemplate sets and adds custom variables, and ignores variables that the service fills", async () => {
    const tokens = [
      { name: "Deal.Name", value: "North" },
      { name: "Favorite.Pet", value: "Panda" },
      { name: "Client.FirstName", value: "Ivo" },
      { name: "Document.Value", value: "1" },
    ];
    await succeed(world.call("updateTemplate", { params: { id: TEMPLATES.twoSigners }, body: { tokens } }));
    const builtIn = ["Client.FirstName", "Client.LastName", "Sender.FirstName", "Sender.LastName", "Document.CreatedDate"];
    expect((await detailsOf(world, TEMPLATES.twoSigners)).tokens).toEqual([
      { name: "Client.Company", value: "" },
      ...builtIn.map((name) => ({ name, value: "" })),
      { name: "Deal.Name", value: "North" },
      { name: "Favorite.Pet", value: "Panda" },
    ]);
  });

  test.each([
    [[{ id: "nothing", name: "A" }], { "roles[0].id": ["Role not found."] }],
    [[{ name: "A" }, { name: "A" }], { "roles[1].name": ["Role name should be unique within the template."] }],
    [
      [
        { name: "A", signing_order: 1 },
        { name: "B", signing_order: 3 },
      ],
      { roles: ["Signing order should be a contiguous sequence starting from 1 on every role, or null on every role."] },
    ],
    [
      [{ name: "A", signing_order: 1 }, { name: "B" }],
      { roles: ["Signing order should be a contiguous sequence starting from 1 on every role, or null on every role."] },
    ],
  ])("updateTemplate refuses the roles %j", async (roles, detail) => {
    const before = world.tenant.store.snapshot();
    const answer = await world.call("updateTemplate", { params: { id: TEMPLATES.twoSigners }, body: { roles } });
    expect([answer.status, answer.body.type]).toEqual([400, "request_error"]);
    expect(faultsByName(answer.body.detail)).toEqual(detail);
    expect(world.tenant.store.snapshot()).toEqual(before);
  });
});

describe("createTemplateEditingSession", () => {
  const params = { id: TEMPLATES.oneSigner };
  const email = "nora.lind@northpeak.example";

  test("createTemplateEditingSession answers the token, and replaces an earlier session of the same user", async () => {
    const first = await world.call("createTemplateEditingSession", { params, body: { email, lifetime: 60 } });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: first.body.id,
      email,
      expires_at: "2026-03-02T09:01:00.000000Z",
      key: first.body.token,
      token: expect.stringMatching(/^[0-9a-f]{40}$/),
      template_id: TEMPLATES.oneSigner,
    });
    const sam = await succeed(
      world.call("createTemplateEditingSession", { params, body: { email: "sam.ode@northpeak.example" } }),
    );
    const second = await succeed(world.call("createTemplateEditingSession", { params, body: { email } }));
    expect(second.body.expires_at).toBe("2026-03-02T10:00:00.000000Z");
    const open = world.tenant.store.editing_sessions.all().filter((row) => !row.replaced);
    expect(open.map((row) => row.id).sort()).toEqual([sam.body.id, second.body.id].sort());
    await succeed(world.call("deleteTemplate", { params }));
    expect(world.tenant.store.editing_sessions.size).toBe(0);
  });
});
