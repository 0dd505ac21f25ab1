import type { TransitionTable } from "../../../engine/core/machine.ts";
import { next as nextIn } from "../../../engine/core/machine.ts";

/** In the order of their numeric codes. spec: States and transitions. */
export const STATUSES = [
  "document.draft",
  "document.sent",
  "document.completed",
  "document.uploaded",
  "document.error",
  "document.viewed",
  "document.waiting_approval",
  "document.approved",
  "document.rejected",
  "document.waiting_pay",
  "document.paid",
  "document.voided",
  "document.declined",
  "document.external_review",
  "document.scheduled",
] as const;

export type DocumentStatus = (typeof STATUSES)[number];

export function statusWords(status: string): string {
  return status.replace("document.", "").replaceAll("_", " ");
}

export function codeOf(status: DocumentStatus): number {
  return STATUSES.indexOf(status);
}

export function statusOf(code: number): DocumentStatus | undefined {
  return STATUSES[code];
}

export type Trigger =
  | "process"
  | "fail"
  | "schedule"
  | "send"
  | "request_approval"
  | "approve"
  | "reject"
  | "view"
  | "review"
  | "accept_review"
  | "complete"
  | "await_payment"
  | "pay"
  | "decline"
  | "expire"
  | "revert"
  | ManualTrigger;

export type ManualTrigger = "complete_manually" | "void_manually" | "pay_manually" | "decline_manually";

const ANY = STATUSES;

/** The manual matrix of the specification. Columns: completed, void, paid, declined. assumed: documents.manual_matrix. */
export const MANUAL_CHANGE = {
  "document.draft": /*        */ [true, false, true, true],
  "document.approved": /*     */ [false, false, false, false],
  "document.sent": /*         */ [true, true, false, true],
  "document.viewed": /*       */ [true, true, false, true],
  "document.completed": /*    */ [false, false, false, true],
  "document.waiting_pay": /*  */ [false, false, true, true],
  "document.paid": /*         */ [false, false, false, false],
  "document.voided": /*       */ [true, false, true, true],
  "document.declined": /*     */ [true, false, true, false],
} as const satisfies Partial<Record<DocumentStatus, readonly [boolean, boolean, boolean, boolean]>>;

export const MANUAL_TRIGGERS = {
  2: "complete_manually",
  11: "void_manually",
  10: "pay_manually",
  12: "decline_manually",
} as const satisfies Record<number, ManualTrigger>;

export type ManualCode = 2 | 10 | 11 | 12;

function manual(column: 0 | 1 | 2 | 3): DocumentStatus[] {
  return (Object.keys(MANUAL_CHANGE) as (keyof typeof MANUAL_CHANGE)[]).filter((status) => MANUAL_CHANGE[status][column]);
}

/** spec: Transitions; where it is silent, the status table of the official description and its life-cycle pages. */
export const TRANSITIONS = {
  process: { from: ["document.uploaded"], to: "document.draft" },
  fail: { from: ["document.uploaded"], to: "document.error" },
  schedule: { from: ["document.draft"], to: "document.scheduled" },
  send: { from: ["document.draft", "document.approved", "document.scheduled"], to: "document.sent" },
  request_approval: { from: ["document.draft", "document.scheduled"], to: "document.waiting_approval" },
  approve: { from: ["document.waiting_approval"], to: "document.approved" },
  reject: { from: ["document.waiting_approval"], to: "document.rejected" },
  view: { from: ["document.sent"], to: "document.viewed" },
  review: { from: ["document.sent", "document.viewed"], to: "document.external_review" },
  accept_review: { from: ["document.external_review"], to: "document.sent" },
  complete: { from: ["document.sent", "document.viewed"], to: "document.completed" },
  await_payment: { from: ["document.sent", "document.viewed"], to: "document.waiting_pay" },
  pay: { from: ["document.waiting_pay"], to: "document.paid" },
  decline: { from: ["document.sent", "document.viewed"], to: "document.declined" },
  // assumed: lifecycle.expiry_in_review.
  expire: {
    from: ["document.sent", "document.viewed", "document.external_review", "document.waiting_pay"],
    to: "document.voided",
  },
  // spec: any status except removed. assumed: revert.uploaded.
  revert: { from: ANY, to: "document.draft" },
  complete_manually: { from: manual(0), to: "document.completed" },
  void_manually: { from: manual(1), to: "document.voided" },
  pay_manually: { from: manual(2), to: "document.paid" },
  decline_manually: { from: manual(3), to: "document.declined" },
} as const satisfies TransitionTable<DocumentStatus, Trigger>;

export function next(status: DocumentStatus, trigger: Trigger): DocumentStatus | undefined {
  return nextIn<DocumentStatus, Trigger>(TRANSITIONS, status, trigger);
}

export function triggersIn(status: DocumentStatus): Trigger[] {
  return (Object.keys(TRANSITIONS) as Trigger[]).filter((trigger) => next(status, trigger) !== undefined);
}

const FINAL: readonly DocumentStatus[] = ["document.completed", "document.paid", "document.voided", "document.declined"];
export const NOT_FINAL: readonly DocumentStatus[] = STATUSES.filter((status) => !FINAL.includes(status));
const OUT_FOR_SIGNATURE: readonly DocumentStatus[] = ["document.sent", "document.viewed"];
const PROCESSED = STATUSES.filter((status) => status !== "document.uploaded" && status !== "document.error");

