import type { ApiError } from "../../../engine/core/errors.ts";
import { badRequest, notFound } from "../../../engine/core/errors.ts";
import { table } from "../../../engine/store/collection.ts";
import type { Row } from "../../../engine/store/row.ts";
import type { Words } from "../../files/block-input.ts";
import type { Lock } from "../../kit/errors.ts";
import { documentLocked, wrongStatus } from "../../kit/errors.ts";
import { list, text, view } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import type { SandboxDocument } from "../../shown-rows.ts";
import type { ApprovalStep, BlockNames, Content, ConversionState, DroppedTag, FieldInput, Payment } from "../content/row.ts";
import type { RecipientRow } from "../people/inputs.ts";
import type { Environment } from "../workspaces/row.ts";
import type { SectionInput } from "./inputs.ts";
import type { DocumentStatus } from "./status-machine.ts";
import { isAllowedIn } from "./status-machine.ts";
import { statusReason } from "./status-reason.ts";

/** Answers never show `internal`. */

export interface LinkRow extends Row {
  workspace_id: string;
  document_id: string;
  provider: string;
  entity_type: string;
  entity_id: string;
}

export const linkTables = {
  links: table<LinkRow>()({ indexes: { document: (row) => row.document_id, entity: entityKey } }),
};

export function entityKey(entity: Pick<LinkRow, "workspace_id" | "provider" | "entity_type" | "entity_id">): string {
  return JSON.stringify([entity.workspace_id, entity.provider, entity.entity_type, entity.entity_id]);
}

export type DocumentSource =
  | { kind: "template"; template_id: string; file_id: string | null }
  | {
      kind: "upload";
      file_id: string;
      parse_form_fields: boolean | null;
      use_properties: boolean;
      classic?: boolean;
      fields: Record<string, FieldInput>;
    }
  | {
      kind: "url";
      url: string;
      file_id?: string;
      parse_form_fields: boolean | null;
      use_properties: boolean;
      classic?: boolean;
      fields: Record<string, FieldInput>;
    }
  | { kind: "markdown"; file_id: string; fields_mapping: Record<string, string[]> };

export interface DocumentRow extends Content, Omit<SandboxDocument, keyof Content> {
  content_date_modified: number;
  date_status_changed: number;
  date_of_last_action: number;
  recipients: RecipientRow[];
  internal: {
    environment: Environment;
    source: DocumentSource;
    deleted_at: number | null;
    lock: Lock | null;
    silent: boolean;
    message: string | null;
    subject: string | null;
    reply_to: string | null;
    forwarding: { forwarding_allowed: boolean; forwarding_with_reassigning_allowed: boolean };
    approval: { steps: ApprovalStep[]; revision_number: number } | null;
    payment: Payment | null;
    failure: { type: string; detail: string } | null;
    notes: { text: string; by: string; at: number; file_id: string | null }[];
    pdf_ready: boolean;
    alias: string | null;
    path: DocumentStatus[];
    dropped_tags: readonly DroppedTag[];
    faults_given: number;
    polls: number;
    scheduled: { at: number; job: string } | null;
    expire_job: string | null;
    settings: { language: string; qualified_electronic_signature: boolean; expires_in: number; suggest_edits: boolean };
  };
}

export interface AuditRow extends Row {
  document_id: string;
  action: number;
  at: number;
  user: { id: string; email: string };
  reason: string | null;
}

export const auditTables = {
  audit: table<AuditRow>()({ indexes: { document: (row) => row.document_id } }),
};

export interface NamedItemRow extends Row {
  document_id: string;
  name: string;
  level: number;
  page_name: string;
  page_uuid: string;
}

/** An added section. The first section has the id of the document, and no row until it is deleted. */
export interface SectionRow extends Row {
  document_id: string;
  name: string;
  date_created: number;
  deleted: boolean;
  blocks: BlockNames;
}

