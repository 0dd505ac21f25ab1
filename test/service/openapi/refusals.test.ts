/**
 * The law of refusals: each operation refuses a call for each cause in the words of its dialect, says why, and writes nothing. The causes
 * reach every declared error status, or UNREACHED says why not. No call gets an undeclared status.
 */
import { expect, test } from "vitest";
import { buildApp } from "../../../src/engine/http/app.ts";
import { errorsOf } from "../../../src/engine/core/operation.ts";
import { definitionOf, innermost } from "../../../src/engine/core/schema-parts.ts";
import { hostOf } from "../../../src/library/sandbox.ts";
import { surfaces } from "../../../src/library/surfaces.ts";
import type { OperationId } from "../../../src/service/nouns/index.ts";
import { operations } from "../../../src/service/nouns/index.ts";
import { dialectOf } from "../../../src/service/kit/world.ts";
import { service } from "../../../src/service/service.ts";
import { aTokenOf, anotherWorkspace, asMember, bearer, NORA, PERMISSION, SAM, WORKSPACE } from "../../support/people.ts";
import { fieldsOf, partsOf } from "../../support/request-fields.ts";
import { expectRecorded } from "../../support/recorded.ts";
import { STRANGER } from "../../support/sample.ts";
import { aCompletedDocument, aDraft, anUploadedDocument, simulate, succeed } from "../../support/stories.ts";
import { VALID_CALLS } from "../../support/valid-calls.ts";
import { wrongInQuery } from "../../support/wrong-values.ts";
import { type Answer, type CallOptions, KEY, type TestWorld, useWorld, watched } from "../../support/world.ts";

type Operation = (typeof operations)[number];

const NO_INPUT = "The operation has no input except the path. An unknown id of any form is a 404.";
const NO_QUERY = "No parameter of the operation can be wrong. Unknown parameters are ignored.";
/** Declared statuses that no call reaches, and why. */
const UNREACHED: Record<string, Record<number, string>> = {
  searchDocumentsAi: {
    500: "The search of docdouble never fails. A rule can inject the status.",
    504: "The search of docdouble never times out. A rule can inject the status.",
  },
  listDocumentsByLinkedObject: {
    404: "An object without linked documents has an empty list.",
    409: "The operation names no document, so no status can be wrong.",
  },
  createDocument: { 404: "Only a reading of create.unknown_template answers it. The tests of switches show it." },
  listSections: { 400: NO_INPUT },
  sectionDetails: {
    409: "Only drafts accept uploads. So a document that is still processed has no upload, and the answer is 404.",
  },
  deleteTemplate: { 400: NO_INPUT },
  detailsLogV2: { 400: NO_INPUT },
  detailsContact: { 400: NO_INPUT },
  deleteContact: { 400: NO_INPUT },
  detailsMember: { 400: NO_INPUT },
  detailsCurrentMember: { 400: NO_QUERY },
  listMembers: { 400: NO_QUERY },
  createUser: { 404: "An unknown workspace is a wrong field of the body: 400, with the name of the field." },
  createWorkspace: { 404: "A new workspace refers to nothing that could be missing." },
};

