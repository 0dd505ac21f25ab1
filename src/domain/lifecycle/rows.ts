/** Reminders of a document. */
import type { Row } from "../../store/row.ts";
import { table } from "../../store/collection.ts";

export type Channel = "email" | "sms";

export interface ReminderSettings {
  enabled: boolean;
  delivery_method: Channel;
  initial_delay_days: number;
  is_recurring: boolean;
  recurrence_frequency_days: number;
}

/** What one recipient was sent. */
export interface ReminderDates {
  /** The last automatic one. */
  auto: { status: "sent" | "error"; at: number } | null;
  /** The last manual ones, by channel. */
  email: number | null;
  sms: number | null;
}

/** Of one document; its id is the document's. */
export interface ReminderRow extends Row {
  settings: ReminderSettings;
  /** The job that sends what is due next. */
  job: string | null;
  /** By recipient id. */
  reminded: { [recipientId: string]: ReminderDates };
}

export const reminderTables = { reminders: table<ReminderRow>()() };
