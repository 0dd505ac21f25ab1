import * as z from "zod";
import { notFound, tooLarge } from "../../engine/core/errors.ts";
import { uploadedFile } from "../../engine/core/inputs.ts";
import type { UploadedFile } from "../../engine/core/operation.ts";
import { binary, group, lazy } from "../../engine/core/operation.ts";
import { table } from "../../engine/store/collection.ts";
import type { Row } from "../../engine/store/row.ts";
import { wrongStatus } from "../kit/errors.ts";
import { ok, operation } from "../kit/operation.ts";
import { always, maybe, micros, text, view } from "../kit/view.ts";
import type { World } from "../kit/world.ts";
import { GIVEN_UP, keepFile } from "./content/file-content.ts";
import { contentDisposition } from "./documents/downloads.ts";
import { requireDocument, requireUnlocked } from "./documents/row.ts";
import { requireAllowed } from "./documents/transitions.ts";
import { personOf, userView } from "./members/members.ts";

export interface AttachmentRow extends Row {
  document_id: string;
  name: string;
  created_by: string;
  date_created: number;
  file_id: string | null;
  source: string | null;
  failure: string | null;
}

export const attachmentTables = {
  attachments: table<AttachmentRow>()({ indexes: { document: (row) => row.document_id } }),
};

export const attachmentRequest = lazy(() =>
  z.object({ source: z.url({ protocol: /^https?$/ }), name: z.string().max(255).optional() }),
);

/** The official client sends both as multipart. */
export const attachmentUploadRequest = lazy(() =>
  z
    .object({ ...attachmentRequest().partial().shape, file: uploadedFile().optional() })
    .refine(({ file, source }) => file !== undefined || source !== undefined, {
      path: ["file"],
      error: "No file was submitted.",
    }),
);

const MIB = 1024 * 1024;
/** Source: the service's text of a 413. */
const BYTES_MAX = 50 * MIB;

const FETCH_MS = 1000;

/** Source: no status of the document is declared to refuse it. */
export function attachFile(
  world: World,
  id: string,
  from: UploadedFile | { source: string },
  name: string | undefined,
): AttachmentRow {
  // assumed: attachments.any_status.
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  const isFile = "bytes" in from;
  if (isFile && from.bytes.length > BYTES_MAX)
    throw tooLarge(`Attached file is too big. Maximum file size is ${BYTES_MAX / MIB} MB`);
  const row = world.store.attachments.put({
    id: world.ids.uuid(),
    document_id: document.id,
    name: name || (isFile ? from.name : lastSegment(from.source)),
    created_by: world.caller.membership_id,
    date_created: world.clock.now(),
    file_id: isFile ? keepFile(world, from) : null,
    source: isFile ? null : from.source,
    failure: null,
  });
  // assumed: attachments.fetch_duration.
  if (!isFile) world.jobs.schedule("fetch_attachment", FETCH_MS, { id: row.id });
  return row;
}

/** assumed: attachments.default_name. */
function lastSegment(url: string): string {
  const segment = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(segment) || "attachment";
  } catch {
    return segment;
  }
}

export function fetchAttachment(
  world: World,
  id: string,
  fetchFile: (url: string) => Promise<Uint8Array>,
): undefined | Promise<() => void> {
  const source = world.store.attachments.get(id)?.source;
  if (!source) return undefined;
  const update = (change: (row: AttachmentRow) => AttachmentRow) => () => {
    const row = world.store.attachments.get(id);
    if (row) world.store.attachments.put(change(row));
  };
  return fetchFile(source).then(
    (bytes) => update((row) => ({ ...row, file_id: keepFile(world, { name: row.name, type: typeOf(source), bytes }) })),
    (error: unknown) =>
      update((row) => ({ ...row, failure: error instanceof Error ? error.message || error.name : String(error) })),
  );
}

export function giveUpAttachment(world: World, id: string): void {
  const row = world.store.attachments.get(id);
  if (row) world.store.attachments.put({ ...row, failure: GIVEN_UP });
}

const TYPES: Readonly<Record<string, string>> = { pdf: "application/pdf", zip: "application/zip", json: "application/json" };

