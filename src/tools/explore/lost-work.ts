/** Work of the clean run that is missing in a run whose client ends as if all went well. */
import type { Finding } from "./finding.ts";
import { type CallItem, callsOf, effectiveCalls, type Recorded, type Recording } from "./recording.ts";
import { faultRecord } from "./fault-records.ts";
import type { FaultPlace } from "./report.ts";
import type { IsSteady } from "./steady.ts";
import { countBy } from "../../engine/core/maps.ts";

const NOT_SENT = new Set(["document.uploaded", "document.error", "document.draft"]);

interface Work {
  what: string;
  done: number;
  wanted: number;
}

/** Documents, sends and files count whatever call brought them. Other changes count by their calls, and give a warning only. */
export interface LostWork {
  finding?: Finding;
  warning?: string;
}

export function lostWork(
  clean: Recording,
  run: Recording,
  faults: readonly FaultPlace[],
  { isSteady, mayFail }: { isSteady: IsSteady; mayFail: boolean },
): LostWork {
  if (run.end.kind !== "returned") return {};
  // Somebody else deletes a document under this fault. The client did not lose it, but it may lose what it still wanted to do with it.
  const isTaken = faults.some(({ fault }) => fault === "not_found");
  const missing = [
    ...missingOf(clean, run, (recording) => documentsOf(recording, isSteady, () => true, isTaken)),
    ...missingOf(clean, run, (recording) => documentsOf(recording, isSteady, isSent)).map((one) => ({
      ...one,
      what: `the send of ${one.what}`,
    })),
    ...missingOf(clean, run, (recording) => filesOf(recording, isSteady)).map((one) => ({
      ...one,
      what: `the file of ${one.what}`,
    })),
  ];
  // A document that is missing was not sent either, and has no file.
  const [first] = missing;
  if (!first) {
    const operation = missingChange(clean, run);
    return operation === undefined
      ? {}
      : { warning: `The client reports no error, although a ${operation} of the clean run is missing.` };
  }
  const message = `The client ends well, but ${textOf(first)} of the clean run is missing.`;
  if (mayFail || faults.some(({ fault }) => faultRecord(fault).tellsNothing)) return { warning: message };
  return { finding: { symptom: "lost_work", message, ...hitCall(run, faults) } };
}

function textOf({ what, done, wanted }: Work): string {
  return done === 0 && wanted === 1 ? what : `${what} (${done} of ${wanted})`;
}

function missingOf(clean: Recording, run: Recording, of: (recording: Recording) => ReadonlyMap<string, number>): Work[] {
  const found = of(run);
  return [...of(clean)]
    .filter(([what, wanted]) => (found.get(what) ?? 0) < wanted)
    .map(([what, wanted]) => ({ what, wanted, done: found.get(what) ?? 0 }));
}

/** The documents that the client leaves, by name, or by template where names differ from run to run. */
function documentsOf(
  { documents, made }: Recording,
  isSteady: IsSteady,
  counts: (row: Recorded) => boolean,
  withDeleted = false,
): Map<string, number> {
  const standing = documents.filter((row) => made.has(row.id) && (withDeleted || !row.isDeleted) && counts(row));
  return countBy(standing, (row) => nameOf(row, isSteady));
}

function nameOf(row: Recorded, isSteady: IsSteady): string {
  return isSteady(row.name) ? `the document "${row.name}"` : `a document of template ${row.origin ?? "none"}`;
}

const isSent = (row: Recorded) => !NOT_SENT.has(row.status);

/** Each document with a file that the client downloaded whole, whichever call brought it. */
function filesOf(recording: Recording, isSteady: IsSteady): Map<string, number> {
  const rows = new Map(recording.documents.map((row) => [row.id, row]));
  const brought = callsOf(recording).filter(isWholeFile);
  const subjects = new Set(brought.map(({ operation, entry }) => fileKey(operation, entry.subject, entry.path)));
  return countBy([...subjects], (key) => {
    const row = rows.get(key.split(" ")[1] ?? "");
    return row ? nameOf(row, isSteady) : (key.split(" ")[0] as string);
  });
}

/** A document has one file in several forms. Other files, such as attachments, count by their path. */
function fileKey(operation: string, subject: string | undefined, path: string): string {
  return /^download(Protected)?Document$/.test(operation) ? `download ${subject ?? ""}` : `${operation} ${path}`;
}

function isWholeFile({ operation, entry, isLate }: CallItem): boolean {
  if (entry.method !== "GET" || entry.status !== 200 || entry.own !== 200 || isLate) return false;
  if (entry.networkFault !== undefined || entry.responseBody === "" || entry.responseBody === "[0 bytes]") return false;
  const type = entry.responseHeaders["content-type"] ?? "";
  return operation.startsWith("download") || !/json|html|^text/.test(type);
}

function missingChange(clean: Recording, run: Recording): string | undefined {
  const done = effectiveCalls(run);
  const isChange = ([first]: readonly CallItem[]) => first?.entry.method !== "GET";
  const lost = [...effectiveCalls(clean)].find(
    ([operation, calls]) => isChange(calls) && (done.get(operation)?.length ?? 0) < calls.length,
  );
  return lost?.[0];
}

function hitCall(run: Recording, faults: readonly FaultPlace[]): Pick<Finding, "item"> {
  const item = callsOf(run).findLast((one) =>
    faults.some(({ operation, nth }) => one.operation === operation && one.nth === nth),
  );
  return item ? { item } : {};
}
