import { readRegularFile } from "../../engine/core/regular-file.ts";
import { z } from "../../engine/core/zod-parts.ts";
import { isDeep, JSON_DEPTH_MAX, withoutControls } from "../../engine/core/text.ts";
import { CASSETTE_VERSION, type CassetteEntry, type CassetteHeader } from "./cassette.ts";
import { findSecret } from "./find-secret.ts";
import { parseJson } from "./exchange.ts";
import { SettingsError } from "../../library/errors.ts";

/** The message may quote the file, so it shows control characters as \u. */
export class CassetteError extends SettingsError {
  constructor(message: string) {
    super(withoutControls(message));
  }
}

/** The members of an entry around its body. */
const DEPTH_MAX = JSON_DEPTH_MAX + 10;
/** docdouble's own paths. A cassette holds calls to the service only. */
const OWN_PATH = /^\/+_{2}/;

export interface Cassette {
  header: CassetteHeader;
  entries: CassetteEntry[];
  cut?: string;
}

const FILE = z.object({ bytes: z.number().int().nonnegative(), sha256: z.string(), type: z.string() });
const BODY = z
  .union([
    z.strictObject({ json: z.unknown() }),
    z.strictObject({ text: z.string() }),
    z.strictObject({ file: FILE }),
    z.strictObject({
      form: z.array(
        z.strictObject({
          name: z.string(),
          filename: z.string().optional(),
          text: z.string().optional(),
          json: z.unknown().optional(),
          file: FILE.optional(),
        }),
      ),
    }),
  ])
  .optional();
const CALL = z.strictObject({
  call: z.string(),
  at: z.number().nonnegative(),
  request: z.strictObject({
    method: z.string(),
    path: z.string().startsWith("/"),
    credentials: z.string(),
    type: z.string().optional(),
    body: BODY,
  }),
  answer: z.strictObject({
    status: z.number().int(),
    headers: z.record(z.string(), z.string()).optional(),
    body: BODY,
    partial: z.literal(true).optional(),
  }),
});
const EVENT = z.strictObject({ event: z.string(), at: z.number().nonnegative(), id: z.string().optional(), body: z.unknown() });

/** @throws CassetteError */
export function readCassette(file: string): Cassette {
  let text: string;
  try {
    text = readRegularFile(file);
  } catch (error) {
    throw new CassetteError(`${file}: cannot read it: ${(error as NodeJS.ErrnoException).code}.`);
  }
  const lines = text.split("\n");
  const isWhole = lines.at(-1) === "";
  if (isWhole) lines.pop();
  const header = headerOf(file, lines[0]);
  const entries: CassetteEntry[] = [];
  for (const [i, line] of lines.entries()) {
    const place = `${file}:${i + 1}`;
    const secret = findSecret(line);
    if (secret !== undefined)
      throw new CassetteError(
        `${place}: the cassette contains ${secret}. Record it again with docdouble compare --record, or replace the value.`,
      );
    if (i === 0) continue;
    if (isDeep(line, DEPTH_MAX))
      throw new CassetteError(`${place}: the entry is nested deeper than ${DEPTH_MAX} levels. Delete the line, or record again.`);
    const value = parseJson(line, DEPTH_MAX);
    if (value === undefined && i === lines.length - 1 && !isWhole)
      return {
        header,
        entries,
        cut: `${place}: the file ends in the middle of a line. Entries before it, which are replayed: ${entries.length}.`,
      };
    entries.push(entryOf(place, value));
  }
  return { header, entries };
}

function headerOf(file: string, line = ""): CassetteHeader {
  const value = parseJson(line) as CassetteHeader | undefined;
  if (typeof value?.cassette !== "number")
    throw new CassetteError(
      `${file}:1: this is not a cassette: the first line must be {"cassette":${CASSETTE_VERSION},…}. Record one with docdouble compare --record.`,
    );
  if (value.cassette !== CASSETTE_VERSION)
    throw new CassetteError(
      `${file}:1: this is a cassette of version ${value.cassette}, and this docdouble reads version ${CASSETTE_VERSION}. Record it again, or use the docdouble that wrote it (${value.by ?? "unknown"}).`,
    );
  return value;
}

function entryOf(place: string, value: unknown): CassetteEntry {
  const schema = typeof value === "object" && value !== null && "event" in value ? EVENT : CALL;
  const result = schema.safeParse(value);
  if (result.success) {
    const entry = result.data as CassetteEntry;
    if ("call" in entry && isOwnPath(entry.request.path))
      throw new CassetteError(
        `${place}: the entry calls docdouble itself (${entry.request.path}), and a cassette holds calls to the service only. Delete the line.`,
      );
    return entry;
  }
  const [issue] = result.error.issues;
  const where = issue?.path.join(".") ?? "";
  throw new CassetteError(
    `${place}: this is not an entry of a cassette${where === "" ? "" : ` (${where}: ${issue?.message})`}. Delete the line, or record again.`,
  );
}

/** In any spelling that leads there. */
function isOwnPath(target: string): boolean {
  const path = URL.canParse(target, "http://cassette.invalid") ? new URL(target, "http://cassette.invalid").pathname : target;
  return [path, target].some((one) => OWN_PATH.test(one.replace(/%5f/gi, "_").replace(/%2f/gi, "/")));
}
