/** Proves the specification's rules about the whole API. */
import { describe, expect, test } from "vitest";
import { groups, operations } from "../../../src/service/api/index.ts";
import { parseRoute } from "../../../src/engine/core/operation.ts";
import { anotherWorkspace, asMember, INES, NOT_FOUND, PERMISSION, SAM } from "../../support/people.ts";
import { aDraft, anUploadedDocument, simulate, succeed } from "../../support/stories.ts";
import { KEY, testWorld, type TestWorld } from "../../support/world.ts";
import { UNSERVED } from "../../../src/service/api/unserved.ts";

/** The groups that the specification lists, under their names in the service's OpenAPI description. */
const GROUPS = [
  "OAuth 2.0 Authentication",
  "Documents",
  "Document Reminders",
  "Document Link to CRM",
  "Document Attachments",
  "Document Fields",
  "Document Audit Trail",
  "Document Settings",
  "Document Recipients",
  "Document Sections (Bundles)",
  "Document Structure View",
  "Content Library Items",
  "Templates",
  "Template Settings",
  "Forms",
  "Folders",
  "API Logs",
  "Contacts",
  "Members",
  "Webhook subscriptions",
  "Webhook events",
  "Notary",
  // Version 8.20.0 of the description adds this group.
  "Privacy Settings",
  "Product catalog",
  "Quotes",
  "User and Workspace management",
  "Communication Preferences",
];

