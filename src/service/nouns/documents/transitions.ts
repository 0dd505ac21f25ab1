import type { ApiError } from "../../../engine/core/errors.ts";
import { DAY_MS } from "../../../engine/core/time-limits.ts";
import type { Progression } from "../../../engine/scenario/progression.ts";
import { wrongStatus } from "../../kit/errors.ts";
import type { World } from "../../kit/world.ts";
import type { RecipientRow, VerificationSettings } from "../people/inputs.ts";
import type { MailChoice } from "../people/mails.ts";
import { mail, mailTransition } from "../people/mails.ts";
import type { Participant } from "../people/recipients.ts";
import { withRecipient } from "../people/participants.ts";
import { planReminders } from "../people/reminder-schedule.ts";
import type { SessionRow } from "../signing/sessions.ts";
import { emit } from "../webhooks/subscriptions.ts";
import { audit, record } from "./history.ts";
import type { DocumentRow } from "./row.ts";
import { findDocument } from "./row.ts";
import type { DocumentEvent, Permission, SideEffect, Trigger } from "./status-machine.ts";
import { AUDIT_OF, EFFECTS_OF, EVENTS_OF, TRANSITIONS, isAllowedIn, next } from "./status-machine.ts";
import { statusReason } from "./status-reason.ts";

export type VerificationKind = "passcode" | "phone" | "email" | "kba" | "id";

export function pendingCheck(
  { internal, verification_settings: settings }: RecipientRow,
  place: VerificationSettings["verification_place"],
): VerificationKind | undefined {
  if (internal.verified || settings?.verification_place !== place) return undefined;
  if (settings.passcode_verification) return "passcode";
  if (settings.phone_verification) return "phone";
  if (settings.email_otp_verification) return "email";
  if (settings.kba_verification) return "kba";
  return settings.id_verification?.enabled ? "id" : undefined;
}

/** Audit codes. Source: the official description of the audit trail. */
const PASSED: Readonly<Record<VerificationKind, number>> = { kba: 47, id: 48, phone: 49, passcode: 50, email: 69 };
const FAILED: Readonly<Record<VerificationKind, number>> = { kba: 51, id: 52, phone: 53, passcode: 54, email: 70 };

export function toAuditUser({ recipient, member }: Participant): { id: string; email: string } {
  return member ? { id: member.id, email: member.email ?? "" } : { id: recipient.contact_id, email: recipient.email ?? "" };
}

/** The checks kba and id accept the answer `pass`. assumed: signing.verification_attempts. */
export function verify(
  world: World,
  document: DocumentRow,
  participant: Participant,
  kind: VerificationKind,
  answer: string,
  code?: SessionRow["code"],
): boolean {
  const passed = answer.trim() !== "" && answer.trim() === expectedAnswer(participant.recipient, kind, code);
  if (passed) pass(world, document, participant, kind);
  else audit(world, document, FAILED[kind], toAuditUser(participant));
  return passed;
}

function expectedAnswer(recipient: RecipientRow, kind: VerificationKind, code: string | undefined): string | undefined {
  if (kind === "passcode") return recipient.verification_settings?.passcode_verification?.passcode;
  return kind === "kba" || kind === "id" ? "pass" : code;
}

function pass(world: World, document: DocumentRow, participant: Participant, kind: VerificationKind): DocumentRow {
  const { recipient } = participant;
  audit(world, document, PASSED[kind], toAuditUser(participant));
  const internal = { ...recipient.internal, verified: true };
  return world.store.documents.put(withRecipient(document, recipient.id, { internal }));
}

export function mailCode(world: World, document: DocumentRow, recipient: RecipientRow, kind: "phone" | "email"): string {
  const code = String(world.ids.between(100_000, 999_999));
  const settings = recipient.verification_settings;
  mail(world, {
    kind: "verification_code",
    document,
    to: { phone: settings?.phone_verification?.phone_number, email: settings?.email_otp_verification?.email },
    channels: [kind === "phone" ? "sms" : "email"],
    message: `${code} is your code for "${document.name}".`,
  });
  return code;
}

export function passCheck(
  world: World,
  document: DocumentRow,
  participant: Participant,
  place: VerificationSettings["verification_place"],
): DocumentRow {
  const kind = pendingCheck(participant.recipient, place);
  if (!kind) return document;
  if (kind === "phone" || kind === "email") mailCode(world, document, participant.recipient, kind);
  return pass(world, document, participant, kind);
}