/** Calls for the statuses that the causes do not reach. */
const OWN_WAYS: Record<string, Record<number, (world: TestWorld, valid: CallOptions) => Promise<CallOptions>>> = {
  bulkDeleteDocuments: { 404: async () => ({ body: [{ id: STRANGER }] }) },
  sectionInfo: {
    409: async (world) => {
      const document_id = await anUploadedDocument(world);
      return { params: { document_id, section_id: document_id } };
    },
  },
  transferAllDocumentsOwnership: {
    404: async () => ({ body: { from_membership_id: STRANGER, to_membership_id: STRANGER } }),
  },
  getDocumentAutoReminderSettings: { 400: async (world) => ({ params: { document_id: await aCompletedDocument(world) } }) },
  statusDocumentAutoReminder: { 400: async (world) => ({ params: { document_id: await aDraft(world) } }) },
  deleteNotarizationRequest: {
    400: async (world, valid) => {
      await succeed(world.admin("POST", `/notary/${valid.params?.session_request_id}/simulate/cancel`, {}));
      return valid;
    },
  },
  createExportDocxTask: {
    400: async (world, valid) => {
      const row = world.tenant.store.documents.get(valid.params?.document_id ?? "");
      if (row) world.tenant.store.documents.put({ ...row, pages: Array.from({ length: 301 }, () => ({ width: 1, height: 1 })) });
      return valid;
    },
  },
  deleteCatalogItem: { 400: async () => ({ params: { item_uuid: "c0ffee00-0000-4000-8000-000000000001" } }) },
  deleteDocumentRecipient: {
    400: async (world, valid) => {
      await succeed(world.call("sendDocument", { params: { id: valid.params?.id ?? "" }, body: { silent: true } }));
      return valid;
    },
  },
  deleteSection: {
    400: async (world) => {
      const document_id = await aDraft(world);
      return { params: { document_id, section_id: document_id } };
    },
  },
  quoteUpdate: {
    409: async (world, valid) => {
      const id = valid.params?.document_id ?? "";
      await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
      return valid;
    },
  },
  removeMember: { 400: async () => ({ params: { workspace_id: WORKSPACE, member_id: NORA.member } }) },
};

/** Operations about users and workspaces of the whole organization, which each workspace may name. */
const OF_ORGANIZATION: readonly string[] = [
  "updateWorkspace",
  "deactivateWorkspace",
  "detailsUser",
  "addMember",
  "removeMember",
  "changeMemberRole",
  "createApiKey",
  "getWorkspacePrivacySettings",
  "updateWorkspacePrivacySettings",
];

/** The official description gives the form of these ids. An id of another form is a 400, and an unknown one a 404. */
const CHECKED_IDS: readonly string[] = ["getWorkspacePrivacySettings", "updateWorkspacePrivacySettings"];

/** Values of a path parameter that no object has. */
const STRANGE_IDS = ["__proto__", "constructor", "\u0000", "a/b", "💩", "x".repeat(3000)];

/** The body of a refusal in the dialect of the operation. */
function words(one: Operation, v1: string, v2: string, detail: unknown): unknown {
  const dialect = dialectOf(one);
  if (dialect === "v2") return { code: v2, details: expect.any(Array) };
  return dialect === "oauth" ? { error: expect.any(String) } : { type: v1, detail };
}

const badRequest = (one: Operation, detail: unknown) => words(one, "request_error", "bad_request", detail);

/** Words of a 404 that differ from the usual words in the official description. */
const OWN_NOT_FOUND: Record<string, unknown> = {
  getDocumentSummary: { error: { code: "document_not_found", message: "The document was not found." } },
  getDocumentContent: { error: { code: "document_not_found", message: "The document was not found." } },
  removeMember: { type: "request_error", detail: "This member or workspace does not exist." },
};

const notFound = (one: Operation) => OWN_NOT_FOUND[one.id] ?? words(one, "request_error", "not_found", "Not found");

