/**
 * Reaches every declared error status of every operation as users do, without rules. No call may get an undeclared status.
 * `reached-statuses.json` lists the reached statuses. `npx vitest run test/service/openapi/statuses.test.ts -u` updates it.
 */
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type OperationId, operations } from "../../../src/service/api/index.ts";
import { errorsOf, parseRoute } from "../../../src/engine/core/operation.ts";
import { bearer, NORA, WORKSPACE } from "../../support/people.ts";
import { type Json, STRANGER, sample } from "../../support/sample.ts";
import {
  aCompletedDocument,
  aDraft,
  anUploadedDocument,
  aSentDocument,
  CLIENT,
  simulate,
  succeed,
  TEMPLATES,
} from "../../support/stories.ts";
import { type Answer, type CallOptions, type TestWorld, testWorld, toAnswer } from "../../support/world.ts";
import { within } from "../../support/patience.ts";

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

/** Calls for the statuses that the ordinary causes do not reach. */
const OWN_WAYS: Record<string, Record<number, (world: TestWorld) => Promise<Answer>>> = {
  transferAllDocumentsOwnership: {
    404: (world) =>
      world.call("transferAllDocumentsOwnership", { body: { from_membership_id: STRANGER, to_membership_id: STRANGER } }),
  },
  getDocumentAutoReminderSettings: {
    400: async (world) =>
      world.call("getDocumentAutoReminderSettings", { params: { document_id: await aCompletedDocument(world) } }),
  },
  statusDocumentAutoReminder: {
    400: async (world) => world.call("statusDocumentAutoReminder", { params: { document_id: await aDraft(world) } }),
  },
  uploadSection: {
    423: async (world) => {
      const document_id = await aDraft(world);
      await simulate(world, document_id, "lock");
      return world.call("uploadSection", {
        params: { document_id },
        body: { name: "Annex", template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] },
      });
    },
  },
  sectionInfo: {
    409: async (world) => {
      const document_id = await anUploadedDocument(world);
      return world.call("sectionInfo", { params: { document_id, section_id: document_id } });
    },
  },
  deleteNotarizationRequest: {
    400: async (world) => {
      const invitees = [{ email: CLIENT.email, first_name: CLIENT.first_name, last_name: CLIENT.last_name }];
      const body = { document_id: await aDraft(world), invitation: { invitees } };
      const { body: made } = await succeed(world.call("createNotarizationRequest", { body }));
      await succeed(world.admin("POST", `/notary/${made.id}/simulate/cancel`, {}));
      return world.call("deleteNotarizationRequest", { params: { session_request_id: made.id } });
    },
  },
  quoteUpdate: {
    409: async (world) => {
      const document_id = await aSentDocument(world, { template: "quote" });
      const { body } = await world.call("detailsDocument", { params: { id: document_id } });
      return world.call("quoteUpdate", { params: { document_id, quote_id: body.pricing.quotes[0].id }, body: {} });
    },
  },
  createExportDocxTask: {
    400: async (world) => {
      const document_id = await aDraft(world);
      const row = world.tenant.store.documents.get(document_id);
      if (row) world.tenant.store.documents.put({ ...row, pages: Array.from({ length: 301 }, () => ({ width: 1, height: 1 })) });
      return world.call("createExportDocxTask", { params: { document_id } });
    },
  },
  deleteCatalogItem: {
    400: (world) => world.call("deleteCatalogItem", { params: { item_uuid: "c0ffee00-0000-4000-8000-000000000001" } }),
  },
  deleteDocumentRecipient: {
    400: async (world) => {
      const id = await aSentDocument(world);
      const recipient_id = world.tenant.store.documents.get(id)?.recipients[0]?.id ?? "";
      return world.call("deleteDocumentRecipient", { params: { id, recipient_id } });
    },
  },
  deleteSection: {
    400: async (world) => {
      const document_id = await aDraft(world);
      return world.call("deleteSection", { params: { document_id, section_id: document_id } });
    },
  },
  getWorkspacePrivacySettings: {
    400: (world) => world.call("getWorkspacePrivacySettings", { params: { workspace_id: "short" } }),
    404: (world) => world.call("getWorkspacePrivacySettings", { params: { workspace_id: "x".repeat(22) } }),
  },
  updateWorkspacePrivacySettings: {
    404: (world) => world.call("updateWorkspacePrivacySettings", { params: { workspace_id: "x".repeat(22) }, body: {} }),
  },
  removeMember: {
    400: (world) => world.call("removeMember", { params: { workspace_id: WORKSPACE, member_id: NORA.member } }),
  },
};

/** Bodies of operations that refuse the smallest body of their schema. */
const BODIES: Record<string, unknown> = {
  createDocumentLink: { recipient: CLIENT.email },
  uploadSection: { template_uuid: "nothing", recipients: [] },
};

