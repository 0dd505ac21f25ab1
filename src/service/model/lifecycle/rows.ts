import type { Row } from "../../../engine/store/row.ts";
import { table } from "../../../engine/store/collection.ts";
import type { DocumentStatus, Trigger } from "../documents/status-machine.ts";

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
