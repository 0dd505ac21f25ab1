import type { Finding } from "./finding.ts";
import { findRefusal, isAccepted } from "./forgery.ts";
import { findImpatience } from "./impatience.ts";
import { type CallItem, callsOf, type Item, type Post, postsOf, type Recorded, type Recording } from "./recording.ts";
import { faultRecord } from "./fault-records.ts";
import type { FaultPlace } from "./report.ts";
import { lostWork } from "./lost-work.ts";
import { isUnproven, patienceText } from "./patience.ts";
import { eventText, firstLine, hitDelivery } from "./story.ts";
import type { IsSteady } from "./steady.ts";
import { claimsOf, actualStatusOf, wrongClaims } from "./status-claims.ts";
import { countBy } from "../../engine/core/maps.ts";

/**
 * The most important finding comes first. `warnings` are sentences about what a correct client may do too. For example, it gives up
 * where no client could succeed, or it runs until the limit.
 */
export interface Judgment {
  findings: Finding[];
  warnings: string[];
}

export interface JudgeOptions {
  time: "virtual" | "wall";
  allowsFailure: (faults: readonly FaultPlace[]) => boolean;
  isSteady: IsSteady;
}

export function isTerminal(faults: readonly Pick<FaultPlace, "fault" | "operation">[]): boolean {
  return faults.some(({ fault, operation }) => {
    const { ends, costsCode } = faultRecord(fault);
    return ends || (operation === "accessToken" && costsCode);
  });
}

export function judge(clean: Recording, run: Recording, faults: readonly FaultPlace[], options: JudgeOptions): Judgment {
  const mayFail = isTerminal(faults) || options.allowsFailure(faults);
  const { end } = run;
  const lost = mayFail ? undefined : findLostEvent(clean, run, faults);
  const refusal = findRefusal(run, faults);
  const work = lostWork(clean, run, faults, { isSteady: options.isSteady, mayFail });
  const findings: Finding[] = [
    ...findDuplicates(clean, run, options.isSteady),
    ...findDoubleSends(clean, run),
    ...(lost ? [lost] : []),
    ...(refusal ? [refusal] : []),
    ...findImpatience(run, options.time, clean),
    ...(work.finding ? [work.finding] : []),
    ...(isProvenHung(run)
      ? [{ symptom: "hung" as const, message: `The client does not end${afterCall(run)}: ${endMessage(end)}.`, ...lastCall(run) }]
      : []),
    ...(end.kind === "failed" && !mayFail
      ? [{ symptom: "failed" as const, message: failureText(run, faults, end.message), ...failedCall(run, faults) }]
      : []),
    // A client may report the status of an answer, also when it is new or outdated.
    ...(faults.some(({ fault }) => faultRecord(fault).isReported) ? [] : findStaleViews(clean, run)),
    ...findUnmet(clean, run, mayFail),
    ...(run.broken === undefined
      ? []
      : [{ symptom: "invariant" as const, message: `The invariant does not hold: ${run.broken}` }]),
  ];
  const warnings = [
    ...(mayFail && end.kind === "failed" ? [`The client gives up: ${firstLine(end.message)}`] : []),
    ...(end.kind === "hung" && !isProvenHung(run)
      ? [`The client does not end${afterCall(run)}: ${end.message}. It may still end, because only the time limit stopped it.`]
      : []),
    ...(work.warning === undefined ? [] : [work.warning]),
    ...(end.kind === "returned" && isUnproven(run, faults, options.time) ? [UNPROVEN] : []),
  ];
  return { findings, warnings };
}

const UNPROVEN =
  "Not proved: the sleeps of the client take real time, and docdouble's clock moved meanwhile. Nobody knows whether the client waits as long as processing takes.";

function failureText(run: Recording, faults: readonly FaultPlace[], message: string): string {
  const patience = faults.map((one) => patienceText(run, one)).find((text) => text !== undefined);
  const reasons = [patience, beliefText(run, faults)].filter((text) => text !== undefined);
  return [`The client fails: ${firstLine(message)}`, ...reasons].join("\n");
}

