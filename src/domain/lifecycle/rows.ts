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

export interface ReminderDates {
  auto: { status: "sent" | "error"; at: number } | null;
  /** Times of the last manual reminders. */
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
