import { findOperation } from "../../engine/runtime/find-operation.ts";
import type { Service } from "../../engine/runtime/service.ts";
import { errorsOf, parseRoute } from "../../engine/core/operation.ts";
import type { AnswerFault, Fault } from "./faults.ts";
import * as make from "./faults.ts";
import type { IsSteady } from "./steady.ts";
import type { ActItem, CallItem, Item, Post, Recording } from "./recording.ts";
import { newAnswers } from "./new-answers.ts";
import { FAULT_RECORDS, type FaultName, faultsThatHit } from "./fault-records.ts";
import { parseLeniently } from "../../engine/core/text.ts";

/**
 * Candidates with one `key` give the same run, so only the first is tried. Reasons name its place: `like`.
 * `impossible` and `needless` say why a candidate is left out.
 */
export interface Candidate {
  fault: Fault;
  impossible?: string;
  key: string;
  like: string;
  weight: number;
  needless?: string;
}

const CHANGES_MORE = 3;
/** For a receiver, events and the send come before everything else. */
const OF_RECEIVERS = 300;
/** The first place of a fault comes before the second place of any fault. */
const FIRST_OF_KIND = 200;

export function deriveFaults(recording: Recording, isSteady: IsSteady): Candidate[] {
  const seen = new Set<FaultName>();
  const candidates = [...recording.items.entries()].flatMap(([index, item]) => {
    if (item.kind === "call") return item.nth === 0 ? [] : ofCall(recording, item, index, isSteady);
    if (item.kind === "post") return item.nth === 0 ? [] : ofPost(recording, item, index);
    return ofAct(recording, item);
  });
  if (recording.items.some((one) => one.kind === "post" && isReceived(one)))
    for (const one of candidates)
      if (one.fault.fault.startsWith("webhook_") || one.fault.operation === "sendDocument") one.weight += OF_RECEIVERS;
  for (const one of candidates) {
    if (one.impossible !== undefined || one.needless !== undefined || seen.has(one.fault.fault)) continue;
    seen.add(one.fault.fault);
    one.weight += FIRST_OF_KIND;
  }
  return candidates;
}

interface Verdict {
  impossible?: string;
  needless?: string;
}

function ofCall(recording: Recording, call: CallItem, index: number, isSteady: IsSteady): Candidate[] {
  const { operation, nth } = call;
  const record = findOperation(recording.service, operation);
  if (!record) return [];
  const isRead = parseRoute(record.route).method === "GET";
  const weight = (fault: FaultName) => FAULT_RECORDS[fault].weight + (isRead ? 0 : CHANGES_MORE);
  const facts: CallFacts = {
    call,
    isRead,
    errors: errorsOf(record),
    before: recording.items.slice(0, index),
    service: recording.service,
    made: recording.made,
  };
  const context = contextOf(recording, call);
  const candidate = (fault: Fault, verdict: Verdict, more = ""): Candidate => ({
    fault,
    ...verdict,
    key: `${fault.fault} ${more}${operation} ${context}`,
    like: `${operation} ${nth}`,
    weight: weight(fault.fault),
  });
  const found = faultsThatHit("call")
    .filter(isAnswerFault)
    .map((fault) =>
      candidate(make.callFault(fault, operation, nth, { detail: recording.service.subjects.notProcessed }), CHECKS[fault](facts)),
    );
  if (call.creates) {
    found.push(
      candidate(make.slowProcessing(operation, nth), {}),
      candidate(make.processingFailed(operation, nth, marksOf(recording, call, isSteady)), {}),
    );
  }
  for (const { fault, key, ...verdict } of newAnswers(facts))
    found.push({ ...candidate(fault, verdict), ...(key === undefined ? {} : { key }) });
  for (const { id, readings } of readingsOf(recording.service, call))
    for (const reading of readings)
      found.push(candidate(make.otherReading(operation, nth, id, reading), {}, `${id}=${reading} `));
  return found;
}

/** The name and metadata of the created document in every run, or its template where the name changes. */
function marksOf({ documents }: Recording, { document }: CallItem, isSteady: IsSteady): Record<string, string> {
  const row = documents.find((one) => one.id === document);
  if (!row) return {};
  const { origin, metadata } = row;
  const marks: [string, string][] = isSteady(row.name) ? [["name", row.name]] : origin ? [["template", origin]] : [];
  for (const [key, value] of Object.entries(metadata))
    if (!key.startsWith(SERVICE_METADATA) && isSteady(String(value))) marks.push([`metadata.${key}`, String(value)]);
  return Object.fromEntries(marks);
}

const SERVICE_METADATA = "document__";

interface CallFacts {
  call: CallItem;
  isRead: boolean;
  errors: readonly number[];
  before: Recording["items"];
  service: Service;
  made: ReadonlySet<string>;
}

const OK: Verdict = {};
const impossible = (why: string): Verdict => ({ impossible: why });

