import { iso } from "../../../engine/core/clock.ts";
import { notFound, tooLarge } from "../../../engine/core/errors.ts";
import { wrongStatus } from "../../model/refusals.ts";
import type { UploadedFile } from "../../../engine/core/operation.ts";
import { keepFile } from "../content/files.ts";
import { requireAllowed } from "../lifecycle/transitions.ts";
import { toPerson } from "../members/members.ts";
import { GIVEN_UP } from "../content/source-failures.ts";
import type { World } from "../../model/world.ts";
import type { AttachmentRow } from "../../model/attachments/rows.ts";
import { requireDocument } from "../document-model/find.ts";
import { requireUnlocked } from "../document-model/editing-lock.ts";

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

export function toAttachment(world: World, row: AttachmentRow) {
  const { id, email, first_name, last_name, avatar } = toPerson(world, row.created_by);
  return {
    uuid: row.id,
    date_created: iso(row.date_created),
    created_by: { id, email, first_name, last_name, avatar },
    name: row.name,
    type: "general" as const,
  };
}