/** spec: Update, Send, Document reminders. The official text refuses details only while the document is processed. assumed: details.failed_document. */
export const ALLOWED_IN = {
  edit: ["document.draft"],
  send: ["document.draft", "document.approved"],
  details: STATUSES.filter((status) => status !== "document.uploaded"),
  /** Sessions are refused in draft, waiting_approval, rejected and declined. assumed: sessions.nothing_to_view. assumed: sessions.unprocessed. */
  embed: ["document.sent", "document.viewed", "document.waiting_pay", "document.paid", "document.completed"],
  /** assumed: download.before_completion. */
  download: PROCESSED,
  download_protected: ["document.completed", "document.paid"],
  remind: OUT_FOR_SIGNATURE,
  sign: OUT_FOR_SIGNATURE,
  change_cc: STATUSES.filter((status) => status !== "document.voided" && status !== "document.declined"),
  change_signer: [
    "document.draft",
    "document.waiting_approval",
    "document.approved",
    "document.rejected",
    "document.sent",
    "document.viewed",
  ],
  notify: ["document.sent", "document.viewed", "document.completed", "document.waiting_pay", "document.paid"],
  final: FINAL,
  expires: TRANSITIONS.expire.from,
} as const satisfies Record<string, readonly DocumentStatus[]>;

export type Permission = keyof typeof ALLOWED_IN;

export function isAllowedIn(status: DocumentStatus, what: Permission): boolean {
  return (ALLOWED_IN[what] as readonly DocumentStatus[]).includes(status);
}

/** All statuses of a document, in the order of its life. Lists and filters follow it. */
export const LIFE: readonly DocumentStatus[] = [
  "document.uploaded",
  "document.error",
  "document.draft",
  "document.waiting_approval",
  "document.approved",
  "document.rejected",
  "document.scheduled",
  "document.sent",
  "document.viewed",
  "document.external_review",
  "document.declined",
  "document.voided",
  "document.waiting_pay",
  "document.paid",
  "document.completed",
];

export function isBeforeViewed(status: DocumentStatus): boolean {
  return LIFE.indexOf(status) < LIFE.indexOf("document.viewed");
}

/** The 13 public events of the service, and two of the specification. */
export const EVENTS = [
  "recipient_completed",
  "document_updated",
  "document_deleted",
  "document_state_changed",
  "document_creation_failed",
  "document_completed_pdf_ready",
  "document_section_added",
  "quote_updated",
  "template_created",
  "template_updated",
  "template_deleted",
  "content_library_item_created",
  "content_library_item_creation_failed",
  "document_created",
  "document_completed",
] as const;

export type EventName = (typeof EVENTS)[number];

/** Events of templates and content library items have other data. */
export type DocumentEvent = Exclude<EventName, `template_${string}` | `content_library_item_${string}`>;

const CHANGED: readonly DocumentEvent[] = ["document_state_changed"];
const COMPLETED: readonly DocumentEvent[] = ["document_state_changed", "document_completed"];

export const EVENTS_OF: Readonly<Record<Trigger, readonly DocumentEvent[]>> = {
  // assumed: lifecycle.event_order. spec: Operation to event. `document_completed_pdf_ready` follows when the PDF is made.
  process: ["document_state_changed", "document_created"],
  fail: ["document_creation_failed"],
  schedule: CHANGED,
  send: CHANGED,
  request_approval: CHANGED,
  approve: CHANGED,
  reject: CHANGED,
  view: CHANGED,
  review: CHANGED,
  accept_review: CHANGED,
  complete: COMPLETED,
  await_payment: CHANGED,
  pay: CHANGED,
  decline: CHANGED,
  expire: CHANGED,
  revert: ["document_state_changed", "document_updated"],
  complete_manually: COMPLETED,
  void_manually: CHANGED,
  pay_manually: CHANGED,
  decline_manually: CHANGED,
};

export type SideEffect =
  | "set_sent"
  | "clear_schedule"
  | "set_completed"
  | "set_declined"
  | "start_expiry"
  | "stop_timers"
  | "clear_signatures"
  | "end_sessions"
  | "make_pdf";

export const EFFECTS_OF: Readonly<Partial<Record<Trigger, readonly SideEffect[]>>> = {
  send: ["set_sent", "start_expiry", "clear_schedule"],
  request_approval: ["clear_schedule"],
  complete: ["set_completed", "stop_timers", "make_pdf"],
  complete_manually: ["set_completed", "stop_timers", "make_pdf"],
  // assumed: lifecycle.paid_pdf.
  pay: ["set_completed", "stop_timers", "make_pdf"],
  pay_manually: ["set_completed", "stop_timers", "make_pdf"],
  decline: ["set_declined", "stop_timers"],
  decline_manually: ["set_declined", "stop_timers"],
  expire: ["stop_timers"],
  void_manually: ["stop_timers"],
  revert: ["clear_signatures", "end_sessions", "stop_timers", "clear_schedule"],
};

/** Audit trail codes of transitions. Source: the official description of the audit trail. */
export const AUDIT_OF: Readonly<Partial<Record<Trigger, number>>> = {
  process: 1,
  revert: 2,
  request_approval: 3,
  approve: 4,
  reject: 5,
  send: 6,
  complete: 7,
  await_payment: 10,
  pay: 11,
  expire: 13,
  complete_manually: 18,
  void_manually: 19,
  pay_manually: 20,
  decline_manually: 27,
  review: 29,
  decline: 43,
};