const QUERIES: Record<string, string> = {
  getDocumentSummary: "type=short",
  getDocumentContent: "format=markdown",
};

interface Sent extends Pick<CallOptions, "key" | "headers"> {
  params?: string;
  query?: string;
  body?: NonNullable<RequestInit["body"]>;
  type?: string;
}

async function send(world: TestWorld, one: Operation, sent: Sent = {}): Promise<Answer> {
  const { method, path, variant } = parseRoute(one.route);
  const { key = "docdouble-key", headers = {}, params = STRANGER, query, body, type } = sent;
  const text = [variant, query ?? QUERIES[one.id]].filter(Boolean).join("&");
  const filled = path.replace(/\{(?:id|document_id)\}/, params).replace(/\{\w+\}/g, STRANGER);
  const response = await world.sandbox.fetch(filled + (text ? `?${text}` : ""), {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `API-Key ${key}` }),
      ...(type === undefined ? {} : { "content-type": type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  expect(response.headers.get("x-docdouble-rule")).toBeNull();
  return toAnswer(response);
}

/** The smallest valid body of the operation. */
function least(one: Operation): Pick<Sent, "body" | "type"> {
  if (!one.body) return {};
  const schema = z.toJSONSchema(one.body() as z.ZodType, { io: "input", unrepresentable: "any" }) as Json;
  const body = BODIES[one.id] ?? sample(schema);
  if (one.bodyKind === "urlencoded") return { body: new URLSearchParams(body as Record<string, string>) };
  if (one.bodyKind !== "multipart") return { body: JSON.stringify(body), type: "application/json" };
  const form = new FormData();
  form.append("file", new Blob(["%PDF-1.7"], { type: "application/pdf" }), "file.pdf");
  for (const [name, part] of Object.entries(body as object)) if (name !== "file") form.append(name, JSON.stringify(part));
  return { body: form };
}

async function tokenOf(world: TestWorld, scope: string) {
  const { body } = await succeed(world.admin("POST", "/oauth/codes", { client_id: "docdouble-client", scope }));
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: "docdouble-client",
    client_secret: "docdouble-secret",
    code: body.code,
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return bearer((await succeed(world.call("accessToken", { key: null, body: form.toString(), headers }))).body.access_token);
}

/** Queries to try: an empty query, an unknown parameter, and an invalid value of each parameter. */
function wrongQueries(one: Operation): string[] {
  if (!one.query) return [];
  const schema = z.toJSONSchema(one.query() as z.ZodType, { io: "input", unrepresentable: "any" }) as Json;
  return ["", "any=%00", ...Object.keys(schema.properties ?? {}).map((name) => `${name}=~`)];
}

type Cause = (world: TestWorld) => Promise<(one: Operation) => Promise<Answer[]>>;

/** The ordinary cause of each status: calls, of which one must get the status. */
const CAUSES: Record<number, Cause> = {
  400: async (world) => async (one) => {
    const answers: Answer[] = [];
    const form = "multipart/form-data; boundary=x";
    const type = one.bodyKind === "multipart" ? form : "application/json";
    if (one.bodyKind === "urlencoded") answers.push(await send(world, one, { body: new URLSearchParams({ grant_type: "x" }) }));
    else if (one.body) answers.push(await send(world, one, { body: "[", type }));
    for (const query of wrongQueries(one)) answers.push(await send(world, one, { query }));
    return answers;
  },
  401: async (world) => async (one) => [await send(world, one, { key: null })],
  403: async (world) => {
    const [reads, writes] = [await tokenOf(world, "read"), await tokenOf(world, "write")];
    return async (one) => [
      await send(world, one, { ...least(one), ...reads }),
      await send(world, one, { ...least(one), ...writes }),
    ];
  },
  404: async (world) => async (one) => [await send(world, one, least(one))],
  409: async (world) => {
    const ids = [
      await aSentDocument(world),
      await aDraft(world),
      await aCompletedDocument(world),
      await anUploadedDocument(world),
    ];
    return async (one) => {
      const answers: Answer[] = [];
      const snapshot = world.tenant.snapshot();
      for (const params of ids) {
        const answer = await send(world, one, { ...least(one), params });
        answers.push(answer);
        if (answer.status < 400) world.tenant.restore(snapshot);
      }
      return answers;
    };
  },
  413: async (world) => async (one) => {
    if (one.route.startsWith("GET ")) return [];
    const headers = { "content-length": String(100 * 1024 * 1024 + 1) };
    return [await send(world, one, { headers, body: "x", type: "application/json" })];
  },
  423: async (world) => {
    const ids = [await aDraft(world), await aSentDocument(world)];
    for (const id of ids) await simulate(world, id, "lock", { expires_in: "1h" });
    return async (one) => {
      const answers: Answer[] = [];
      for (const params of ids) answers.push(await send(world, one, { ...least(one), params }));
      return answers;
    };
  },
  429: async (world) => async (one) => {
    const answers: Answer[] = [];
    for (let i = 0; i < 11; i++) answers.push(await send(world, one));
    return answers;
  },
};

/** What a rule answers where no call reaches the status. */
const INJECTED: Readonly<Record<number, string>> = { 400: "invalid", 404: "not_found", 409: "conflict" };

/** Source: the official description. No rule has these bodies. */
const STATED: Readonly<Record<string, Record<number, unknown>>> = {
  searchDocumentsAi: { 500: { code: "internal" }, 504: { code: "timeout" } },
};

/** Refusals in the served description. `WRITE_EXAMPLES=1 npx vitest run test/service/openapi/statuses.test.ts` writes all. */
async function writeExamples(examples: Record<string, Record<string, unknown>>): Promise<void> {
  const world = await testWorld({ assume: { "rate_limit.profile": "none" } });
  for (const one of operations)
    for (const status of errorsOf(one).filter((each) => examples[one.id]?.[each] === undefined && INJECTED[each] !== undefined)) {
      const rule = { name: "status", when: { operation: one.id }, then: { error: INJECTED[status], undeclared: true } };
      await succeed(world.admin("POST", "/rules", rule));
      const params = Object.fromEntries([...one.route.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, STRANGER]));
      const answer = await world.call(one.id as OperationId, { params });
      await succeed(world.admin("DELETE", "/rules"));
      if (answer.status === status) examples[one.id] = { ...examples[one.id], [status]: answer.body };
    }
  const lines = operations.map(({ id }) => ` "${id}": ${JSON.stringify({ ...examples[id], ...STATED[id] })}`);
  writeFileSync("fixtures/refusal-examples.json", `{\n${lines.join(",\n")}\n}\n`);
}

const DECLARED = [...new Set(operations.flatMap(errorsOf))].sort((a, b) => a - b);

describe("declared error statuses", () => {
  test("each declared status is reached by a call or has a reason in UNREACHED, and no call gets an undeclared status", {
    timeout: within(240_000),
  }, async () => {
    const reached: Record<string, number[]> = Object.fromEntries(operations.map(({ id }) => [id, []]));
    const undeclared = new Set<string>();
    const examples: Record<string, Record<string, unknown>> = {};
    for (const status of DECLARED) {
      const world = await testWorld({ assume: { "rate_limit.profile": status === 429 ? "sandbox" : "none" } });
      const cause = await CAUSES[status]?.(world);
      const snapshot = world.tenant.snapshot();
      for (const one of operations) {
        const own = OWN_WAYS[one.id]?.[status];
        const answers = own ? [await own(world)] : ((await cause?.(one)) ?? []);
        const declared = errorsOf(one);
        for (const answer of answers)
          if (answer.status >= 400 && !declared.includes(answer.status)) undeclared.add(`${one.id} ${answer.status}`);
        const found = declared.includes(status) ? answers.find((answer) => answer.status === status) : undefined;
        if (found) {
          expect(found.headers.get("x-docdouble-why"), `${one.id} ${status}`).toMatch(/\w/);
          reached[one.id]?.push(status);
          examples[one.id] = { ...examples[one.id], [status]: found.body };
        }
        // A refused call changes nothing except the counters of the rate limit, as other tests prove.
        if (own || status === 429 || answers.some((answer) => answer.status < 400)) world.tenant.restore(snapshot);
      }
    }
    expect([...undeclared], "declare these in furtherErrors").toEqual([]);
    const missing = operations.flatMap((one) =>
      errorsOf(one)
        .filter((status) => !reached[one.id]?.includes(status) && !UNREACHED[one.id]?.[status])
        .map((status) => `${one.id} ${status}`),
    );
    expect(missing, "give these a way in OWN_WAYS, or a reason in UNREACHED").toEqual([]);
    const idle = Object.entries(UNREACHED).flatMap(([id, reasons]) =>
      Object.keys(reasons)
        .filter((status) => reached[id]?.includes(Number(status)))
        .map((status) => `${id} ${status}`),
    );
    expect(idle, "are listed as unreached and are reached").toEqual([]);
    if (process.env.WRITE_EXAMPLES) await writeExamples(examples);
    const lines = Object.entries(reached).map(([id, statuses]) => `  "${id}": [${statuses.join(", ")}]`);
    await expect(`{\n${lines.join(",\n")}\n}\n`).toMatchFileSnapshot("reached-statuses.json");
  });
});
