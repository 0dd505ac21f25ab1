import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { assignee, fieldMembers, personAssignee } from "../shapes/field.ts";
import { fieldLayout, optionOffset } from "../../model/content/inputs.ts";

export const fieldList = lazy(() =>
  z.strictObject({
    fields: z.array(
      z.strictObject({
        ...fieldMembers(),
        merge_field: z.string().nullable(),
        assigned_to: z.union([personAssignee().omit({ role: true, roles: true }), assignee()]),
        settings: z.strictObject({
          required: z.boolean(),
          placeholder: z.string(),
          masked: z.boolean(),
          multiline: z.boolean(),
          show_values: z.boolean().optional(),
          autofilled: z.boolean().optional(),
          options: z.array(z.strictObject({ text: z.string(), position: optionOffset().optional() })).optional(),
        }),
        layout: fieldLayout(),
        section_uuid: z.string().optional(),
      }),
    ),
  }),
);
