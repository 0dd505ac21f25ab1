import { iso, isoOrNull } from "../../engine/core/clock.ts";
import type { Permission } from "../nouns/documents/status-machine.ts";
import { ALLOWED_IN, codeOf, isAllowedIn, next, triggersIn } from "../nouns/documents/status-machine.ts";
import { amountDue } from "../nouns/pricing/tables.ts";
import { currentSigners, displayName, waitsForTurn } from "../nouns/people/participants.ts";
import { isDecided } from "../nouns/signing/approvals.ts";
import type { JobRow } from "../../engine/jobs/rows.ts";
import type { Tenant } from "../kit/world.ts";
import type { DocumentRow } from "../nouns/documents/row.ts";
import type { RecipientRow } from "../nouns/people/inputs.ts";
import type { Act } from "../kit/names.ts";

export interface PossibleAct {
  act: Act;
  recipient: string | null;
}

export function toDocumentLine(document: DocumentRow, now: number) {
  return {
    id: document.id,
    name: document.name,
    status: document.status,
    workspace_id: document.workspace_id,
    created: iso(document.date_created),
    modified: iso(document.date_modified),
    deleted: document.internal.deleted_at !== null,
    locked: isLocked(document, now),
    turn: turnOf(document).map(displayName),
    recipients: document.recipients.length,
  };
}

export function toDocumentState(tenant: Tenant, document: DocumentRow) {
  const now = tenant.clock.now();
  const turn = new Set(turnOf(document).map((one) => one.id));
  const { lock, path, approval, payment, failure, alias, environment } = document.internal;
  const isAsking = next(document.status, "approve") !== undefined;
  const open = approval?.steps.find((step) => !isDecided(step));
  return {
    ...toDocumentLine(document, now),
    status_code: codeOf(document.status),
    environment,
    alias,
    scheduled: isoOrNull(document.internal.scheduled?.at ?? null),
    sent: isoOrNull(document.date_sent),
    completed: isoOrNull(document.date_completed),
    expires: isoOrNull(document.expiration_date),
    path,
    next: triggersIn(document.status).map((trigger) => ({ trigger, to: next(document.status, trigger) ?? document.status })),
    allows: (Object.keys(ALLOWED_IN) as Permission[]).filter((what) => isAllowedIn(document.status, what)),
    acts: actsOf(document, now),
    recipients: document.recipients.map((one) => toRecipientState(one, turn.has(one.id))),
    lock: isLocked(document, now) && lock ? { locked_by_user_id: lock.locked_by_user_id, expires: iso(lock.expires_at) } : null,
    approval: approval?.steps.map((step) => ({
      type: step.group.type,
      approvers: step.approvers
        .filter((one) => one.is_selected)
        .map(({ membership_id, decision }) => ({
          membership_id,
          name: memberName(tenant, membership_id),
          decision,
          is_asked: isAsking && step === open && decision === null,
        })),
    })),
    payment: payment && {
      amount: amountDue(document, payment.amount, payment.currency),
      currency: payment.currency,
      paid: isoOrNull(payment.paid_at),
    },
    failure,
    notes: document.internal.notes.map((note) => toNote(tenant, note)),
    jobs: jobsOf(tenant, document.id).map(toJob),
  };
}

export type DocumentState = ReturnType<typeof toDocumentState>;

function toRecipientState(one: RecipientRow, isTurn: boolean) {
  return {
    id: one.id,
    name: displayName(one),
    email: one.email,
    phone: one.phone,
    role: one.role,
    recipient_type: one.recipient_type,
    signing_order: one.signing_order,
    has_completed: one.has_completed,
    viewed: isoOrNull(one.internal.viewed_at),
    is_turn: isTurn,
  };
}

/** assumed: admin.document_note. */
function toNote(tenant: Tenant, { text, by, at, file_id }: DocumentRow["internal"]["notes"][number]) {
  const file = file_id === null ? undefined : tenant.store.files.get(file_id);
  return {
    text,
    by: memberName(tenant, by),
    at: iso(at),
    file: file ? { name: file.name, type: file.type, size: Buffer.byteLength(file.base64, "base64") } : null,
  };
}

export function toJob(job: JobRow) {
  return { id: job.id, kind: job.kind, due: iso(job.due), payload: job.payload };
}

function isLocked(document: DocumentRow, now: number): boolean {
  return document.internal.lock !== null && document.internal.lock.expires_at > now;
}

export function turnOf(document: DocumentRow): RecipientRow[] {
  return isAllowedIn(document.status, "sign") ? currentSigners(document) : [];
}

function memberName(tenant: Tenant, id: string): string {
  const member = tenant.store.members.get(id);
  return (member && tenant.store.users.get(member.user_id)?.email) ?? id;
}

export function jobsOf(tenant: Tenant, id: string): JobRow[] {
  return tenant.scheduler.pending().filter(({ payload }) => {
    const values = Object.values(payload);
    return (
      values.includes(id) || values.some((one) => typeof one === "string" && tenant.store.deliveries.get(one)?.subject === id)
    );
  });
}

function actsOf(document: DocumentRow, now: number): PossibleAct[] {
  const { status, internal } = document;
  if (internal.deleted_at !== null) return [];
  const acts: PossibleAct[] = [];
  const add = (act: Act, isPossible: boolean, recipient: string | null = null) => {
    if (isPossible) acts.push({ act, recipient });
  };
  const turn = new Set(turnOf(document).map((one) => one.id));
  for (const one of document.recipients) {
    const isUp = turn.has(one.id);
    // Recipients cannot view the document before their turn.
    const sees = isAllowedIn(status, "embed") && !(isAllowedIn(status, "sign") && waitsForTurn(document, one));
    add("view", sees && one.internal.viewed_at === null, one.id);
    add("sign", isUp, one.id);
    add("fill", isUp && document.fields.some((field) => field.recipient_id === one.id), one.id);
    add("comment", sees, one.id);
    add("forward", sees && isAllowedIn(status, "sign") && internal.forwarding.forwarding_allowed && !one.has_completed, one.id);
    add("review", isUp && next(status, "review") !== undefined, one.id);
    add("decline", isUp, one.id);
  }
  add("process", status === "document.uploaded");
  add("fail", status === "document.uploaded");
  add("schedule", next(status, "schedule") !== undefined);
  add("approve", next(status, "approve") !== undefined);
  add("reject", next(status, "reject") !== undefined);
  add("pay", next(status, "pay") !== undefined);
  add("pay_fail", next(status, "pay") !== undefined);
  add("accept_review", next(status, "accept_review") !== undefined);
  add("finish_pdf", isAllowedIn(status, "download_protected") && !internal.pdf_ready);
  add("expire", next(status, "expire") !== undefined);
  add("lock", !isLocked(document, now));
  add("unlock", isLocked(document, now));
  return acts;
}