const CHECKS: Readonly<Record<AnswerFault, (facts: CallFacts) => Verdict>> = {
  reset_before: () => OK,
  gateway_error: () => OK,
  slow: () => OK,
  reset_after: ({ isRead }) =>
    isRead ? { needless: "a read changes nothing, so its lost answer is the same as a lost call" } : OK,
  gateway_timeout: ({ isRead }) =>
    isRead ? { needless: "a read changes nothing, so the gateway's 504 is the same as its 502" } : OK,
  throttled: ({ errors, call }) => (errors.includes(429) ? OK : impossible(`${call.operation} is never throttled`)),
  conflict: ({ errors, call, before, made, service }) => {
    const { document, operation } = call;
    const status = call.entry.subjectStatus;
    if (!errors.includes(409)) return impossible(`${operation} does not answer 409`);
    if (document === undefined || !made.has(document)) return impossible("the document was not created in this run");
    if (status !== "document.uploaded" && status !== "document.draft")
      return impossible(`the conversion of the document had ended: it was ${status}`);
    const earlier = before.find((one) => isProofOfConversion(service, one, document));
    return earlier
      ? impossible(`an earlier ${earlier.kind === "call" ? "call" : "event"} showed that the conversion had ended`)
      : OK;
  },
  not_ready_after_draft: ({ call, before }) => {
    const { document, operation } = call;
    if (operation !== "sendDocument") return impossible("only a send changes the status of a draft");
    if (document === undefined || call.entry.subjectStatus !== "document.draft")
      return impossible("the document is not a draft then");
    // assumed: send.not_ready.
    return before.some((one) => shownStatuses(one, document).includes("document.draft"))
      ? OK
      : impossible("nothing showed the client that the document was a draft; conflict stands for this answer");
  },
  locked: ({ errors, call }) => {
    const status = call.entry.subjectStatus;
    if (!errors.includes(423)) return impossible(`${call.operation} passes a lock`);
    if (status === undefined) return impossible(`the call concerns no document`);
    return status === "document.uploaded" ? impossible("nobody can edit a document that is being processed") : OK;
  },
  unauthorized: ({ call }) =>
    call.entry.caller?.kind === "oauth" ? OK : impossible("only access tokens expire, and the call used none"),
  not_found: ({ call, isRead }) => {
    if (call.entry.subjectStatus === undefined) return impossible(`the call concerns no document that somebody could delete`);
    if (call.entry.status === 404) return impossible(`the document was gone already`);
    return isRead || !call.creates ? OK : impossible(`the document did not exist yet`);
  },
  truncated: ({ call }) => (call.entry.responseBody === "" ? impossible("the answer has no body to cut") : OK),
  pdf_not_ready: ({ call, before }) => {
    if (!isDownload(call)) return impossible("only a download waits for its PDF");
    const isReady = before.some((one) => isDownload(one) && one.document === call.document && isWhole(one));
    if (isReady && !changesBetween(before, call)) return impossible("an earlier call showed that the PDF was ready");
    return call.entry.status === 200 ? OK : impossible("the PDF was not ready anyway");
  },
};

const isDownload = (item: Item): item is CallItem =>
  item.kind === "call" && /^download(Protected)?Document$/.test(item.operation);

const isWhole = ({ entry }: CallItem) => entry.status === 200 && !entry.injected;

/** A change of the document makes a new PDF. */
function changesBetween(before: readonly Item[], { document }: CallItem): boolean {
  const last = before.findLastIndex((one) => isDownload(one) && one.document === document && isWhole(one));
  return before
    .slice(last + 1)
    .some((one) => (one.kind === "call" ? one.entry.method !== "GET" : one.kind === "act") && one.document === document);
}

const isAnswerFault = (fault: FaultName): fault is AnswerFault => fault in CHECKS;

/** The service refuses some operations with 409 until the conversion ends, and shows the status in answers and events. */
function isProofOfConversion(service: Service, item: Item, document: string): boolean {
  if (shownStatuses(item, document).some((status) => status !== "document.uploaded")) return true;
  if (item.kind !== "call" || item.document !== document || item.entry.injected || item.creates) return false;
  const record = findOperation(service, item.operation);
  return record !== undefined && errorsOf(record).includes(409) && (item.entry.own ?? 500) < 300;
}

/** The statuses of the document that an answer or a delivered event shows to the client. */
function shownStatuses(item: Item, document: string): string[] {
  if (item.kind === "post") return isReceived(item) && item.document === document && item.status !== null ? [item.status] : [];
  if (item.kind === "act" || item.entry.injected || item.entry.networkFault !== undefined) return [];
  const { responseBody, status = 500 } = item.entry;
  return status < 300 && responseBody.startsWith("{") ? statusesIn(parseLeniently(responseBody), document) : [];
}