const idsIn = (one: Operation) => [...one.route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
const withIds = (one: Operation, call: CallOptions, id: string) => ({
  ...call,
  params: Object.fromEntries(idsIn(one).map((name) => [name, id])),
});

function withBody({ parts: _, ...call }: CallOptions, body: unknown, type: string, headers: Record<string, string> = {}) {
  return { ...call, body, headers: { "content-type": type, ...headers } };
}

const isSecured = (one: Operation) => one.security !== "none";
/** Whether the scope `read` is enough. Downloads need both scopes. */
const isRead = ({ id, route }: Operation) =>
  id === "batchGetDocumentAiMetadata" || (route.startsWith("GET ") && !/^download(Protected)?Document$/.test(id));
const hasIds = (one: Operation) => idsIn(one).length > 0;
const hasJson = (one: Operation) => one.body !== undefined && one.bodyKind === undefined;
const declares = (status: number) => (one: Operation) =>
  errorsOf(one).includes(status) && UNREACHED[one.id]?.[status] === undefined && OWN_WAYS[one.id]?.[status] === undefined;
const isList = (one: Operation) => definitionOf(innermost(one.body?.() as never))?.type === "array";
const documentName = (call: CallOptions) => (call.params?.id === undefined ? "document_id" : "id");
const documentOf = (call: CallOptions) => call.params?.[documentName(call)] ?? "";

const JSON_TYPE = "application/json";
const FORM_TYPE = "multipart/form-data; boundary=x";
const PROCESSED = expect.stringMatching(/^Warning - Document status document\.uploaded doesn’t mean/);

interface Cause {
  status: number;
  when?(one: Operation): boolean;
  /** Wrong calls, made from a valid call. */
  calls(call: CallOptions, world: TestWorld, one: Operation): CallOptions[] | Promise<CallOptions[]>;
  body?(one: Operation, call: CallOptions): unknown;
  why?(one: Operation): RegExp;
}

const CAUSES: Record<string, Cause> = {
  "no key": {
    status: 401,
    when: isSecured,
    calls: (call) => [{ ...call, key: null }],
    body: (one) => words(one, "authentication_error", "unauthorized", "Authentication credentials were not provided."),
  },
  "an unknown key": {
    status: 401,
    when: isSecured,
    calls: (call) => [
      { ...call, key: "nobodys-key" },
      { ...call, ...bearer("nobodys-token") },
    ],
    body: (one) => words(one, "authentication_error", "unauthorized", "Invalid key."),
  },
  "a token without the scope": {
    status: 403,
    when: isSecured,
    calls: async (call, world, one) => [{ ...call, ...bearer(await aTokenOf(world, isRead(one) ? "write" : "read")) }],
    body: (one) => words(one, PERMISSION.type, "forbidden", PERMISSION.detail),
  },
  "an unknown id": {
    status: 404,
    when: hasIds,
    calls: (call, _, one) => [withIds(one, call, CHECKED_IDS.includes(one.id) ? "x".repeat(22) : STRANGER)],
    body: notFound,
  },
  "a strange id": {
    status: 404,
    when: (one) => hasIds(one) && !CHECKED_IDS.includes(one.id),
    calls: (call, _, one) => STRANGE_IDS.map((id) => withIds(one, call, id)),
    body: notFound,
  },
  "an id of a wrong form": {
    status: 400,
    when: (one) => CHECKED_IDS.includes(one.id),
    calls: (call, _, one) => STRANGE_IDS.map((id) => withIds(one, call, id)),
    body: () => ({ code: "bad_request", details: [expect.objectContaining({ pointer: "/workspace_id" })] }),
  },
  "an id of another workspace": {
    status: 404,
    when: (one) => hasIds(one) && !OF_ORGANIZATION.includes(one.id),
    calls: async (call, world) => [{ ...call, key: (await anotherWorkspace(world)).key }],
    body: notFound,
  },
  "a part of another document": {
    status: 404,
    when: ({ id, route }) => /\/documents\/\{\w+\}.+\{/.test(route) && id !== "documentMoveToFolder",
    calls: async (call, world) => [{ ...call, params: { ...call.params, [documentName(call)]: await aDraft(world) } }],
    body: notFound,
  },
  "a wrong query": {
    status: 400,
    when: (one) => one.query !== undefined,
    calls: (call, _, one) => {
      const fields = partsOf(one).flatMap(([part, schema]) => (part === "query" ? fieldsOf(schema) : []));
      const wrong = fields.flatMap((field) => {
        const [name] = field.path;
        if (name === undefined || field.path.length > 1) return [];
        const { [name]: _, ...others } = call.query ?? {};
        return [...wrongInQuery(field).map((to) => ({ ...others, [name]: to })), ...(field.required ? [others] : [])];
      });
      return wrong.slice(0, 1).map((query) => ({ ...call, query }));
    },
  },
  "a NUL in the query": {
    status: 400,
    when: (one) => one.query !== undefined,
    calls: (call) => [{ ...call, query: { ...call.query, any: "\u0000" } }],
  },
  "a body that is not JSON": {
    status: 400,
    when: hasJson,
    calls: (call) => ["{", "{'a': 1}", "\u0000", "undefined"].map((body) => withBody(call, body, JSON_TYPE)),
    body: (one) => badRequest(one, expect.stringMatching(/^JSON parse error - /)),
  },
  "JSON of a wrong kind": {
    status: 400,
    when: hasJson,
    calls: (call) => ["null", '"text"', "true", "[7]", "[null]"].map((body) => withBody(call, body, JSON_TYPE)),
  },
  "a body of the wrong form": {
    status: 400,
    when: hasJson,
    calls: (call, _, one) => [isList(one) ? "{}" : "[]", '["x"]', "7"].map((body) => withBody(call, body, JSON_TYPE)),
    why: (one) => (isList(one) ? /send \[.+\]/ : /send \{.*\}/),
  },
  "an unsupported content type": {
    status: 400,
    when: (one) => one.body !== undefined,
    calls: (call) => ["text/plain", "application/xml"].map((type) => withBody(call, '{"a":1}', type)),
    body: (one) => badRequest(one, expect.stringMatching(/^Unsupported media type "\w+\/\w+" in request\.$/)),
  },
  "an unreadable form": {
    status: 400,
    when: (one) => one.bodyKind === "multipart",
    calls: (call) => ["multipart/form-data", FORM_TYPE].map((type) => withBody(call, "--y\r\nnothing", type)),
    body: (one) => badRequest(one, expect.anything()),
  },
  "an unknown grant": {
    status: 400,
    when: (one) => one.bodyKind === "urlencoded",
    calls: (call) => [withBody(call, "grant_type=x", "application/x-www-form-urlencoded")],
    body: (one) => badRequest(one, ""),
  },
  "a body over the limit": {
    status: 413,
    when: (one) => !one.route.startsWith("GET "),
    calls: (call, _, one) => {
      const isForm = one.bodyKind === "multipart";
      const size = (isForm ? 100 : 2) * 1024 * 1024 + 1;
      const announced = withBody(call, "x", isForm ? FORM_TYPE : JSON_TYPE, { "content-length": String(size) });
      return [announced, ...(isForm || !one.body ? [] : [withBody(call, " ".repeat(size), JSON_TYPE)])];
    },
    body: (one) => words(one, "request_error", "payload_too_large", expect.any(String)),
  },
  "a throttling rule": {
    status: 429,
    when: isSecured,
    calls: async (call, world, one) => {
      const then = { error: "throttled", retry_after: "7s", undeclared: true };
      await succeed(world.admin("POST", "/rules", { name: "throttle", when: { operation: one.id }, then }));
      return [call];
    },
    body: (one) => words(one, "throttled", "too_many_requests", "Request was throttled. Expected available in 7 seconds."),
  },
  "a document in processing": {
    status: 409,
    when: declares(409),
    calls: async (call, world) => [
      { ...call, params: { ...call.params, [documentName(call)]: await anUploadedDocument(world) } },
    ],
    body: (one, call) => {
      if (one.id === "getDocumentAiMetadata") return { code: "not_started", description: expect.any(String) };
      const isReminder = one.id === "createManualReminder";
      const info_message = isReminder ? "Can't send reminder. Document is not in SENT or VIEWED statuses" : PROCESSED;
      return { id: documentOf(call), status: "document.uploaded", info_message };
    },
    why: () => /the document is in document\.uploaded\. Allowed in: .+ To get there, wait until it is processed/,
  },
  "a locked document": {
    status: 423,
    when: declares(423),
    calls: async (call, world) => {
      await simulate(world, documentOf(call), "lock");
      return [call];
    },
    body: (one) =>
      dialectOf(one) === "v2"
        ? { code: "document_locked", details: [] }
        : {
            type: "document_locked",
            detail: "Document is locked for editing",
            locked_by_user_id: NORA.user,
            lock_type: "wopi_editing",
            expires_at: expect.stringMatching(/^2026-03-02T09:05:/),
          },
    why: () => new RegExp(`^user ${NORA.user} has the document open in the editor; the lock ends in 300 s$`),
  },
};

const world = useWorld();
const examples: Record<string, Record<string, unknown>> = {};

test.each(operations.map((one) => [one.id as OperationId, one] as const))(
  "%s is refused for each cause in its own words, says why, and writes nothing",
  async (id, one) => {
    const valid = await VALID_CALLS[id](world);
    const ready = world.tenant.snapshot();
    const declared = errorsOf(one);
    const reached = new Set<number>();
    const check = async (name: string, call: CallOptions, { status, body, why }: Omit<Cause, "calls">) => {
      const { answer, wrote } = await watched(world, () => world.call(id, call));
      expect.soft({ name, status: answer.status, body: answer.body, why: answer.headers.get("x-docdouble-why"), wrote }).toEqual({
        name,
        status,
        body: body?.(one, call) ?? expect.anything(),
        why: expect.stringMatching(why?.(one) ?? /\w/),
        wrote: false,
      });
      if (status === 429) expect.soft(answer.headers.get("retry-after")).toBe("7");
      expect.soft(declared, name).toContain(answer.status);
      reached.add(answer.status);
      examples[id] = { [answer.status]: answer.body, ...examples[id] };
    };
    for (const [name, cause] of Object.entries(CAUSES)) {
      if (cause.when?.(one) === false) continue;
      for (const call of await cause.calls(valid, world, one)) await check(name, call, cause);
      world.tenant.restore(ready);
    }
    for (const [status, way] of Object.entries(OWN_WAYS[id] ?? {})) {
      await check("its own way", await way(world, valid), { status: Number(status) });
      world.tenant.restore(ready);
    }
    const unreached = Object.keys(UNREACHED[id] ?? {}).map(Number);
    expect([...reached, ...unreached].sort((a, b) => a - b)).toEqual(declared);
  },
);

/** What a rule answers where no call reaches the status. */
const INJECTED: Readonly<Record<number, string>> = { 400: "invalid", 404: "not_found", 409: "conflict" };

/** Source: the official description. No rule has these bodies. */
const STATED: Readonly<Record<string, Record<number, unknown>>> = {
  searchDocumentsAi: { 500: { code: "internal" }, 504: { code: "timeout" } },
};

/** Refusals in the served description. Those that no call reaches come from a rule. */
test("the recorded refusals are what the service answers", async () => {
  for (const one of operations)
    for (const status of errorsOf(one).filter((each) => examples[one.id]?.[each] === undefined && INJECTED[each] !== undefined)) {
      const then = { error: INJECTED[status], undeclared: true };
      await succeed(world.admin("POST", "/rules", { name: "status", when: { operation: one.id }, then }));
      const answer = await world.call(one.id as OperationId, withIds(one, {}, STRANGER));
      await succeed(world.admin("DELETE", "/rules"));
      if (answer.status === status) examples[one.id] = { ...examples[one.id], [status]: answer.body };
    }
  const recorded = operations.map(({ id }) => [id, { ...examples[id], ...STATED[id] }]);
  expectRecorded("fixtures/refusal-examples.json", Object.fromEntries(recorded));
});

/** The operations that only administrators of the organization may call, those that an administrator of the workspace may call too, and so on. */
const ORGANIZATION_ADMINS: readonly OperationId[] = [
  "addMember",
  "createApiKey",
  "createMemberToken",
  "createUser",
  "createWorkspace",
  "deactivateWorkspace",
  "detailsUser",
  "getWorkspacePrivacySettings",
  "listUsers",
  "updateTemplateSharingSettings",
  "updateWorkspace",
  "updateWorkspacePrivacySettings",
];
const ADMINS: readonly OperationId[] = ["changeMemberRole", "listDocumentAuditTrail", "removeMember"];
/** Of documents and templates of other members. */
const OWNERS: readonly OperationId[] = [
  "addDocumentRecipient",
  "bulkDeleteDocuments",
  "deleteDocument",
  "deleteDocumentRecipient",
  "duplicateTemplate",
  "editDocumentRecipient",
  "getTemplateShares",
  "reassignDocumentRecipient",
  "transferAllDocumentsOwnership",
  "transferDocumentOwnership",
  "updateDocument",
  "updateDocumentFieldsAssignment",
];

test.each([
  ["Admin", ORGANIZATION_ADMINS],
  ["Manager", [...ORGANIZATION_ADMINS, ...ADMINS]],
  ["Member", [...ORGANIZATION_ADMINS, ...ADMINS, ...OWNERS]],
])("without the permission, a caller with the role %s gets a 403 in the words of the operation", async (role, refused) => {
  await succeed(world.call("changeMemberRole", { params: { workspace_id: WORKSPACE, member_id: SAM.member }, body: { role } }));
  const who = await asMember(world, SAM.member);
  const ready = world.tenant.snapshot();
  const found: string[] = [];
  for (const one of operations.filter(isSecured)) {
    const id = one.id as OperationId;
    const call = { ...(await VALID_CALLS[id](world)), ...who };
    const { answer, wrote } = await watched(world, () => world.call(id, call));
    world.tenant.restore(ready);
    if (answer.status !== 403) continue;
    found.push(id);
    expect.soft([id, answer.body, wrote]).toEqual([id, words(one, PERMISSION.type, "forbidden", PERMISSION.detail), false]);
  }
  expect(found.sort()).toEqual([...refused].sort());
});

test("the form of a member stands in the refusal too", async () => {
  const why = async (id: OperationId, body: unknown) => (await world.call(id, { body })).headers.get("x-docdouble-why");
  expect(await why("createDocument", { name: "A", recipients: {} })).toContain("recipients is [{");
  expect(await why("bulkDeleteDocuments", { ids: ["x"] })).toContain('send [{"id": "text"}]');
  expect(await why("bulkDeleteDocuments", ["x"])).toContain('send [{"id": "text"}]');
});

test("each operation refuses a call without a body, or client lint reports it", async () => {
  const seeded = world.tenant.snapshot();
  for (const one of operations.filter(hasJson)) {
    const id = one.id as OperationId;
    const { body: _, ...options } = await VALID_CALLS[id](world);
    const answer: Answer = await world.call(id, options);
    const found = world.sandbox.lint().filter(({ kind, place }) => kind === "missing_body" && place.operation === id);
    expect.soft([id, found.length]).toEqual([id, answer.status < 300 && one.bodyOptional !== true ? 1 : 0]);
    world.tenant.restore(seeded);
  }
});

test.each(["/public/v1/documents/{id}/holograms", "/public/v2/holograms"])(
  "an unserved operation at POST %s answers 501 with its id in the body, the reason and the journal",
  async (path) => {
    const app = buildApp(service, surfaces, [{ id: "createHologram", route: `POST ${path}` }]);
    const request = new Request(`http://docdouble.local${path}`, {
      method: "POST",
      headers: { authorization: `API-Key ${KEY}` },
    });
    const response = await app.fetch(request, { host: hostOf(world.sandbox) });
    expect(response.status).toBe(501);
    expect(JSON.stringify(await response.json())).toContain('"createHologram"');
    expect(response.headers.get("x-docdouble-why")).toContain("createHologram");
    expect(world.tenant.journal.all().at(-1)).toMatchObject({ operationId: "createHologram", status: 501 });
  },
);
