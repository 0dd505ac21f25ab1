import type { Row } from "../../store/row.ts";
import { table } from "../../store/collection.ts";
import type { DocumentStatus, Trigger } from "../document-model/status-machine.ts";

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

/** The id is the document's. */
export interface ReminderRow extends Row {
  settings: ReminderSettings;
  job: string | null;
  reminded: { [recipientId: string]: ReminderDates };
}

export const reminderTables = { reminders: table<ReminderRow>()() };

/** A status that a document took, or an act. `who` is null for acts that nobody named does, such as a lock. */
export type HistoryEvent =
  | { kind: "status"; status: DocumentStatus; trigger: Trigger }
  | {
      kind: "act";
      act: string;
      who: { id: string; name: string; email: string | null; role: string } | null;
      input: Record<string, unknown>;
    };

export interface HistoryRow extends Row {
  document_id: string;
  /** Its place in the history of the document, from 1. */
  n: number;
  at: number;
  /** The journal entry of the call that caused it; null without one. */
  call: string | null;
  /** The number of the journal's latest entry at that moment. */
  calls: number;
  event: HistoryEvent;
}

export const historyTables = {
  history: table<HistoryRow>()({ bound: { maxRows: 50_000 }, indexes: { document: (row) => row.document_id } }),
};
