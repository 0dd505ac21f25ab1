import * as z from "zod";
import { forbidden } from "../../../engine/core/errors.ts";
import { queryInt } from "../../../engine/core/inputs.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { table } from "../../../engine/store/collection.ts";
import type { Row } from "../../../engine/store/row.ts";
import { ok, operation } from "../../kit/operation.ts";
import { maybe, seconds, text, view, whole } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import { requireWorkspaceAdmin } from "../members/members.ts";
import type { Participant } from "../people/recipients.ts";
import { participantName } from "../people/participants.ts";
import type { AuditRow, DocumentRow } from "./row.ts";
import { requireDocument } from "./row.ts";
import type { DocumentStatus, Trigger } from "./status-machine.ts";

export type Channel = "email" | "sms";

export interface ReminderSettings {
  enabled: boolean;
  delivery_method: Channel;
  initial_delay_days: number;
  is_recurring: boolean;
  recurrence_frequency_days: number;
}

export interface ReminderDates {
  auto: { status: "sent" | "error"; at: number } | null;
  email: number | null;
  sms: number | null;
}

export interface ReminderRow extends Row {
  settings: ReminderSettings;
  job: string | null;
  reminded: { [recipientId: string]: ReminderDates };
}

/** `who` is null for acts without a person, such as a lock. */
export type HistoryEvent =
  | { kind: "status"; status: DocumentStatus; trigger: Trigger }
  | {
      kind: "act";
      act: string;
      who: { id: string; name: string; email: string | null; role: string } | null;
      input: Record<string, unknown>;
    };

/** `n` counts all entries of the world, and orders them. `call` is the causing journal entry, and `calls` the journal's number at that time. */
export interface HistoryRow extends Row {
  document_id: string;
  n: number;
  at: number;
  call: string | null;
  calls: number;
  event: HistoryEvent;
}

export interface CounterRow extends Row {
  latest: number;
}

export const lifecycleTables = {
  counters: table<CounterRow>()(),
  reminders: table<ReminderRow>()(),
  history: table<HistoryRow>()({ bound: { maxRows: 50_000 }, indexes: { document: (row) => row.document_id } }),
};

export const auditTrailQuery = lazy(() =>
  z.object({ limit: queryInt({ min: 1, max: 100 }).default(20), offset: queryInt({ min: 0 }).default(0) }),
);

/** Draws no random number, so ids do not depend on it. */
export function record(world: World, documentId: string, event: HistoryEvent): void {
  const n = nextNumber(world);
  world.store.history.put({
    id: `${documentId}/${n}`,
    document_id: documentId,
    n,
    at: world.clock.now(),
    call: world.journal.current ?? null,
    calls: world.journal.total,
    event,
  });
}

function nextNumber({ store: { counters } }: World): number {
  const latest = (counters.get("history")?.latest ?? 0) + 1;
  counters.put({ id: "history", latest });
  return latest;
}

export function recordAct(
  world: World,
  documentId: string,
  act: string,
  { recipient, member }: Participant,
  input: Record<string, unknown> = {},
): void {
  const { email } = member ?? recipient;
  const who = { id: (member ?? recipient).id, name: participantName({ recipient, member }), email, role: recipient.role };
  record(world, documentId, { kind: "act", act, who, input });
}

export function historyOf(world: Pick<World, "store">, documentId: string): HistoryRow[] {
  return world.store.history.where("document", documentId).sort((a, b) => a.n - b.n);
}

export function audit(
  world: World,
  document: Pick<DocumentRow, "id">,
  action: number,
  by?: { id: string; email: string },
  reason: string | null = null,
): void {
  const user = by ?? { id: world.caller.user_id, email: world.caller.email };
  world.store.audit.put({ id: world.ids.short(), document_id: document.id, action, at: world.clock.now(), user, reason });
  if (by) world.emitHappening({ name: "act", subject: document.id, act: { action, by: by.email, reason } });
}

export function auditTrail(world: World, documentId: string): AuditRow[] {
  return world.store.audit.where("document", documentId).sort((a, b) => a.at - b.at);
}

const auditUser = view<AuditRow["user"]>()({ id: text, email: text });

const auditEntry = view<AuditRow, World>()({
  id: text,
  user: auditUser,
  action: whole,
  reason: maybe(text),
  date_created: [seconds, (row) => row.at],
  // assumed: audit_trail.ip_address.
  ip_address: [maybe(text), (_, world) => (world.caller.environment === "sandbox" ? "hidden" : "127.0.0.1")],
});

const trail = lazy(() => z.strictObject({ count: z.number().int(), results: z.array(auditEntry()) }));

export const auditTrailGroup = group("Document Audit Trail", [
  operation({
    id: "listDocumentAuditTrail",
    route: "GET /public/v2/documents/{document_id}/audit-trail",
    query: auditTrailQuery,
    responses: { 200: trail },
    errors: [],
    handle: ({ params, query }, world) => {
      const document = requireDocument(world, params.document_id);
      requireWorkspaceAdmin(world, document.workspace_id, "the audit trail");
      if (world.decide("audit_trail.access") === "refuse") throw forbidden("this account has no access to the audit trail");
      const rows = auditTrail(world, document.id);
      const { limit, offset } = query;
      return ok({ count: rows.length, results: rows.slice(offset, offset + limit).map((row) => auditEntry.of(row, world)) });
    },
  }),
]);