export interface SectionUploadRow extends Row {
  document_id: string;
  name: string | null;
  status: "document_sections_upload.UPLOADED" | "document_sections_upload.PROCESSED" | "document_sections_upload.ERROR";
  date_created: number;
  date_modified: number;
  date_completed: number | null;
  section_ids: string[];
  merge_field_scope: "document" | "upload";
  template_id: string | null;
  file_name: string | null;
  request: Required<Pick<SectionInput, "recipients" | "tokens" | "tags" | "fields" | "pricing_tables" | "parse_form_fields">> &
    Pick<SectionInput, "content_placeholders"> & { parse_text_tags: boolean };
  conversion: ConversionState;
}

export interface DocxExportRow extends Row {
  workspace_id: string;
  document_id: string;
  status: "created" | "processing" | "done" | "error";
}

export interface DocxFileRow extends Row {
  task_id: string;
  title: string;
  blocks: Words[];
  date: number;
}

export const documentPartTables = {
  named_items: table<NamedItemRow>()({ indexes: { document: (row) => row.document_id } }),
  sections: table<SectionRow>()({ indexes: { document: (row) => row.document_id } }),
  section_uploads: table<SectionUploadRow>()({ indexes: { document: (row) => row.document_id } }),
  docx_exports: table<DocxExportRow>()({
    bound: { maxRows: 1000, isEvictable: (row) => row.status === "done" || row.status === "error" },
  }),
  docx_files: table<DocxFileRow>()({ bound: { maxRows: 1000 }, indexes: { task: (row) => row.task_id } }),
};

export const documentTable = table<DocumentRow>()({
  indexes: {
    life: documentScope,
    folder: (row) => row.folder_uuid && `${documentScope(row)}:${row.folder_uuid}`,
    owner: (row) => `${documentScope(row)}:${row.owner}`,
    link: (row) => row.recipients.flatMap((one) => [one.internal.link_token, ...one.members.map((member) => member.link_token)]),
  },
});

export function documentScope(
  row: Pick<DocumentRow, "workspace_id"> & { internal: Pick<DocumentRow["internal"], "deleted_at"> },
): string {
  return `${row.workspace_id}:${row.internal.deleted_at === null ? "live" : "deleted"}`;
}

export function findDocument(world: World, id: string): DocumentRow | undefined {
  const document = findDocumentOrDeleted(world, id);
  return document?.internal.deleted_at === null ? document : undefined;
}

export function findDocumentOrDeleted(world: World, id: string): DocumentRow | undefined {
  const document = world.store.documents.get(id);
  return world.caller.kind === "system" || document?.workspace_id === world.caller.workspace_id ? document : undefined;
}

export function requireDocument(world: World, id: string): DocumentRow {
  const document = findDocument(world, id);
  if (!document) throw unknownDocument(id);
  return document;
}

export function unknownDocument(id: string): ApiError {
  return notFound(`no document ${id} in this workspace`, { missing: "document" });
}

/** assumed: update.outside_draft. */
export function requireDraft(world: World, document: DocumentRow, purpose = "to be updated"): void {
  if (isAllowedIn(document.status, "edit")) return;
  const why = statusReason(document, "change the document", "edit");
  const detail = `Document should be in document.draft status ${purpose}`;
  throw world.decide("update.outside_draft") === 409 ? wrongStatus(document, detail, why) : badRequest(detail, { why });
}

export function requireUnlocked(world: World, document: DocumentRow): void {
  const { lock } = document.internal;
  if (!lock || lock.expires_at <= world.clock.now()) return;
  const seconds = Math.ceil((lock.expires_at - world.clock.now()) / 1000);
  throw documentLocked(lock, `user ${lock.locked_by_user_id} has the document open in the editor; the lock ends in ${seconds} s`);
}

export function linksOf(world: World, documentId: string): LinkRow[] {
  return world.store.links.where("document", documentId);
}

export const eventLinkView = view<LinkRow>()({ id: text, provider: text, entity_type: text, entity_id: text });

const childLink = view<Pick<LinkRow, "id" | "entity_type" | "entity_id">>()({ id: text, entity_type: text, entity_id: text });

/** assumed: crm_links.no_children. */
export const linkView = view<LinkRow>()({ ...eventLinkView.shape, children: [list(childLink), () => []] });