export const NOT_PROCESSED =
  "Warning - Document status document.uploaded doesn’t mean that the document already exists - processing happens asynchronously. Please follow the documentation section https://developers.pandadoc.com/reference/new-document";

/** A send shortly after the document became a draft. A retry after a moment works. docdouble itself never answers it. */
// assumed: send.not_ready.
export const NOT_READY = "The document isn't ready for a status transition yet";

const ACTION_WORDS = {
  edit: "update the document",
  send: "send the document",
  details: "read the document",
  embed: "open the document",
  download: "download the document",
  download_protected: "download the protected PDF of the document",
  sign: "sign the document",
} as const satisfies Partial<Record<Permission, string>>;

/** `action` replaces the words of the refusal. @throws 409 */
export function requireAllowed(
  document: DocumentRow,
  permission: keyof typeof ACTION_WORDS,
  action: string = ACTION_WORDS[permission],
): void {
  if (!isAllowedIn(document.status, permission)) throw refusal(document, action, permission);
}

export function requireProcessed(document: DocumentRow): void {
  if (!isAllowedIn(document.status, "details")) throw refusal(document, "change the document", "details");
}

function refusal(document: DocumentRow, what: string, permission: Permission): ApiError {
  const why = statusReason(document, what, permission);
  // assumed: errors.wrong_status_text.
  const info = document.status === "document.uploaded" ? NOT_PROCESSED : `Cannot ${what}: it is in ${document.status}`;
  return wrongStatus(document, info, why);
}

export function putContent(world: World, document: DocumentRow): DocumentRow {
  const now = world.clock.now();
  return world.store.documents.put({ ...document, date_modified: now, content_date_modified: now, date_of_last_action: now });
}

export function putDocument(world: World, document: DocumentRow): DocumentRow {
  const now = world.clock.now();
  return world.store.documents.put({ ...document, date_modified: now, date_of_last_action: now });
}

export interface FireOptions extends MailChoice {
  by?: { id: string; email: string };
  /** An event that comes before those of the new status, and shows the document in it. */
  before?: DocumentEvent;
}

/** Runs in the caller's transaction. @throws 409 when the document's status has no such transition */
export function fire(world: World, document: DocumentRow, trigger: Trigger, options: FireOptions = {}): DocumentRow {
  const status = next(document.status, trigger);
  if (!status) {
    const why = statusReason(document, trigger.replaceAll("_", " "), TRANSITIONS[trigger].from);
    const info =
      document.status === "document.uploaded"
        ? NOT_PROCESSED
        : `Cannot change the status of the document: it is in ${document.status}`;
    throw wrongStatus(document, info, why);
  }
  const now = world.clock.now();
  let changed: DocumentRow = {
    ...document,
    status,
    // spec: null while the document is uploaded, otherwise a short text.
    version: document.version ?? versionOf(document),
    date_status_changed: now,
    internal: { ...document.internal, path: [...document.internal.path, status] },
  };
  stopWork(world, document, status);
  const effects = EFFECTS_OF[trigger] ?? [];
  for (const effect of effects) changed = EFFECTS[effect](world, changed);
  changed = putDocument(world, changed);
  record(world, changed.id, { kind: "status", status, trigger });
  planReminders(world, changed);
  const action = AUDIT_OF[trigger];
  if (action !== undefined) audit(world, changed, action, options.by, options.reason);
  mailTransition(world, changed, trigger, options);
  if (options.before) emit(world, options.before, changed);
  world.emitHappening({ name: status, subject: changed.id });
  for (const event of EVENTS_OF[trigger]) emit(world, event, changed);
  return changed;
}

/** Work that only the old status needs ends with it. Else it would stay due and do nothing, or help a later run too early. */
function stopWork({ jobs }: World, { id, status }: DocumentRow, to: DocumentRow["status"]): void {
  if (status === "document.uploaded") jobs.cancelWhere("convert_document", { document: id });
  if (to === "document.draft") jobs.cancelWhere("make_pdf", { document: id });
}

/** spec: `ev1` makes a document from a PDF in the classic editor. assumed: documents.classic_version. */
function versionOf({ internal: { source } }: DocumentRow): string {
  return "classic" in source && source.classic ? "1" : "2";
}

