import { lazy } from "../../../engine/core/operation.ts";
import * as z from "zod";
import type { ManualCode } from "../documents/status-machine.ts";
import { uploadedFile } from "../../../engine/core/inputs.ts";
import { deliveryMethods } from "../recipients/inputs.ts";

export const sendRequest = lazy(() =>
  z.object({
    message: z.string().nullish(),
    subject: z.string().nullish(),
    silent: z.boolean().optional(),
    sender: z.object({ membership_id: z.string().optional(), email: z.string().optional() }).nullish(),
    forwarding_settings: z
      .object({ forwarding_allowed: z.boolean().optional(), forwarding_with_reassigning_allowed: z.boolean().optional() })
      .nullish(),
    reply_to: z.email().nullish(),
    selected_approvers: z
      .object({
        steps: z.array(
          z.object({
            id: z.string(),
            group: z.object({
              id: z.string(),
              type: z.string(),
              // A caller copies these steps from details, with the decisions.
              assignees: z.array(z.object({ user: z.string(), is_selected: z.boolean(), decision: z.string().nullish() })),
            }),
          }),
        ),
      })
      .nullish(),
  }),
);

export const statusRequest = lazy(() =>
  z.object({
    status: z.union([
      z.literal(2),
      z.literal(10),
      z.literal(11),
      z.literal(12),
      // The official client sends the codes as text.
      z.enum(["2", "10", "11", "12"]).transform((code) => Number(code) as ManualCode),
    ]),
    note: z.string().optional(),
    notify_recipients: z.boolean().optional(),
  }),
);

/** The official description requires only the status. */
export const statusUploadRequest = lazy(() => z.object({ file: uploadedFile().optional(), data: statusRequest() }));

const HUNDRED_YEARS_S = 3_155_760_000;

/** spec: session default 3600 s. Less than a year is only advised. assumed: sessions.lifetime. */
export const sessionRequest = lazy(() =>
  z.object({ recipient: z.string().min(1), lifetime: z.number().min(1).max(HUNDRED_YEARS_S).default(3600) }),
);

/** Source: the official schema AutoReminders. */
export const reminderDays = () => z.number().int().min(1).max(180);

export const reminderSettingsRequest = lazy(() =>
  z.object({
    enabled: z.boolean(),
    delivery_method: z.enum(["email", "sms"]).optional(),
    initial_delay_days: reminderDays().optional(),
    is_recurring: z.boolean().optional(),
    recurrence_frequency_days: reminderDays().optional(),
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

export type SendInput = z.infer<ReturnType<typeof sendRequest>>;
export type SelectedSteps = NonNullable<SendInput["selected_approvers"]>["steps"];
export type StatusInput = z.infer<ReturnType<typeof statusRequest>>;
export type SessionInput = z.infer<ReturnType<typeof sessionRequest>>;
export type ReminderSettingsInput = z.infer<ReturnType<typeof reminderSettingsRequest>>;
export type ManualReminder = z.infer<ReturnType<typeof manualRemindersRequest>>["reminders"][number];
