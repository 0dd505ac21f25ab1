import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { dateTimeOfSeconds } from "../shapes/document.ts";
import { deliveryMethods } from "../../domain/recipients/inputs.ts";

/** Source: the official schema AutoReminders. */
const reminderDays = () => z.number().int().min(1).max(180);

export const reminderSettingsRequest = lazy(() =>
  z.object({
    enabled: z.boolean(),
    delivery_method: z.enum(["email", "sms"]).optional(),
    initial_delay_days: reminderDays().optional(),
    is_recurring: z.boolean().optional(),
    recurrence_frequency_days: reminderDays().optional(),
  }),
);

export const settings = lazy(() =>
  z.strictObject({
    enabled: z.boolean(),
    delivery_method: z.enum(["email", "sms"]),
    initial_delay_days: reminderDays(),
    is_recurring: z.boolean(),
    recurrence_frequency_days: reminderDays(),
  }),
);

export const status = lazy(() =>
  z.strictObject({
    reminders: z.array(z.strictObject({ recipient_id: z.string(), status: z.enum(["sent", "error", "scheduled"]) })),
  }),
);

export const manualRemindersRequest = lazy(() =>
  z.object({
    reminders: z.array(
      z.object({
        recipient_id: z.string(),
        delivery_methods: deliveryMethods(),
        email_customization: z
          .object({ subject: z.string().max(512).nullish(), message: z.string().max(5000).nullish() })
          .optional(),
      }),
    ),
  }),
);

const outcome = () =>
  z.discriminatedUnion("status", [
    z.strictObject({ status: z.literal("sent"), sent_at: dateTimeOfSeconds() }),
    z.strictObject({ status: z.literal("error"), detail: z.string() }),
  ]);

export const manualResult = lazy(() =>
  z.strictObject({
    result: z.array(
      z.strictObject({
        recipient_id: z.string(),
        sms: outcome().optional(),
        email: outcome().optional(),
        email_customization: z.strictObject({ subject: z.string().nullable(), message: z.string().nullable() }).optional(),
      }),
    ),
  }),
);