/** What the receiver must believe after a lost, late or early event, and what is true. */
function beliefText(run: Recording, faults: readonly FaultPlace[]): string | undefined {
  const hit = hitDelivery(run, faults);
  if (!hit) return undefined;
  const told = postsOf(run).findLast((one) => one.document === hit.document && one.status !== null && isAccepted(one))?.status;
  const truth = run.documents.find(({ id }) => id === hit.document)?.status;
  if (truth === undefined || told === truth) return undefined;
  return `${told === undefined ? "No event told the receiver a status" : `The last event told the receiver ${told}`}. The document is ${truth}.`;
}

/** A limit in real time proves nothing: a client with patience may still end. */
export function isProvenHung({ end }: Pick<Recording, "end">): boolean {
  return end.kind === "hung" && end.time === "virtual";
}

const endMessage = (end: Recording["end"]) => (end.kind === "hung" || end.kind === "failed" ? end.message : "");

function afterCall(run: Recording): string {
  const last = callsOf(run).at(-1);
  if (!last) return "";
  const { networkFault, status } = last.entry;
  const answer =
    networkFault === "truncate"
      ? "its cut answer"
      : networkFault || status === undefined
        ? "its lost answer"
        : `its answer ${status}`;
  return ` after ${last.operation} ${last.nth} and ${answer}`;
}

function lastCall(run: Recording): { item?: Item } {
  const item = callsOf(run).at(-1);
  return item ? { item } : {};
}

/** A runner of tests continues after a test that failed. Then its last calls went well, and the call that the fault refused is the one. */
function failedCall(run: Recording, faults: readonly FaultPlace[]): { item?: Item } {
  const delivery = hitDelivery(run, faults);
  if (delivery) return { item: delivery };
  const isHit = (one: CallItem) =>
    isFaulted(one, faults) && (one.entry.networkFault !== undefined || (one.entry.status ?? 500) >= 400);
  const last = callsOf(run).at(-1);
  const item = last && isFaulted(last, faults) ? last : (callsOf(run).findLast(isHit) ?? last);
  return item ? { item } : {};
}

function findDuplicates(clean: Recording, run: Recording, isSteady: IsSteady): Finding[] {
  const { deadEnds } = run.service.subjects;
  const isLive = (row: Recorded) => !row.isDeleted && !deadEnds.includes(row.status);
  const kind = (row: Recorded) => JSON.stringify([row.origin, isSteady(row.name) ? row.name : null]);
  const of = (recording: Recording, wanted: (row: Recorded) => boolean) =>
    countBy(
      recording.documents.filter((row) => recording.made.has(row.id) && wanted(row)),
      kind,
    );
  const [created, stand] = [of(clean, () => true), of(clean, isLive)];
  const extra = [...of(run, isLive)].find(
    ([name, count]) =>
      created.has(name) && count > (stand.get(name) ?? 0) && (of(run, () => true).get(name) ?? 0) > (created.get(name) ?? 0),
  );
  if (!extra) return [];
  const [name, count] = extra;
  const rows = run.documents.filter((row) => run.made.has(row.id) && kind(row) === name);
  const item = callsOf(run).findLast((one) => one.creates && rows.some((row) => row.id === one.document));
  const message = `The client leaves ${count} documents "${rows[0]?.name}" where the clean run leaves ${stand.get(name) ?? 0}.`;
  return [{ symptom: "duplicate_document", message, ...(item ? { item } : {}) }];
}

function findDoubleSends(clean: Recording, run: Recording): Finding[] {
  const sends = (recording: Recording) =>
    callsOf(recording).filter((one) => one.operation === "sendDocument" && (one.entry.own ?? 500) < 300);
  const most = Math.max(0, ...countBy(sends(clean), (one) => one.document ?? "").values());
  const all = sends(run);
  const extra = [...countBy(all, (one) => one.document ?? "")].find(([, count]) => count > Math.max(1, most));
  if (!extra) return [];
  const item = all.filter((one) => one.document === extra[0]).at(-1);
  const message = `The client sends the same document ${extra[1]} times.`;
  return [{ symptom: "duplicate_send", message, ...(item ? { item } : {}) }];
}

