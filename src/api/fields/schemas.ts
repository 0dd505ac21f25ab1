import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { assignee, FIELD_TYPES, fieldMembers } from "../shapes/field.ts";

const ANCHORS = ["topleft", "topright", "bottomleft", "bottomright"] as const;

const optionOffset = () => z.object({ offset_x: z.number().default(0), offset_y: z.number().default(0) });

const fieldLayout = () =>
  z.object({
    page: z.number().int().min(0),
    position: z.object({ offset_x: z.number().min(0), offset_y: z.number().min(0), anchor_point: z.enum(ANCHORS) }),
    style: z.object({ width: z.number().int().min(0), height: z.number().int().min(0) }),
  });

export const createFieldsRequest = lazy(() =>
  z.object({
    fields: z.array(
      z.object({
        field_id: z.string().min(1).optional(),
        merge_field: z.string().optional(),
        type: z.enum(FIELD_TYPES),
        assigned_to: z.string().optional(),
        settings: z
          .object({
            required: z.boolean().optional(),
            placeholder: z.string().optional(),
            masked: z.boolean().optional(),
            multiline: z.boolean().optional(),
            show_values: z.boolean().optional(),
            options: z.array(z.object({ text: z.string(), position: optionOffset().optional() })).optional(),
          })
          .optional(),
        layout: fieldLayout(),
      }),
    ),
  }),
);

export const assignFieldsRequest = lazy(() =>
  z.object({ fields: z.array(z.object({ field_id: z.guid(), assigned_to: z.string().nullable() })).min(1) }),
);

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
