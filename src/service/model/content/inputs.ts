import { lazy } from "../../../engine/core/operation.ts";
import * as z from "zod";
import type { PricingTableInput } from "../pricing/inputs.ts";
import { FIELD_TYPES } from "./rows.ts";

export const tokens = lazy(() => z.array(z.object({ name: z.string(), value: z.string() })));

export const tags = lazy(() => z.array(z.string()));

export const metadata = lazy(() => z.record(z.string(), z.unknown()).nullish());

export const memberInput = lazy(() => z.object({ membership_id: z.string().optional(), email: z.string().optional() }));

/** assumed: fields.without_value. */
const fieldMembers = () => ({
  value: z.union([z.boolean(), z.string(), z.number()]).nullish(),
  role: z.string().optional(),
});

/** Values by field name. */
export const fieldValues = lazy(() => z.record(z.string(), z.object(fieldMembers())));

/** Source: an official example gives options to a dropdown that a field tag makes. assumed: field_tags.options. */
export const fileFieldValues = lazy(() =>
  z.record(z.string(), z.object({ ...fieldMembers(), options: z.array(z.string()).optional() })),
);

export const texts = lazy(() => z.array(z.object({ name: z.string(), data: z.string() })));

export const images = lazy(() => z.array(z.object({ name: z.string(), urls: z.array(z.string()) }).nullable()));

export const tables = lazy(() => {
  const span = () =>
    z
      .number()
      .int()
      .min(1)
      .nullish()
      .transform((cells) => cells ?? undefined);
  const cell = z.object({ text: z.string(), col_span: span(), row_span: span() });
  return z.array(
    z.object({
      name: z.string(),
      data: z.object({
        sections: z.array(z.object({ header: z.array(cell), rows: z.array(z.array(cell)) })),
      }),
    }),
  );
});

export type FieldInput = z.infer<ReturnType<typeof fileFieldValues>>[string];

export interface ContentInput {
  fields?: Record<string, FieldInput>;
  tokens?: z.infer<ReturnType<typeof tokens>>;
  texts?: z.infer<ReturnType<typeof texts>>;
  images?: z.infer<ReturnType<typeof images>>;
  tables?: z.infer<ReturnType<typeof tables>>;
  pricing_tables?: PricingTableInput[];
}

const ANCHORS = ["topleft", "topright", "bottomleft", "bottomright"] as const;

export const optionOffset = () => z.object({ offset_x: z.number().default(0), offset_y: z.number().default(0) });

export const fieldLayout = () =>
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
            autofilled: z.boolean().optional(),
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

export type FieldCreate = z.infer<ReturnType<typeof createFieldsRequest>>["fields"][number];
export type FieldAssignment = z.infer<ReturnType<typeof assignFieldsRequest>>["fields"][number];
