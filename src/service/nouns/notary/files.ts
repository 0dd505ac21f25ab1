import { ApiError } from "../../../engine/core/errors.ts";
import { list, maybe, micros, oneOf, text, view, whole } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import { keepFile } from "../content/file-content.ts";
import { filesOf } from "../documents/downloads.ts";
import { findDocument } from "../documents/row.ts";
import type { NotarizationRow } from "./row.ts";
import { REQUEST_STATUSES, TERMINATION_REASONS } from "./row.ts";
import { AUTHOR, inviteeView, mailNotaryResult, requireNotarization } from "./requests.ts";

/** A WebM video drawn for this project: one VP8 frame of 160 by 96 pixels at the start and at the end. */
const VIDEO = Buffer.from(
  "GkXfoxAAADRChhAAAAEBQvcQAAABAULyEAAAAQRC8xAAAAEIQoIQAAAEd2VibUKHEAAAAQJChRAAAAECGFOAZxAAAzkVSalmEAAANirXsRAAAAMPQkBEiRAAAAhA" +
    "j0AAAAAAAE2AEAAACWRvY2RvdWJsZVdBEAAACWRvY2RvdWJsZRZUrmsQAAAzrhAAAC7XEAAAAQFzxRAAAAEBgxAAAAEBhhAAAAVWX1ZQOOAQAAAMsBAAAAGguhAA" +
    "AAFgH0O2dRAAAVjnEAAABgAAAAAAAKMQAAFIgQAAgJAOAJ0BKqAAYAA/EYC2UqwopSKudogBgCIJaQDStKr/F76B2Ava8gtfCqV0hEi+Zcy6fv2kaa+d8kQQaceN" +
    "r4bIMyucGclobYFsNZX957gIpwib5/Xz4FVvMGZPpD/xxTHJ0RnD5zngXkFi14O21qWtSlou788kvMDs2IkAAP7uQqm5Y0rS3K5TGQVK5TGUuwRx6qrimEu5pcpr" +
    "VUuWPFAW8odaxECKe6G/7bO1c40TF8D2bTc6jr04EBTzfyhFH2YpCZ/j1zc2Jo2OJNjb8cTXNycHxVp2eJM9FsshyvaR8C/QrQxKRBQqxtMhE5AbFxDvlOd+KPSn" +
    "D2wSy4Oy1vUhyAmLF56/zqIcGgSeU/Tvnp7ObBa82X74m3h3iR7PUA1rBhGt/0+0jx7LoAFWHNeT8JIx9O3aOOTcs3vWktbYacAAAB9DtnUQAAFY5xAAAAYAAAAA" +
    "AfSjEAABSIEAAICQDgCdASqgAGAAPxGAtlKsKKUirnaIAYAiCWkA0rSq/xe+gdgL2vILXwqldIRIvmXMun79pGmvnfJEEGnHja+GyDMrnBnJaG2BbDWV/ee4CKcI" +
    "m+f18+BVbzBmT6Q/8cUxydEZw+c54F5BYteDttalrUpaLu/PJLzA7NiJAAD+7kKpuWNK0tyuUxkFSuUxlLsEceqq4phLuaXKa1VLljxQFvKHWsRAinuhv+2ztXON" +
    "ExfA9m03Oo69OBAU838oRR9mKQmf49c3NiaNjiTY2/HE1zcnB8VadniTPRbLIcr2kfAv0K0MSkQUKsbTIROQGxcQ75Tnfij0pw9sEsuDstb1IcgJixeev86iHBoE" +
    "nlP0756ezmwWvNl++Jt4d4kez1ANawYRrf9PtI8ey6ABVhzXk/CSMfTt2jjk3LN71pLW2GnAAAA=",
  "base64",
);
/** Offsets of the length (8 bytes) and of the time of the last frame (6 bytes), both in milliseconds. */
const LENGTH_AT = 92;
const LAST_FRAME_AT = 554;
const LAST_FRAME_MS = 500;
const LENGTH_MS_MIN = 1000;

export function recordingOfLength(ms: number): Uint8Array {
  const length = Math.max(ms, LENGTH_MS_MIN);
  const video = Buffer.from(VIDEO);
  video.writeDoubleBE(length, LENGTH_AT);
  video.writeUIntBE(length - LAST_FRAME_MS, LAST_FRAME_AT, 6);
  return video;
}

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

/** The request, without links that ended. */
export function openNotarization(world: World, id: string): NotarizationRow {
  const row = requireNotarization(world, id);
  const now = world.clock.now();
  for (const link of world.store.notary_links.where("notarization", id))
    if (link.expires_at <= now) world.store.notary_links.delete(link.id);
  return row;
}

interface Linked extends NotaryFile {
  url: string;
}

const size = [whole, ({ bytes }: Linked) => bytes.length] as const;

const signedDocument = view<Linked & { type: "COMBINED" | "SINGLE" }>()({
  url: text,
  document_name: [text, ({ name }) => name],
  size,
  document_type: [oneOf(["COMBINED", "SINGLE"]), ({ type }) => type],
});

const recordingView = view<Linked>()({ url: text, name: text, size });

export const detailsView = view<NotarizationRow, World>()({
  id: text,
  status: oneOf(REQUEST_STATUSES),
  document_id: text,
  date_created: micros,
  date_started: maybe(micros),
  date_completed: maybe(micros),
  created_by: AUTHOR,
  invitees: list(inviteeView),
  signed_documents: [list(signedDocument), signedDocuments],
  recording: [maybe(recordingView), linkedRecording],
  termination_reason: maybe(oneOf(TERMINATION_REASONS)),
  termination_details: maybe(text),
});

function signedDocuments({ id, signed }: NotarizationRow, world: World) {
  return signed.flatMap(({ file_id, type }) => {
    const file = storedFile(world, file_id);
    return file ? [{ ...file, type, url: linkTo(world, id, file_id) }] : [];
  });
}

function linkedRecording(row: NotarizationRow, world: World): Linked | null {
  const recording = recordingOf(row);
  return recording && { ...recording, url: linkTo(world, row.id, "recording") };
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
