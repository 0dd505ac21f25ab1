import * as z from "zod";
import { durationText, momentText } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";
import type { FieldValue } from "../content/rows.ts";
import type { Act } from "./acts.ts";

export const actInput = lazy(() =>
  z.strictObject({
    recipient: z.string().optional().describe("Who acts: an id, an email address or a role."),
    fields: z
      .record(z.string(), z.union([z.string(), z.boolean(), z.number(), z.null()]))
      .optional()
      .describe("Values of fields, by field name. Example: `{ Company: Client Ltd }`."),
    pricing: z
      .record(
        z.string(),
        z.strictObject({
          selected: z.boolean().optional().describe("Whether the signer takes this optional item."),
          qty: z
            .union([z.number().min(0), z.string()])
            .optional()
            .describe("The quantity that the signer enters for this item."),
        }),
      )
      .optional()
      .describe("What the signer chooses in pricing tables, by item id, SKU or name."),
    reason: z.string().optional().describe("Why the person acts, for example for `decline`."),
    text: z.string().optional().describe("The text of a comment or suggestion."),
    to: z
      .strictObject({
        email: z.string(),
        first_name: z.string().optional(),
        last_name: z.string().optional(),
        reassign: z
          .boolean()
          .optional()
          .describe("`true` also gives the fields to the receiver. Default: the receiver gets a copy to read."),
      })
      .optional()
      .describe("The person who receives a forwarded document: `email`, and names."),
    at: momentText().optional().describe("When `schedule` sends the document: an instant, or a duration from now."),
    member: z.string().optional().describe("The member who acts: a membership id or email address."),
    channel: z.enum(["sms", "email"]).optional().describe("The messages to stop or to allow again. Default: `sms`."),
    expires_in: durationText().optional().describe("How long a lock lasts. Example: `10m`."),
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