function typeOf(url: string): string {
  return TYPES[/\.(\w+)$/.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? ""] ?? "application/octet-stream";
}

export function listAttachments(world: World, id: string): AttachmentRow[] {
  const document = requireDocument(world, id);
  requireAllowed(document, "details");
  return world.store.attachments.where("document", document.id);
}

export function requireAttachment(world: World, id: string, attachmentId: string): AttachmentRow {
  const row = listAttachments(world, id).find((one) => one.id === attachmentId);
  if (!row) throw notFound(`document ${id} has no attachment ${attachmentId}`);
  return row;
}

export function removeAttachment(world: World, id: string, attachmentId: string): void {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  const row = world.store.attachments.get(attachmentId);
  if (row?.document_id !== document.id) throw notFound(`document ${id} has no attachment ${attachmentId}`);
  if (row.file_id !== null) world.store.files.delete(row.file_id);
  world.store.attachments.delete(row.id);
}

/** Returns the bytes. assumed: attachments.download_status. */
export function attachmentFile(world: World, id: string, attachmentId: string): UploadedFile {
  const row = requireAttachment(world, id, attachmentId);
  const file = row.file_id === null ? undefined : world.store.files.get(row.file_id);
  if (file) {
    // The description declares only application/*.
    const type = file.type.startsWith("application/") ? file.type : "application/octet-stream";
    return { name: row.name, type, bytes: Buffer.from(file.base64, "base64") };
  }
  if (row.failure !== null) throw notFound(`${row.source} could not be fetched: ${row.failure}`);
  const document = requireDocument(world, id);
  throw wrongStatus(document, "The attachment is not ready yet", `${row.source} is still being fetched`);
}

const attachment = view<AttachmentRow, World>()({
  uuid: [text, (row) => row.id],
  date_created: micros,
  created_by: [userView, (row, world) => personOf(world, row.created_by)],
  name: [maybe(text), (row) => row.name],
  type: always("general"),
});

const attachments = lazy(() => z.array(attachment()));

export const attachmentsGroup = group("Document Attachments", [
  operation({
    id: "listDocumentAttachments",
    route: "GET /public/v1/documents/{id}/attachments",
    responses: { 200: attachments },
    errors: [401, 404, 409, 429],
    handle: ({ params }, world) => ok(listAttachments(world, params.id).map((row) => attachment.of(row, world))),
  }),
  operation({
    id: "createDocumentAttachment",
    route: "POST /public/v1/documents/{id}/attachments",
    body: attachmentRequest,
    responses: { 200: attachment },
    errors: [400, 401, 404, 423, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) =>
      ok(attachment.of(attachFile(world, params.id, { source: body.source }, body.name), world)),
  }),
  operation({
    id: "createDocumentAttachmentFromFileUpload",
    route: "POST /public/v1/documents/{id}/attachments?upload",
    body: attachmentUploadRequest,
    bodyKind: "multipart",
    responses: { 200: attachment },
    errors: [400, 401, 404, 423, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) =>
      ok(attachment.of(attachFile(world, params.id, body.file ?? { source: body.source ?? "" }, body.name), world)),
  }),
  operation({
    id: "detailsDocumentAttachment",
    route: "GET /public/v1/documents/{id}/attachments/{attachment_id}",
    responses: { 200: attachment },
    errors: [401, 404, 409, 429],
    handle: ({ params }, world) => ok(attachment.of(requireAttachment(world, params.id, params.attachment_id), world)),
  }),
  operation({
    id: "deleteDocumentAttachment",
    route: "DELETE /public/v1/documents/{id}/attachments/{attachment_id}",
    responses: { 204: null },
    errors: [401, 404, 423, 429],
    handle: ({ params }, world) => removeAttachment(world, params.id, params.attachment_id),
  }),
  operation({
    id: "downloadDocumentAttachment",
    route: "GET /public/v1/documents/{id}/attachments/{attachment_id}/download",
    responses: { 200: binary("application/*") },
    errors: [401, 404, 409, 429],
    handle: ({ params }, world) => {
      const { name, type, bytes } = attachmentFile(world, params.id, params.attachment_id);
      return { status: 200, bytes, media: type, headers: { "content-disposition": contentDisposition(name) } };
    },
  }),
]);
