import { iso, isoOrNull } from "../../../engine/core/clock.ts";
import { ApiError } from "../../../engine/core/errors.ts";
import { recordingOfLength } from "./recording.ts";
import { filesOf } from "../documents/downloads.ts";
import { keepFile } from "../content/files.ts";
import { mailNotaryResult } from "./mails.ts";
import { authorOf, requireNotarization } from "./requests.ts";
import type { World } from "../../model/world.ts";
import { findDocument } from "../document-model/find.ts";
import type { NotarizationRow } from "../../model/notary/rows.ts";

/** Source: the official description: links last an hour. */
const LINK_MS = 3_600_000;

export interface NotaryFile {
  name: string;
  media: "application/pdf" | "video/webm";
  bytes: Uint8Array;
}

/** Job. Source: several documents yield one file each and a combined one. assumed: notary.sections. */
export function notarize(world: World, id: string): undefined | Promise<() => void> {
  const row = world.store.notarizations.get(id);
  const document = row && findDocument(world, row.document_id);
  if (!row || !document) return undefined;
  const { whole, parts } = filesOf(world, document);
  const downloads = [
    { file: whole, type: parts.length > 0 ? ("COMBINED" as const) : ("SINGLE" as const) },
    ...parts.map((file) => ({ file, type: "SINGLE" as const })),
  ];
  // assumed: notary.missing_file.
  return Promise.all(downloads.map(({ file }) => file.bytes().catch(ignoreApiError))).then((contents) => () => {
    const current = world.store.notarizations.get(id);
    if (!current) return;
    const signed = downloads.flatMap(({ file, type }, i) => {
      const bytes = contents[i];
      return bytes ? [{ file_id: keepFile(world, { name: file.name, type: file.media, bytes }), type }] : [];
    });
    const done = world.store.notarizations.put({ ...current, signed });
    if (signed[0]) mailNotaryResult(world, done, linkTo(world, id, signed[0].file_id));
  });
}

function ignoreApiError(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

function linkTo(world: World, notarization_id: string, file_id: string): string {
  const id = world.ids.hex(40);
  world.store.notary_links.put({ id, notarization_id, file_id, expires_at: world.clock.after(LINK_MS) });
  return `${world.settings.publicUrl}/notary/files/${id}`;
}

export function notarizationDetails(world: World, id: string) {
  const row = requireNotarization(world, id);
  const now = world.clock.now();
  for (const link of world.store.notary_links.where("notarization", id))
    if (link.expires_at <= now) world.store.notary_links.delete(link.id);
  const recording = recordingOf(row);
  return {
    id: row.id,
    status: row.status,
    document_id: row.document_id,
    date_created: iso(row.date_created),
    date_started: isoOrNull(row.date_started),
    date_completed: isoOrNull(row.date_completed),
    created_by: authorOf(world, row),
    invitees: row.invitees,
    signed_documents: row.signed.flatMap(({ file_id, type }) => {
      const file = storedFile(world, file_id);
      return file
        ? [{ url: linkTo(world, id, file_id), document_name: file.name, size: file.bytes.length, document_type: type }]
        : [];
    }),
    recording: recording && { url: linkTo(world, id, "recording"), name: recording.name, size: recording.bytes.length },
    termination_reason: row.termination_reason,
    termination_details: row.termination_details,
  };
}

/** assumed: notary.recording. */
function recordingOf({ recorded, name, date_started, date_completed }: NotarizationRow): NotaryFile | null {
  if (!recorded || date_started === null || date_completed === null) return null;
  return { name: `${name}.webm`, media: "video/webm", bytes: recordingOfLength(date_completed - date_started) };
}

function storedFile(world: World, id: string): NotaryFile | undefined {
  const file = world.store.files.get(id);
  return file && { name: file.name, media: "application/pdf", bytes: Buffer.from(file.base64, "base64") };
}

export function openNotaryLink(world: World, token: string): NotaryFile | undefined {
  const link = world.store.notary_links.get(token);
  if (!link || link.expires_at <= world.clock.now()) return undefined;
  if (link.file_id !== "recording") return storedFile(world, link.file_id);
  const row = world.store.notarizations.get(link.notarization_id);
  return (row && recordingOf(row)) ?? undefined;
}