/** A call failed while the client handled an event, the event was answered with success, and its work was never done. */
function findLostEvent(clean: Recording, run: Recording, faults: readonly FaultPlace[]): Finding | undefined {
  for (const call of callsOf(run)) {
    const fault = faultAt(call, faults)?.fault;
    // A client that draws the wrong conclusion from an outdated answer loses work or a view, but no event.
    if (fault === undefined || fault === "stale_read") continue;
    const isGuess = call.cause === undefined && call.site === undefined;
    const cause = isGuess ? causeByTime(run, call) : call.cause;
    if (!cause || !isAccepted(cause) || isRepeatedLater(run, call)) continue;
    // The service repeats a delivery until it is answered with success.
    if (postsOf(run).some((one) => one.eventId === cause.eventId && one !== cause && one.at >= call.at)) continue;
    // Another part of the client may have made the call. Then the end of the client tells of the failure.
    if (isGuess && run.end.kind !== "returned") continue;
    const isMissed = run.end.kind !== "returned" || misses(clean, run).length > 0 || findStaleViews(clean, run).length > 0;
    if (!isMissed) continue;
    const why = faultRecord(fault).isNews ? `the answer to ${call.operation} was new to it` : `${call.operation} failed`;
    const message = `The client answers ${cause.result?.status} to ${eventText(cause)}, though ${why} while it handled the event. It never handles the event again.`;
    return { symptom: "event_lost", message, item: cause };
  }
  return undefined;
}

function isFaulted(call: CallItem, faults: readonly FaultPlace[]): boolean {
  return faultAt(call, faults) !== undefined;
}

function faultAt({ operation, nth, entry }: CallItem, faults: readonly FaultPlace[]): FaultPlace | undefined {
  return entry.rule === undefined ? undefined : faults.find((one) => one.operation === operation && one.nth === nth);
}

/** For a receiver in another process: the latest delivery, if the call followed within a second. */
function causeByTime(run: Recording, call: CallItem): Post | undefined {
  const before = run.items.slice(0, run.items.indexOf(call));
  const post = before.findLast((one) => one.kind === "post");
  return post?.kind === "post" && call.at - post.at < 1000 ? post : undefined;
}

function isRepeatedLater(run: Recording, call: CallItem): boolean {
  const after = run.items.slice(run.items.indexOf(call) + 1);
  return after.some(
    (one) =>
      one.kind === "call" &&
      one.operation === call.operation &&
      one.entry.subject === call.entry.subject &&
      (one.entry.own ?? 500) < 300 &&
      !one.entry.injected,
  );
}

/** A 202 means that the answer is not ready. */
const isSuccess = (status: number | undefined) => status !== undefined && status < 300 && status !== 202;

/** A change that took effect is done, also when its answer is lost. */
function misses(clean: Recording, run: Recording): string[] {
  const isDone = ({ entry }: CallItem) =>
    isSuccess(entry.own) && (entry.method !== "GET" || (isSuccess(entry.status) && !entry.networkFault));
  const done = (recording: Recording) => countBy(callsOf(recording).filter(isDone), (one) => one.operation);
  const found = done(run);
  return [...done(clean)].flatMap(([operation, count]) => {
    const isRead = callsOf(clean).some((one) => one.operation === operation && one.entry.method === "GET");
    return (found.get(operation) ?? 0) < (isRead ? 1 : count) ? [operation] : [];
  });
}

function findStaleViews(clean: Recording, run: Recording): Finding[] {
  if (run.end.kind !== "returned" || clean.end.kind !== "returned") return [];
  const truthful = claimsOf(clean.end.value, clean.documents, clean.service);
  if (truthful.length === 0 || wrongClaims(truthful, clean.documents, clean.made).length > 0) return [];
  const [wrong] = wrongClaims(claimsOf(run.end.value, run.documents, run.service), run.documents, run.made);
  if (!wrong) return [];
  const truth = actualStatusOf(wrong, run.documents, run.made);
  return [
    { symptom: "stale_view", message: `The client ends with the view that the document is ${wrong.status}. It is ${truth}.` },
  ];
}

/** Expectations that only the clean run meets. Where the client may fail, only upper limits count. */
function findUnmet(clean: Recording, run: Recording, mayFail: boolean): Finding[] {
  const known = new Set(clean.unmet.map((one) => one.text));
  return run.unmet
    .filter((one) => one.part !== "rules_used" && !known.has(one.text))
    .filter((one) => !mayFail || /^(none|at most|no |a clean)/.test(one.expected))
    .map((one) => ({
      symptom: "expectation" as const,
      message: `An expectation fails: ${one.text}: expected ${one.expected}, found ${one.found}.`,
    }));
}