describe("the API", () => {
  test("every group of the specification is served or listed as unserved", () => {
    const tags = new Set([...groups.map((one) => one.name), ...UNSERVED.map((one) => one.tag)]);
    expect([...tags].map((one) => one.toLowerCase()).sort()).toEqual(GROUPS.map((one) => one.toLowerCase()).sort());
  });

  test("bodies are JSON, except the token endpoint's form and multipart uploads", async () => {
    for (const one of operations.filter(({ body }) => body !== undefined)) {
      const upload = parseRoute(one.route).variant?.startsWith("upload");
      const kind = one.id === "accessToken" ? "urlencoded" : upload ? "multipart" : "json";
      expect([one.id, one.bodyKind ?? "json"]).toEqual([one.id, kind]);
    }
    const world = await testWorld();
    for (const key of [KEY, "unknown"])
      expect((await world.call("listDocuments", { key })).headers.get("content-type")).toBe("application/json");
  });

  test("the token endpoint is under /oauth2, and every other operation is under /public", async () => {
    const world = await testWorld();
    const routes = operations.map((one) => parseRoute(one.route).path);
    expect(routes.filter((path) => !/^\/public\/(v1|v2|beta)\//.test(path))).toEqual(["/oauth2/access_token"]);
    expect((await world.request("GET", "/public/v1/documents")).status).toBe(200);
    for (const path of ["/documents", "/v1/documents", "/public/documents"])
      expect([path, (await world.request("GET", path)).status]).toEqual([path, 404]);
  });
});

describe("refusals", () => {
  test("listDocuments and createDocument answer 400 with a type and a detail, which can also be a string", async () => {
    const world = await testWorld();
    const fields = await world.call("listDocuments", { query: { count: 0 } });
    expect([fields.status, fields.body]).toEqual([
      400,
      { type: "request_error", detail: { count: ["Ensure this value is greater than or equal to 1."] } },
    ]);
    const text = await world.call("statusDocumentAutoReminder", { params: { document_id: await aDraft(world) } });
    expect([text.status, text.body]).toEqual([400, { type: "request_error", detail: expect.any(String) }]);
    const created = await world.call("createDocument", { body: { template_uuid: "nothing", recipients: [] } });
    expect([created.status, created.body]).toEqual([400, { type: "validation_error", detail: "Template is not available." }]);
  });

  test("statusDocument answers 404 for unknown or deleted documents, and no operation finds another workspace's documents", async () => {
    const world = await testWorld();
    const { key } = await anotherWorkspace(world);
    const [id, gone] = [await aDraft(world), await aDraft(world)];
    await succeed(world.call("deleteDocument", { params: { id: gone } }));
    const before = world.tenant.store.snapshot();
    for (const [params, who] of [
      [{ id: "nothing" }, {}],
      [{ id: gone }, {}],
      [{ id }, { key }],
      [{ id }, { key: "test-other" }],
    ] as const)
      for (const answer of [
        await world.call("statusDocument", { params, ...who }),
        await world.call("detailsDocument", { params, ...who }),
        await world.call("updateDocument", { params, body: { name: "Other" }, ...who }),
        await world.call("sendDocument", { params, body: {}, ...who }),
      ])
        expect([answer.status, answer.body]).toEqual([404, NOT_FOUND]);
    const deletion = await world.call("bulkDeleteDocuments", { body: [{ id }], key });
    expect([deletion.status, deletion.body]).toEqual([404, NOT_FOUND]);
    expect((await world.call("deleteDocument", { params: { id }, key })).status).toBe(404);
    expect(world.tenant.store.snapshot()).toEqual(before);
    expect((await world.call("listDocuments", { key })).body).toEqual({ results: [] });
  });

  test("deleteDocument and bulkDeleteDocuments work only for the owner, managers and admins", async () => {
    const world = await testWorld();
    const [ines, sam] = [await asMember(world, INES.member), await asMember(world, SAM.member)];
    const [theirs, his, hers] = [await aDraft(world), await aDraft(world), await aDraft(world)];
    const own = await aDraft(world, { body: { owner: { membership_id: INES.member } } });
    const refused = await world.call("deleteDocument", { params: { id: theirs }, ...ines });
    expect([refused.status, refused.body]).toEqual([403, PERMISSION]);
    const some = await world.call("bulkDeleteDocuments", { body: [{ id: own }, { id: theirs }], ...ines });
    expect([some.status, some.body]).toEqual([403, PERMISSION]);
    const done = await world.call("bulkDeleteDocuments", { body: [{ id: own }, { id: own }], ...ines });
    expect([done.status, done.body]).toEqual([200, { id: [own] }]);
    expect((await world.call("deleteDocument", { params: { id: his }, ...sam })).status).toBe(204);
    expect((await world.call("deleteDocument", { params: { id: hers } })).status).toBe(204);
    expect((await world.call("listDocuments")).body.results.map((one: { id: string }) => one.id)).toEqual([theirs]);
  });

  test("bulkDeleteDocuments answers the deleted ids, and deletes nothing if one document is unknown or forbidden", async () => {
    const world = await testWorld();
    const [first, second, third] = [await aDraft(world), await aDraft(world), await aDraft(world)];
    const call = (ids: unknown[], who: object = {}) =>
      world.call("bulkDeleteDocuments", { body: ids.map((id) => ({ id })), ...who });
    const before = world.tenant.store.snapshot();
    expect((await call([first, "nothing"])).status).toBe(404);
    expect((await call([first], { key: "test-other" })).status).toBe(404);
    expect((await world.call("bulkDeleteDocuments", { body: [first] })).status).toBe(400);
    expect(world.tenant.store.snapshot()).toEqual(before);
    const plainMember = await asMember(world, INES.member);
    const refused = await call([first, second], plainMember);
    expect([refused.status, refused.body.type]).toEqual([403, "permissions_error"]);
    const done = await call([first, second]);
    expect([done.status, done.body]).toEqual([200, { id: [first, second] }]);
    // A deleted document cannot be deleted again, so the whole request is refused.
    expect((await call([third, first])).status).toBe(403);
    const { body } = await world.call("listDocuments");
    expect(body.results.map((one: { id: string }) => one.id)).toEqual([third]);
  });
});

describe("access", () => {
  test("accessToken issues a working bearer token, and a refresh does not widen its scope", async () => {
    const world = await testWorld();
    const { body } = await succeed(world.admin("POST", "/oauth/codes", { client_id: "docdouble-client", scope: "read" }));
    const first = await token(world, { grant_type: "authorization_code", code: body.code });
    const second = await token(world, { grant_type: "refresh_token", refresh_token: first.refresh_token, scope: "read+write" });
    const headers = { authorization: `Bearer ${second.access_token}` };
    expect((await world.request("GET", "/public/v1/documents", { key: null, headers })).status).toBe(200);
    expect((await world.request("POST", "/public/v1/contacts", { key: null, headers, body: {} })).status).toBe(403);
  });

  test("detailsDocument and changeDocumentStatus answer 409 in statuses that forbid them", async () => {
    const world = await testWorld();
    const id = await anUploadedDocument(world);
    const details = async () => (await world.call("detailsDocument", { params: { id } })).status;
    expect(await details()).toBe(409);
    await world.advance("5s");
    expect(await details()).toBe(200);
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    await simulate(world, id, "sign");
    const answer = await world.call("changeDocumentStatus", { params: { id }, body: { status: 11 } });
    expect([answer.status, answer.body]).toEqual([
      409,
      { id, status: "document.completed", info_message: expect.stringContaining("document.completed") },
    ]);
  });
});

async function token(world: TestWorld, fields: Record<string, string>) {
  const form = new URLSearchParams({ client_id: "docdouble-client", client_secret: "docdouble-secret", ...fields });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return (await succeed(world.call("accessToken", { key: null, body: form.toString(), headers }))).body;
}
