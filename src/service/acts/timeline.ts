import { iso } from "../../engine/core/clock.ts";
import type { HistoryRow } from "../nouns/documents/history.ts";
import { historyOf } from "../nouns/documents/history.ts";
import type { DocumentRow } from "../nouns/documents/row.ts";
import type { DocumentStatus } from "../nouns/documents/status-machine.ts";
import type { EmailRow } from "../nouns/people/mails.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import { isAbout, isSameRead } from "../../engine/journal/same-calls.ts";
import { shownUrl, shownWhy } from "../../engine/journal/redacted-call.ts";
import type { DeliveryRow, JobRow, Origin } from "../../engine/jobs/rows.ts";
import type { Tenant } from "../kit/world.ts";
import { jobsOf } from "./document-state.ts";

/** Each entry carries its row. Instants are epoch milliseconds on the tenant's clock. */
export type TimelineEntry = { id: string; at: number } & (
  | { kind: "call"; call: JournalEntry; repeats: number; until: number }
  | { kind: "status"; status: DocumentStatus; trigger: string; call: string | null }
  | { kind: "act"; act: string; who: Actor | null; input: Record<string, unknown>; call: string | null }
  | { kind: "mail"; mail: EmailRow }
  | { kind: "delivery"; delivery: DeliveryRow; attempt: number | null }
  | { kind: "due"; job: JobRow }
);

type Actor = NonNullable<Extract<HistoryRow["event"], { kind: "act" }>["who"]>;

/** `place` orders entries of one instant. A call has its number, and its effects have fractions. */
type Placed = TimelineEntry & { place: number; origin?: Origin };

function isOf({ origin }: Placed, { call, calls }: Origin): boolean {
  return origin !== undefined && (call === null ? origin.call === null && origin.calls === calls : origin.call === call);
}

const LAST = 2 ** 40;

/** Begins with the oldest entry and ends with due jobs. `folded` joins equal reads, and fields that one act filled in. */
export function timelineOf(tenant: Tenant, document: DocumentRow, { folded = true } = {}): TimelineEntry[] {
  const calls = numbered(tenant).filter(({ entry }) => isAbout(entry, document.id));
  const past = [
    ...calls.map(({ entry, number }) => callEntry(entry, number)),
    ...historyEntries(document, historyOf(tenant.world, document.id), calls),
  ];
  const entries: Placed[] = [
    ...past,
    ...tenant.store.emails.where("document", document.id).map((mail) => mailEntry(mail, past)),
    ...tenant.store.deliveries.where("subject", document.id).flatMap((row) => deliveryEntries(row, past)),
    ...jobsOf(tenant, document.id).map((job) => ({ id: `due-${job.id}`, at: job.due, kind: "due" as const, job, place: LAST })),
  ];
  const sorted = entries.sort((a, b) => Number(a.kind === "due") - Number(b.kind === "due") || a.at - b.at || a.place - b.place);
  return (folded ? fold(sorted) : sorted).map(({ place: _, origin: __, ...entry }) => entry as TimelineEntry);
}

function numbered({ journal }: Tenant): { entry: JournalEntry; number: number }[] {
  const first = journal.total - journal.size + 1;
  return journal.all().map((entry, i) => ({ entry, number: first + i }));
}

function callEntry(call: JournalEntry, number: number): Placed {
  return {
    id: `call-${call.id}`,
    at: call.at,
    kind: "call",
    call,
    repeats: 1,
    until: call.at,
    place: number,
    origin: { call: call.id, calls: number - 1 },
  };
}

function historyEntries(
  document: DocumentRow,
  rows: readonly HistoryRow[],
  calls: readonly { entry: JournalEntry; number: number }[],
): Placed[] {
  const numbers = new Map(calls.map(({ entry, number }) => [entry.id, number]));
  const creation = calls.find(({ entry }) => entry.subject !== document.id);
  const [status = document.status] = document.internal.path;
  const born: Placed = {
    id: "status-0",
    at: document.date_created,
    kind: "status",
    status,
    trigger: "create",
    call: creation?.entry.id ?? null,
    place: creation ? creation.number + 0.05 : -1,
    ...(creation ? { origin: { call: creation.entry.id, calls: creation.number - 1 } } : {}),
  };
  return [
    born,
    ...rows.map((row, i): Placed => {
      const number = row.call === null ? undefined : numbers.get(row.call);
      const place = (number === undefined ? row.calls + 0.5 : number + 0.1) + (i + 1) * 1e-5;
      return {
        id: `${row.event.kind}-${row.n}`,
        at: row.at,
        call: row.call,
        ...row.event,
        place,
        origin: { call: row.call, calls: row.calls },
      };
    }),
  ];
}

const CAUSE: Readonly<Record<string, string>> = {
  recipient_completed: "sign",
  comment: "comment",
  forwarded: "forward",
  reminder: "remind",
};

