import * as z from "zod";
import { durationText, momentText } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";
import type { FieldValue } from "../content/rows.ts";
import type { Act } from "./acts.ts";

export const actInput = lazy(() =>
  z.strictObject({
    recipient: z.string().optional(),
    fields: z.record(z.string(), z.union([z.string(), z.boolean(), z.number(), z.null()])).optional(),
    pricing: z
      .record(
        z.string(),
        z.strictObject({ selected: z.boolean().optional(), qty: z.union([z.number().min(0), z.string()]).optional() }),
      )
      .optional(),
    reason: z.string().optional(),
    text: z.string().optional(),
    to: z
      .strictObject({
        email: z.string(),
        first_name: z.string().optional(),
        last_name: z.string().optional(),
        reassign: z.boolean().optional(),
      })
      .optional(),
    at: momentText().optional(),
    member: z.string().optional(),
    channel: z.enum(["sms", "email"]).optional(),
    expires_in: durationText().optional(),
  }),
);
/** The library also accepts the objects that a field holds. */
export type ActInput = Omit<z.infer<ReturnType<typeof actInput>>, "fields"> & { fields?: Record<string, FieldValue> };
export type ForwardInput = Partial<NonNullable<ActInput["to"]>>;

/** The members that the input of each act takes. */
export const ACT_INPUT: Readonly<Record<Act, readonly (keyof ActInput)[]>> = {
  view: ["recipient"],
  fill: ["recipient", "fields", "pricing"],
  sign: ["recipient", "fields", "pricing"],
  decline: ["recipient", "reason"],
  approve: ["member"],
  reject: ["member", "reason"],
  // The payer pays, even when the input names another recipient.
  pay: ["recipient"],
  pay_fail: ["recipient", "reason"],
  review: ["recipient", "text"],
  accept_review: [],
  comment: ["recipient", "text"],
  forward: ["recipient", "to"],
  schedule: ["at"],
  expire: [],
  remind: ["recipient"],
  opt_out: ["recipient", "channel"],
  opt_in: ["recipient", "channel"],
  lock: ["member", "expires_in"],
  unlock: [],
  fail: ["reason"],
  process: [],
  finish_pdf: [],
};