const isReceived = ({ signed, result }: Post) => signed === "valid" && result?.status !== undefined;

function statusesIn(value: unknown, document: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { id, status } = value as { id?: unknown; status?: unknown };
  const own = id === document && typeof status === "string" && status.startsWith("document.") ? [status] : [];
  return [...own, ...Object.values(value).flatMap((one) => statusesIn(one, document))];
}

/** What the client knows when it calls. The same fault in the same context has the same consequences. */
function contextOf(recording: Recording, call: CallItem): string {
  const { entry, document, site, cause } = call;
  const shape = entry.responseBody.startsWith("{") ? (/"status":"[^"]*"/.exec(entry.responseBody)?.[0] ?? "") : "";
  const place = site ?? `after ${previousOf(recording, call)}`;
  const of = document === undefined ? "" : `${[...recording.made].indexOf(document)}`;
  return JSON.stringify([place, of, entry.subjectStatus, entry.status, shape, cause && [cause.event, cause.status]]);
}

/** The two calls before. They stand for the unknown place in the client's code, and tell the rounds of a loop apart. */
function previousOf(recording: Recording, call: CallItem): string {
  const calls = recording.items.filter((one) => one.kind === "call");
  const at = calls.indexOf(call);
  return calls
    .slice(Math.max(0, at - 2), at)
    .map((one) => `${one.operation} ${one.entry.subjectStatus} ${one.entry.status}`)
    .join(", ");
}

function readingsOf({ switches }: Service, { entry }: CallItem): { id: string; readings: (string | number)[] }[] {
  const named = /\(assumption ([^)]+)\)/.exec(entry.why ?? "")?.[1] ?? "";
  return named.split(", ").flatMap((id) => {
    if (!switches.has(id)) return [];
    const { readings, default: standard } = switches.of(id);
    return readings === "durations" ? [] : [{ id, readings: readings.filter((one) => one !== standard) }];
  });
}

function ofPost(recording: Recording, post: Post, index: number): Candidate[] {
  const { event, nth, status } = post;
  const later = laterPost(recording, post, index);
  return faultsThatHit("delivery").map((name): Candidate => {
    const reorder =
      name !== "webhook_reordered" || !later
        ? {}
        : later.isFree
          ? { after: { event: later.post.event, status: later.post.status } }
          : { wait: later.post.at - post.at + 1000 };
    const fault = make.webhookFault(name, event, nth, reorder);
    return {
      fault,
      ...(name === "webhook_reordered" && !later ? { impossible: "no other event about this document follows" } : {}),
      key: `${name} ${event} ${status} ${[...recording.made].indexOf(post.document)}`,
      like: `${event} ${nth}`,
      weight: FAULT_RECORDS[name].weight + (status === null || !ENDS.has(status) ? 0 : CHANGES_MORE),
    };
  });
}

const ENDS = new Set(["document.completed", "document.declined", "document.voided", "document.paid"]);

/** The next event about the same document. `isFree`: the client changes nothing in between, so the event can come first. */
function laterPost(recording: Recording, post: Post, index: number): { post: Post; isFree: boolean } | undefined {
  const rest = recording.items.slice(index + 1);
  const at = rest.findIndex(
    (one) =>
      one.kind === "post" &&
      one.nth > 0 &&
      one.document === post.document &&
      (one.event !== post.event || one.status !== post.status),
  );
  if (at < 0) return undefined;
  const isFree = !rest.slice(0, at).some((one) => one.kind === "call" && one.entry.method !== "GET");
  return { post: rest[at] as Post, isFree };
}

function ofAct(recording: Recording, act: ActItem): Candidate[] {
  if (act.asked !== "sign" || act.did !== "sign") return [];
  const nth = recording.items.filter(
    (one) =>
      one.kind === "act" &&
      one.asked === "sign" &&
      one.role === act.role &&
      recording.items.indexOf(one) <= recording.items.indexOf(act),
  ).length;
  return faultsThatHit("turn").map((name) => ({
    fault: make.recipientFault(name, act.role, nth),
    key: `${name} ${act.role}`,
    like: `${act.role} 1`,
    weight: FAULT_RECORDS[name].weight,
  }));
}

export function reduce(candidates: readonly Candidate[]): {
  kept: Candidate[];
  leftOut: { candidate: Candidate; why: string }[];
} {
  const first = new Map<string, Candidate>();
  const leftOut: { candidate: Candidate; why: string }[] = [];
  const kept = candidates.filter((candidate) => {
    if (candidate.needless !== undefined) {
      leftOut.push({ candidate, why: candidate.needless });
      return false;
    }
    const other = first.get(candidate.key);
    if (!other) {
      first.set(candidate.key, candidate);
      return true;
    }
    leftOut.push({ candidate, why: `the client is in the same place as at ${other.like}` });
    return false;
  });
  return { kept, leftOut };
}