const EFFECTS: Readonly<Record<SideEffect, (world: World, document: DocumentRow) => DocumentRow>> = {
  set_sent: (world, document) => ({ ...document, date_sent: world.clock.now() }),
  set_completed: (world, document) => ({ ...document, date_completed: world.clock.now() }),
  set_declined: (world, document) => ({
    ...document,
    date_declined: world.clock.now(),
    date_completed: world.reading("decline.date_completed") === "clear" ? null : document.date_completed,
  }),
  start_expiry(world, document) {
    const wait = document.internal.settings.expires_in * DAY_MS;
    if (document.internal.expire_job) world.jobs.cancel(document.internal.expire_job);
    const expire_job = world.jobs.schedule("expire_document", wait, { document: document.id });
    return { ...document, expiration_date: world.clock.after(wait), internal: { ...document.internal, expire_job } };
  },
  stop_timers(world, document) {
    if (document.internal.expire_job) world.jobs.cancel(document.internal.expire_job);
    return { ...document, internal: { ...document.internal, expire_job: null } };
  },
  /** Source: an integrator measured that old sessions end when a document moves back to draft. */
  end_sessions(world, document) {
    for (const session of world.store.sessions.where("document", document.id)) world.store.sessions.delete(session.id);
    return document;
  },
  clear_schedule(world, document) {
    if (document.internal.scheduled) world.jobs.cancel(document.internal.scheduled.job);
    return { ...document, internal: { ...document.internal, scheduled: null } };
  },
  /** spec: Move Document to Draft clears Signature and Initials fields. All other fields stay filled in, stamps too. */
  clear_signatures: (_world, document) => ({
    ...document,
    date_sent: null,
    date_completed: null,
    date_declined: null,
    expiration_date: null,
    sent_by: null,
    fields: document.fields.map((field) =>
      field.type === "signature" || field.type === "initials" ? { ...field, value: null } : field,
    ),
    recipients: document.recipients.map((recipient) => ({
      ...recipient,
      has_completed: false,
      signature_date: null,
      members: recipient.members.map((member) => ({ ...member, signature_date: null, viewed_at: null })),
      internal: { ...recipient.internal, viewed_at: null, notified_at: null },
    })),
    internal: {
      ...document.internal,
      pdf_ready: false,
      polls: 0,
      payment: document.internal.payment && { ...document.internal.payment, paid_at: null },
      approval: document.internal.approval && {
        steps: document.internal.approval.steps.map((step) => ({
          ...step,
          approvers: step.approvers.map((approver) => ({ ...approver, decision: null, at: null })),
        })),
        revision_number: document.internal.approval.revision_number + 1,
      },
    },
  }),
  make_pdf(world, document) {
    const progression = progressionOf(world, "document.pdf");
    // assumed: lifecycle.failed_pdf.
    if (progression.progression !== "fail") startStep(world, "make_pdf", document, progression, [1000, 3000]);
    return { ...document, internal: { ...document.internal, polls: 0 } };
  },
};

export function progressionOf(world: World, model: keyof World["settings"]["transitions"] & string): Progression {
  return world.settings.transitions[model as "document.pdf"] ?? { progression: "time" };
}

export function startStep(
  world: World,
  job: string,
  document: DocumentRow,
  progression: Progression,
  range_ms: readonly [number, number],
): void {
  const wait = stepDuration(world, progression, range_ms);
  if (wait !== undefined) world.jobs.schedule(job, wait, { document: document.id });
}

export function stepDuration(world: World, progression: Progression, range_ms: readonly [number, number]): number | undefined {
  if (progression.progression === "polls" || progression.progression === "manual") return undefined;
  // Always draws a number, so that the setting does not shift later ids.
  const random = world.ids.between(range_ms[0], range_ms[1]);
  if (progression.progression === "immediate") return 0;
  return "seconds" in progression && progression.seconds !== undefined ? progression.seconds * 1000 : random;
}

/** spec: a document expires 60 days after it was sent. Its settings may change that. */
export function expire(world: World, id: string): void {
  const document = findDocument(world, id);
  if (!document) return;
  // After a restore another job may have the old id.
  const withoutJob = { ...document, internal: { ...document.internal, expire_job: null } };
  if (next(document.status, "expire")) fire(world, withoutJob, "expire");
  else world.store.documents.put(withoutJob);
}

export function finishPdf(world: World, id: string): void {
  const document = findDocument(world, id);
  if (!document || !isAllowedIn(document.status, "download_protected") || document.internal.pdf_ready) return;
  const ready = world.store.documents.put({ ...document, internal: { ...document.internal, pdf_ready: true } });
  record(world, id, { kind: "act", act: "finish_pdf", who: null, input: {} });
  emit(world, "document_completed_pdf_ready", ready);
}
