/** Finds expectations for a scenario file: the clean run meets them, and the broken run does not. */
import type { DocumentStatus, ExpectFile } from "../../library/file-types.ts";
import { isAccepted } from "./forgery.ts";
import { isTerminal } from "./judge.ts";
import { callsOf, effectiveCalls, type Recorded, type Recording } from "./recording.ts";
import type { FaultPlace, Symptom } from "./report.ts";
import type { IsSteady } from "./steady.ts";

export interface Shown {
  symptom: Symptom;
  places: readonly FaultPlace[];
  clean: Recording;
  run: Recording;
  limit_ms: number;
  isSteady: IsSteady;
}

export function certainExpectation({ symptom, limit_ms }: Shown): ExpectFile | undefined {
  switch (symptom) {
    case "hung":
      return endsWithin(limit_ms);
    case "stale_view":
      return { client: { truthful: true } };
    // Client lint measures on the sandbox's clock, and automatic time moves faster than a command.
    case "ignored_retry_after":
      return { contract: { without: ["retry_after_ignored"] }, client: { without: [symptom] } };
    case "polls_too_fast":
      return { contract: { without: ["polling_too_fast"] }, client: { without: [symptom] } };
    default:
      return undefined;
  }
}

/** Returns the surest first. Clients that cope with the faults meet them. */
export function expectationsFor(shown: Shown): ExpectFile[] {
  const counts = ofCounts(shown);
  const more = ofMoreCalls(shown);
  switch (shown.symptom) {
    case "forged_webhook_accepted":
      return [{ contract: { without: ["forged_webhook_accepted"] } }];
    case "genuine_webhook_refused":
      return [{ contract: { without: ["genuine_webhook_refused"] } }];
    case "duplicate_send":
      return [sentOnce(shown)];
    case "duplicate_document":
      return [...counts.map(({ expect }) => expect), ...more];
  }
  // Where no client can succeed, a corrected client also does less than the clean run.
  if (isTerminal(shown.places)) return [...counts.filter(({ isMore }) => isMore).map(({ expect }) => expect), ...more];
  return [...counts.map(({ expect }) => expect), ...ofStatuses(shown), ...ofFewerCalls(shown), ...more];
}

/** Some breaks leave no trace in the service, so the command itself must tell. */
export function lastExpectation({ run, limit_ms }: Shown): ExpectFile {
  return run.end.kind === "hung" ? endsWithin(limit_ms) : { client: { succeeds: true } };
}

function endsWithin(limit_ms: number): ExpectFile {
  return { client: { ends_within: `${Math.ceil(limit_ms / 1000)}s` } };
}

function sentOnce({ clean }: Shown): ExpectFile {
  const sends = callsOf(clean).filter((one) => one.operation === "sendDocument" && one.entry.status === 200).length;
  const match = { operation: "sendDocument", status: 200 };
  return { requests: [{ match, at_most: Math.max(1, sends), note: "The client sends once." }] };
}

interface Kind {
  match: { name?: string; template?: string };
  expected: Recorded[];
  found: Recorded[];
}

function kindsOf({ clean, run, isSteady }: Shown): Kind[] {
  const standing = ({ documents }: Recording) => documents.filter((row) => !row.isDeleted);
  const [expected, found] = [standing(clean), standing(run)];
  const matches = new Map<string, Kind["match"]>();
  for (const row of [...expected, ...found]) {
    const template = row.origin;
    const match = isSteady(row.name) ? { name: row.name } : template === null ? {} : { template };
    matches.set(JSON.stringify(match), match);
  }
  return [...matches.values()].map((match) => {
    const isMatched = (row: Recorded) =>
      (match.name === undefined || row.name === match.name) && (match.template === undefined || row.origin === match.template);
    return { match, expected: expected.filter(isMatched), found: found.filter(isMatched) };
  });
}

function ofCounts(shown: Shown): { expect: ExpectFile; isMore: boolean }[] {
  return kindsOf(shown).flatMap(({ match, expected, found }) => {
    if (expected.length === found.length) return [];
    const note = `The client leaves ${expected.length} of these documents.`;
    const expect: ExpectFile = { documents: [{ match, count: expected.length, note }] };
    return [{ expect, isMore: found.length > expected.length }];
  });
}

/** Time alone changes other statuses, so they depend on how long a client runs. */
const LASTING: ReadonlySet<string> = new Set([
  "document.draft",
  "document.completed",
  "document.paid",
  "document.approved",
  "document.rejected",
  "document.declined",
  "document.voided",
]);

function ofStatuses(shown: Shown): ExpectFile[] {
  return kindsOf(shown).flatMap(({ match, expected, found }) => {
    const [status, ...others] = new Set(expected.map((row) => row.status));
    if (status === undefined || others.length > 0 || !LASTING.has(status)) return [];
    if (!expected.every((row) => hasSeen(shown.clean, row)) || found.every((row) => row.status === status)) return [];
    const note = `The client brings these documents to ${status}.`;
    // Time may complete the documents while a command that failed still ends.
    const client = shown.symptom === "failed" ? { client: { succeeds: true as const } } : {};
    return [{ documents: [{ match, count: expected.length, status: status as DocumentStatus, note }], ...client }];
  });
}

function hasSeen({ items }: Recording, { id, status }: Recorded): boolean {
  return items.some((one) => {
    if (one.kind === "act" || one.document !== id) return false;
    return one.kind === "post" ? one.status === status && isAccepted(one) : one.entry.responseBody.includes(`"${status}"`);
  });
}

/** Changes come before reads, for which a client may have another way. */
function ofFewerCalls({ clean, run, places }: Shown): ExpectFile[] {
  const done = effectiveCalls(run);
  const found = [...effectiveCalls(clean)].flatMap(([operation, calls]) => {
    const isRead = calls.some(({ entry }) => entry.method === "GET");
    // A corrected client reads the document where an event is missing or wrong.
    if (isRead && places.some(({ fault }) => fault.startsWith("webhook_"))) return [];
    const status = calls.at(-1)?.entry.own ?? 200;
    const own = done.get(operation) ?? [];
    const answered = own.filter(({ entry }) => entry.status === status);
    // A read counts once, because polls vary in number. No client repeats a change that took effect behind another answer.
    const count = isRead ? 1 : calls.length - (own.length - answered.length);
    if (answered.length >= count) return [];
    const note = count === 1 ? `${operation} succeeds.` : `${operation} succeeds ${count} times.`;
    return [{ isRead, expect: { requests: [{ match: { operation, status }, at_least: count, note }] } }];
  });
  return found.sort((a, b) => Number(a.isRead) - Number(b.isRead)).map(({ expect }) => expect);
}

function ofMoreCalls({ clean, run }: Shown): ExpectFile[] {
  const usual = effectiveCalls(clean);
  return [...effectiveCalls(run)].flatMap(([operation, calls]) => {
    const count = usual.get(operation)?.length ?? 0;
    const [first] = calls;
    if (!first || first.entry.method === "GET" || calls.length <= count) return [];
    const match = { operation, status: first.entry.own ?? 200 };
    const note = count === 0 ? `The client makes no ${operation}.` : `${operation} takes effect at most ${count} times.`;
    return [{ requests: [{ match, at_most: count, note: count === 1 ? `${operation} takes effect at most once.` : note }] }];
  });
}
