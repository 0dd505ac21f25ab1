/**
 * Faults of answers: valid ones that the client has not seen before, and reads that lag behind. The official description closes no list of
 * members, declares the status of `statusDocument` and `sendDocument` as plain text, and names the members that may be null.
 */
import { getOrMake } from "../../engine/core/maps.ts";
import { parseLeniently } from "../../engine/core/text.ts";
import type { Service } from "../../engine/runtime/service.ts";
import * as make from "./faults.ts";
import type { CallItem, Item } from "./recording.ts";

export interface NewAnswer {
  fault: make.Fault;
  impossible?: string;
  needless?: string;
  /** Replaces the key that stands for the place in the client. */
  key?: string;
}

interface Facts {
  service: Service;
  call: CallItem;
  isRead: boolean;
  before: readonly Item[];
  made: ReadonlySet<string>;
}

export function newAnswers(facts: Facts): NewAnswer[] {
  const { call } = facts;
  const { entry } = call;
  const isOwn = !entry.injected && entry.networkFault === undefined && (entry.status ?? 500) < 300;
  const value = isOwn ? objectIn(entry.responseBody) : undefined;
  return [newStatus(facts, value), ...newMembers(facts, value), staleRead(facts)];
}

function objectIn(text: string): Record<string, unknown> | undefined {
  const value = text.startsWith("{") ? parseLeniently(text) : undefined;
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** These statuses are ends, or come before the only status that may follow. */
const FIXED = new Set(["document.completed", "document.declined", "document.voided", "document.paid", "document.error"]);

function newStatus({ call, isRead, before }: Facts, value: Record<string, unknown> | undefined): NewAnswer {
  const { operation, nth, entry } = call;
  const fault = make.answerPatch("new_status", operation, nth, [{ op: "add", path: "/status", value: make.UNKNOWN_STATUS }]);
  const status = value?.status;
  if (typeof status !== "string" || !status.startsWith("document."))
    return { fault, impossible: "the answer shows no status of a document" };
  if (FIXED.has(status)) return { fault, impossible: `the document has reached its end: ${status}` };
  // spec: the answer to a create shows the first status.
  if (call.creates) return { fault, impossible: `a new document always begins as ${status}` };
  // A later poll would also shorten a wait with a limit.
  const isPolled = before.some((one) => one.kind === "call" && one.operation === operation && one.entry.url === entry.url);
  return {
    fault,
    ...(isRead && isPolled ? { needless: "at a later poll, an unknown status may shorten an honest wait" } : {}),
  };
}

/**
 * What happened to the document, or what its author or template says, fixes these members. Where one has a value, no status allows a null.
 * spec: a sent document has a date of expiration, and it is null before.
 */
const FACTS = new Set([
  "expiration_date",
  "sent_by",
  "signature_date",
  "value",
  "merge_field",
  "template",
  "email",
  "preassigned_person",
  "approval_execution",
  "lock",
]);
const isFact = (name: string) => name.startsWith("date_") || FACTS.has(name);

function newMembers({ service, call, before }: Facts, value: Record<string, unknown> | undefined): NewAnswer[] {
  const { operation, nth } = call;
  const added = make.answerPatch("new_member", operation, nth, [
    { op: "add", path: `/${make.NEW_MEMBER}`, value: { score: 0.5, labels: ["new"], checked_at: null } },
  ]);
  if (!value) {
    const impossible = "the answer has no members";
    return [
      { fault: added, impossible },
      { fault: make.answerPatch("null_member", operation, nth, []), impossible },
    ];
  }
  const sent = before.flatMap((one) => (one.kind === "call" && one.entry.method !== "GET" ? [one.entry.body] : [])).join("\n");
  const names = nullableMembers(service, operation).filter(
    (name) => (value[name] ?? null) !== null && !isFact(name) && !isGiven(name, value[name], sent),
  );
  const nulled = make.answerPatch(
    "null_member",
    operation,
    nth,
    names.map((name) => ({ op: "add", path: `/${name}`, value: null })),
  );
  return [
    { fault: added, key: `new_member ${operation}` },
    names.length > 0
      ? { fault: nulled, key: `null_member ${operation} ${names.join()}` }
      : { fault: nulled, impossible: "no member of the answer can become null here" },
  ];
}

/** The client wrote the member itself, so it knows the value. */
function isGiven(name: string, value: unknown, sent: string): boolean {
  return sent.includes(`"${name}"`) || (typeof value === "string" && value.length > 2 && sent.includes(JSON.stringify(value)));
}

const nullable = new WeakMap<Service, Map<string, readonly string[]>>();

function nullableMembers(service: Service, operation: string): readonly string[] {
  const known = nullable.get(service) ?? new Map<string, readonly string[]>();
  nullable.set(service, known);
  return getOrMake(known, operation, () => service.language.answersOf(operation).flatMap(nullableIn));
}

function nullableIn(schema: unknown): string[] {
  const { shape } = schema as { shape?: Record<string, { safeParse(value: unknown): { success: boolean } }> };
  return Object.entries(shape ?? {}).flatMap(([name, one]) => (one.safeParse(null).success ? [name] : []));
}

/** A read cannot lag behind by more than this. */
const LAG_MS_MAX = 60_000;
const LISTS = new Set(["listDocuments"]);

/** Only a client that knows of a change can notice that a read does not show it. */
function staleRead({ call, before, made }: Facts): NewAnswer {
  const { operation, nth, document, entry, at } = call;
  const isList = LISTS.has(operation);
  const mine = before.filter((one): one is CallItem => one.kind === "call" && one.entry.method !== "GET");
  const known = (one: CallItem) => isAnswered(one) && one.document !== undefined && made.has(one.document);
  const change = mine.findLast((one) => known(one) && (isList ? one.creates : one.document === document && isMove(one)));
  const fault = make.staleRead(operation, nth, Math.max(1, Math.ceil(at - (change?.at ?? at) + 1)));
  if (entry.method !== "GET") return { fault, impossible: "only reads lag behind" };
  if (entry.injected || (entry.status ?? 500) >= 300) return { fault, impossible: "the read fails anyway" };
  if (!isList && document === undefined) return { fault, impossible: "the read is about no document" };
  if (!change)
    return {
      fault,
      impossible: `the client ${isList ? "made no document" : "changed no status of the document"} before the read`,
    };
  if (at - change.at >= LAG_MS_MAX) return { fault, impossible: "no read lags behind for so long" };
  if (isList && mine.some((one) => one.entry.own === 201 && !isAnswered(one)))
    return { fault, impossible: "the client cannot know the document, as its creation got no answer" };
  const since = before.slice(before.indexOf(change));
  const isRead = since.some((one) => one.kind === "call" && one.entry.url === entry.url && isAnswered(one));
  return { fault, ...(isRead ? { needless: "an earlier read of the same lags behind in the same way" } : {}) };
}

const isAnswered = ({ entry }: CallItem) => !entry.injected && entry.networkFault === undefined && (entry.own ?? 500) < 300;

/** A call that moves a document to another status. */
const isMove = ({ operation }: CallItem) => operation === "sendDocument" || operation.startsWith("changeDocumentStatus");
