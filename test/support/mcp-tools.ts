/** One call of each tool of the vendor's MCP server, with its operation and its result. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import { aPdf } from "./pdf-texts.ts";
import { aCompletedDocument, aDraft, anUploadedDocument, aSentDocument, CLIENT, succeed, TEMPLATES } from "./stories.ts";
import type { TestWorld } from "./world.ts";

type World = TestWorld & { url: string };

export const fromTemplate = (more: object = {}) => ({
  request: { source: "template", template_uuid: TEMPLATES.oneSigner, name: "Deal", recipients: [CLIENT], ...more },
});

/** Serves a file, and ends with the test. Returns its address. */
export async function aFileServer(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const server = createServer((_, response) => response.setHeader("content-type", "application/pdf").end(bytes));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/offer.pdf`;
}

async function aContact(world: TestWorld, email = "cleo@client.example"): Promise<string> {
  return (await succeed(world.call("createContact", { body: { email, first_name: "Cleo", last_name: "Ng" } }))).body.id;
}

export interface ToolCase {
  operation: string;
  /** Sets the world up with calls of the public API. */
  input(world: World): Promise<Record<string, unknown>> | Record<string, unknown>;
  expected: unknown;
}

const ANY = expect.anything();
const LISTED = {
  id: ANY,
  name: "Service agreement",
  status: "Draft",
  date_created: ANY,
  date_modified: ANY,
  date_completed: null,
  expiration_date: null,
  version: "2",
  document_url: ANY,
};
const { version: _, ...FOUND } = LISTED;
const CREATED = {
  id: ANY,
  name: "Deal",
  status: "Uploaded",
  date_created: ANY,
  date_modified: ANY,
  version: null,
  uuid: ANY,
  links: [{ rel: "status", href: ANY, type: "GET" }],
  info_message: ANY,
  document_url: ANY,
};

export const CASES: Record<string, ToolCase> = {
  templates_list: {
    operation: "listTemplates",
    input: () => ({ count: 1 }),
    expected: { results: [expect.objectContaining({ id: ANY, name: ANY })] },
  },
  templates_details_get: {
    operation: "detailsTemplate",
    input: () => ({ template_id: TEMPLATES.oneSigner }),
    expected: expect.objectContaining({ id: TEMPLATES.oneSigner, roles: [ANY], fields: ANY, tokens: ANY, pricing: ANY }),
  },
  templates_create: {
    operation: "createTemplate",
    input: async () => ({ url: await aFileServer(await aPdf(["Offer"])), name: "Deal" }),
    expected: expect.objectContaining({ id: ANY, name: "Deal" }),
  },
  documents_list: {
    operation: "listDocuments",
    input: async (world) => {
      await aDraft(world);
      return { status: "Draft", count: 100, page: 1 };
    },
    expected: { results: [LISTED] },
  },
  documents_search: {
    operation: "searchDocumentsAi",
    input: async (world) => {
      await aDraft(world);
      return { query: "agreement", status: ["Draft", "Sent"] };
    },
    expected: { total: 1, has_next_page: false, scope: "full", results: [FOUND] },
  },
  documents_details_get: {
    operation: "detailsDocument",
    input: async (world) => ({ document_id: await aDraft(world) }),
    expected: expect.objectContaining({
      status: "Draft",
      recipients: [ANY],
      fields: ANY,
      pricing: {},
      approval_execution: null,
      grand_total: ANY,
    }),
  },
  documents_status_get: {
    operation: "statusDocument",
    input: async (world) => ({ document_id: await anUploadedDocument(world) }),
    expected: { id: ANY, status: "Uploaded" },
  },
  documents_content_get: {
    operation: "getDocumentContent",
    input: async (world) => ({ document_id: await aDraft(world), content_format: "plaintext" }),
    expected: { format: "plaintext", content: ANY },
  },
  documents_summary_get: {
    operation: "getDocumentSummary",
    input: async (world) => ({ document_id: await aDraft(world), summary_type: "headline" }),
    expected: { type: "headline", summary: "Service agreement" },
  },
  documents_metadata_get: {
    operation: "getDocumentAiMetadata",
    input: async (world) => ({ document_id: await aDraft(world) }),
    expected: { code: "not_started", description: "Likely, your document is not yet completed." },
  },
  documents_metadata_batch_get: {
    operation: "batchGetDocumentAiMetadata",
    input: async (world) => {
      const done = await aCompletedDocument(world);
      await world.advance("10s");
      return { document_ids: [await aDraft(world), done] };
    },
    expected: {
      count: 2,
      results: [
        expect.objectContaining({ document_id: ANY, code: "not_started" }),
        { document_id: ANY, status: "ok", ai_metadata: { count: ANY, results: ANY } },
      ],
    },
  },
  documents_audit_trail_get: {
    operation: "listDocumentAuditTrail",
    input: async (world) => ({ document_id: await aDraft(world) }),
    expected: { count: ANY, results: ANY },
  },
  documents_create: { operation: "createDocument", input: () => fromTemplate(), expected: CREATED },
  documents_update: {
    operation: "updateDocument",
    input: async (world) => ({ document_id: await aDraft(world), name: "New name", tags: null }),
    expected: { updated: true },
  },
  documents_fields_assign: {
    operation: "updateDocumentFieldsAssignment",
    input: async (world) => {
      const document_id = await aDraft(world);
      const { fields } = (await world.call("detailsDocument", { params: { id: document_id } })).body;
      return { document_id, assignments: [{ field_id: fields[0].uuid, recipient_id: null }] };
    },
    expected: { document_id: ANY, assigned: 1 },
  },
  documents_send: {
    operation: "sendDocument",
    input: async (world) => ({ document_id: await aDraft(world), subject: "Please sign", silent: true }),
    expected: expect.objectContaining({ status: "Sent", recipients: [expect.not.objectContaining({ has_completed: ANY })] }),
  },
  documents_status_change: {
    operation: "changeDocumentStatus",
    input: async (world) => ({ document_id: await aSentDocument(world), status: "Expired", note: "too late" }),
    expected: { document_id: ANY, status: "Expired" },
  },
  documents_archive: {
    operation: "deleteDocument",
    input: async (world) => ({ document_id: await aDraft(world) }),
    expected: { archived: true, document_id: ANY, forever: false },
  },
  recipients_add_cc: {
    operation: "addDocumentRecipient",
    input: async (world) => ({ document_id: await aSentDocument(world), contact_id: await aContact(world) }),
    expected: { document_id: ANY, recipient_id: ANY },
  },
  recipients_edit: {
    operation: "editDocumentRecipient",
    input: async (world) => {
      const document_id = await aDraft(world);
      const { recipients } = (await world.call("detailsDocument", { params: { id: document_id } })).body;
      return { document_id, recipient_id: recipients[0].id, first_name: "Ivan" };
    },
    expected: { document_id: ANY, recipient_id: ANY },
  },
  recipients_reassign: {
    operation: "reassignDocumentRecipient",
    input: async (world) => {
      const document_id = await aSentDocument(world);
      const { recipients } = (await world.call("detailsDocument", { params: { id: document_id } })).body;
      return { document_id, recipient_id: recipients[0].id, new_contact_id: await aContact(world), kind: "contact" };
    },
    expected: { document_id: ANY, recipient_id: ANY },
  },
  recipients_delete: {
    operation: "deleteDocumentRecipient",
    input: async (world) => {
      const document_id = await aDraft(world);
      const { recipients } = (await world.call("detailsDocument", { params: { id: document_id } })).body;
      return { document_id, recipient_id: recipients[0].id };
    },
    expected: { document_id: ANY, recipient_id: ANY, deleted: true },
  },
};
