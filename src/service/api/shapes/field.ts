import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { FIELD_TYPES } from "../../model/content/rows.ts";

export const personAssignee = lazy(() =>
  z.strictObject({
    id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    recipient_type: z.string(),
    has_completed: z.boolean(),
    role: z.string(),
    roles: z.array(z.string()),
    signing_order: z.number().int().nullable(),
    // Empty for a field without a recipient.
    delivery_methods: z.strictObject({ email: z.boolean().optional(), sms: z.boolean().optional() }),
    redirect: z.strictObject({ is_enabled: z.boolean().optional(), url: z.string().nullable().optional() }),
    type: z.literal("recipient"),
  }),
);

export const assignee = lazy(() =>
  z.discriminatedUnion("type", [
    personAssignee(),
    z.strictObject({
      id: z.string(),
      name: z.string(),
      recipient_type: z.string(),
      has_completed: z.boolean(),
      roles: z.array(z.string()),
      signing_order: z.number().int().nullable(),
      members: z.array(
        z.strictObject({ id: z.string(), email: z.string().nullable(), first_name: z.string(), last_name: z.string() }),
      ),
      type: z.literal("recipient_group"),
    }),
  ]),
);

export const fieldMembers = lazy(() => ({
  uuid: z.string(),
  name: z.string(),
  title: z.string(),
  placeholder: z.string(),
  value: z.union([z.string(), z.boolean(), z.record(z.string(), z.unknown()), z.null()]),
  field_id: z.string(),
  type: z.enum(FIELD_TYPES),
  merge_field: z.string().nullable().optional(),
  is_filled: z.boolean(),
}));

export const field = lazy(() => z.strictObject({ ...fieldMembers(), assigned_to: assignee() }));
