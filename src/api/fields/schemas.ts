import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { assignee, fieldMembers } from "../shapes/field.ts";
import { fieldLayout, optionOffset } from "../../domain/content/inputs.ts";

/** A field without a recipient has an assignee with empty members, as in the published example. */
const noAssignee = lazy(() =>
  z.strictObject({
    id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    phone: z.string(),
    recipient_type: z.string(),
    has_completed: z.boolean(),
    signing_order: z.null(),
    delivery_methods: z.strictObject({}),
    redirect: z.strictObject({}),
    type: z.literal("recipient"),
  }),
);

export const fieldList = lazy(() =>
  z.strictObject({
    fields: z.array(
      z.strictObject({
        ...fieldMembers(),
        merge_field: z.string().nullable(),
        assigned_to: z.union([noAssignee(), assignee()]),
        settings: z.strictObject({
          required: z.boolean(),
          placeholder: z.string(),
          masked: z.boolean(),
          multiline: z.boolean(),
          show_values: z.boolean().optional(),
          options: z.array(z.strictObject({ text: z.string(), position: optionOffset().optional() })).optional(),
        }),
        layout: fieldLayout(),
        section_uuid: z.string().optional(),
      }),
    ),
  }),
);
