import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { dateTimeOfSeconds } from "../shapes/document.ts";
import { reminderDays } from "../../model/sending/inputs.ts";

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