function isCause(entry: Placed, name: string, status: string | null): boolean {
  if (entry.kind === "act") return CAUSE[name] === entry.act;
  return entry.kind === "status" && CAUSE[name] === undefined && (status === null || entry.status === status);
}

/**
 * The place behind the cause. Only what the same call made can be the cause, or what happened after the same number of calls.
 */
function placeAfter(
  past: readonly Placed[],
  effect: { at: number; origin: Origin; name: string; status: string | null },
): number {
  const { origin, name, status } = effect;
  const now = past.filter((one) => one.at === effect.at && isOf(one, origin));
  const cause = now.findLast((one) => isCause(one, name, status)) ?? now.findLast((one) => one.kind !== "call") ?? now[0];
  if (cause) return cause.place + (cause.kind === "call" ? 0.2 : 1e-6);
  return origin.calls + 0.6;
}

const MAIL_STATUS: Readonly<Record<string, string>> = {
  sent: "document.sent",
  completed: "document.completed",
  paid: "document.paid",
  declined: "document.declined",
  expired: "document.voided",
  approval_request: "document.waiting_approval",
  approved: "document.approved",
  rejected: "document.rejected",
  suggested_edits: "document.external_review",
};

function mailEntry(mail: EmailRow, past: readonly Placed[]): Placed {
  const place = placeAfter(past, {
    at: mail.created,
    origin: mail.origin,
    name: mail.kind,
    status: MAIL_STATUS[mail.kind] ?? null,
  });
  return { id: `mail-${mail.id}`, at: mail.created, kind: "mail", mail, place };
}

function deliveryEntries(delivery: DeliveryRow, past: readonly Placed[]): Placed[] {
  const { created, origin, event, status } = delivery;
  const place = placeAfter(past, { at: created, origin, name: event, status }) + 1e-7;
  const base = { kind: "delivery" as const, delivery };
  if (delivery.attempts.length === 0) return [{ ...base, id: `delivery-${delivery.id}`, at: created, attempt: null, place }];
  // A later attempt comes before the calls of its instant, because the clock moved before them.
  return delivery.attempts.map(({ at }, attempt) => ({
    ...base,
    id: `delivery-${delivery.id}-${attempt + 1}`,
    at,
    attempt,
    place,
  }));
}

function fold(entries: readonly Placed[]): Placed[] {
  const folded: Placed[] = [];
  for (const entry of entries) {
    const before = folded.at(-1);
    if (before?.kind === "call" && entry.kind === "call" && isSameRead(before.call, entry.call))
      folded[folded.length - 1] = { ...before, call: entry.call, repeats: before.repeats + 1, until: entry.at };
    else if (before?.kind === "act" && entry.kind === "act" && isSameFill(before, entry))
      folded[folded.length - 1] = { ...before, input: joinedInput(before.input, entry.input) };
    else folded.push(entry);
  }
  return folded;
}

type ActEntry = Extract<TimelineEntry, { kind: "act" }>;

function isSameFill(a: ActEntry, b: ActEntry): boolean {
  return a.act === "fill" && b.act === "fill" && a.at === b.at && a.who?.id === b.who?.id;
}

export function joinedInput(a: Record<string, unknown>, b: Record<string, unknown>): Record<string, unknown> {
  const part = (name: string) =>
    a[name] === undefined && b[name] === undefined ? {} : { [name]: { ...(a[name] as object), ...(b[name] as object) } };
  return { ...part("fields"), ...part("pricing") };
}

export function toTimelineView(entry: TimelineEntry) {
  const base = { at: iso(entry.at), kind: entry.kind };
  switch (entry.kind) {
    case "call": {
      const { call, repeats } = entry;
      return {
        ...base,
        request_id: call.id,
        operation: call.operationId ?? null,
        method: call.method,
        url: shownUrl(call),
        status: call.status ?? null,
        rule: call.rule ?? null,
        why: shownWhy(call) ?? null,
        repeats,
      };
    }
    case "status":
      return { ...base, status: entry.status, trigger: entry.trigger, request_id: entry.call };
    case "act":
      return { ...base, act: entry.act, recipient: entry.who, input: entry.input, request_id: entry.call };
    case "mail":
      return { ...base, mail_id: entry.mail.id, mail: entry.mail.kind, to: entry.mail.to, subject: entry.mail.subject };
    case "delivery": {
      const { delivery, attempt } = entry;
      const made = attempt === null ? undefined : delivery.attempts[attempt];
      return {
        ...base,
        delivery_id: delivery.id,
        event: delivery.event,
        status: delivery.status,
        subscription: delivery.subscriber_name,
        state: delivery.state,
        attempt: attempt === null ? null : attempt + 1,
        answer: made?.status ?? null,
        why: made?.reason ?? null,
      };
    }
    case "due":
      return { ...base, job_id: entry.job.id, job: entry.job.kind };
  }
}
