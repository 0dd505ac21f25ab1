/** Finds expectations for a scenario file: the clean run meets them, and the broken run does not. */
import type { ExpectFile } from "../scenario/file-types.ts";
import { isTerminal, misses } from "./judge.ts";
import { callsOf, type Recording } from "./recording.ts";
import type { FaultPlace, Symptom } from "./report.ts";
import type { DocumentRow } from "../domain/document-model/rows.ts";

export interface Shown {
  symptom: Symptom;
  places: readonly FaultPlace[];
  clean: Recording;
  run: Recording;
  /** Real milliseconds that a command may take. */
  limit_ms: number;
}

/** The expectation that the symptom breaks in every run. */
export function certainExpectation({ symptom, limit_ms }: Shown): ExpectFile | undefined {
  switch (symptom) {
    case "hung":
      return { client: { ends_within: `${Math.ceil(limit_ms / 1000)}s` } };
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

/** Expectations of the service to try, the most exact first. Clients that cope with the faults meet them. */
export function expectationsFor(shown: Shown): ExpectFile[] {
  const { symptom, places, clean, run } = shown;
  const bySymptom = ofSymptom(shown);
  // Where no client can succeed, a corrected client also does less than the clean run.
  if (isTerminal(places))
    return [
      ...bySymptom,
      ...ofWorld(clean, run)
        .filter(({ isMore }) => isMore)
        .map(({ expect }) => expect),
    ];
  return [
    ...bySymptom,
    ...ofMissingCalls(clean, run),
    ...ofWorld(clean, run).map(({ expect }) => expect),
    ...(symptom === "invariant" ? ofStatuses(clean, run) : []),
  ];
}

function ofSymptom({ symptom, clean, run }: Shown): ExpectFile[] {
  switch (symptom) {
    case "forged_webhook_accepted":
      return [{ contract: { without: ["forged_webhook_accepted"] } }];
    case "duplicate_send": {
      const times = Math.max(1, sends(clean));
      return [
        { requests: [{ match: { operation: "sendDocument", status: 200 }, at_most: times, note: "The client sends once." }] },
      ];
    }
    case "duplicate_document":
      return ofWorld(clean, run).map(({ expect }) => expect);
    default:
      return [];
  }
}

const sends = (recording: Recording) =>
  callsOf(recording).filter((one) => one.operation === "sendDocument" && one.entry.status === 200).length;

function ofMissingCalls(clean: Recording, run: Recording): ExpectFile[] {
  return misses(clean, run).map((operation) => {
    const done = callsOf(clean).filter((one) => one.operation === operation && (one.entry.status ?? 500) < 300);
    const isRead = done.some((one) => one.entry.method === "GET");
    // A read may answer 202 until its last answer.
    const status = done.at(-1)?.entry.status ?? 200;
    const count = isRead ? 1 : done.length;
    const note = `The client carries ${operation} out.`;
    return { requests: [{ match: { operation: operation as never, status }, at_least: count, note }] };
  });
}

function ofWorld(clean: Recording, run: Recording): { expect: ExpectFile; isMore: boolean }[] {
  const standing = (recording: Recording) => recording.documents.filter((row) => row.internal.deleted_at === null);
  const names = [...new Set([...standing(clean), ...standing(run)].map((row) => row.name))];
  const count = (rows: DocumentRow[], name: string) => rows.filter((row) => row.name === name).length;
  return names.flatMap((name) => {
    const [expected, found] = [count(standing(clean), name), count(standing(run), name)];
    if (expected === found) return [];
    const note = `The client leaves ${expected} of these documents.`;
    return [{ expect: { documents: [{ match: { name }, count: expected, note }] }, isMore: found > expected }];
  });
}

/** The statuses at the end of the clean run, for names whose documents all have one status. */
function ofStatuses(clean: Recording, run: Recording): ExpectFile[] {
  const statuses = (recording: Recording, name: string) => [
    ...new Set(recording.documents.filter((row) => row.name === name).map((row) => row.status)),
  ];
  return [...new Set(clean.documents.map((row) => row.name))].flatMap((name) => {
    const [status, ...others] = statuses(clean, name);
    if (status === undefined || others.length > 0 || statuses(run, name).every((one) => one === status)) return [];
    return [{ documents: [{ match: { name }, status, note: `The client leaves these documents in ${status}.` }] }];
  });
}
