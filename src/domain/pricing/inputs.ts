/** Pricing tables in requests. */
import { lazy } from "../../core/operation.ts";
import * as z from "zod";

export const pricingTables = lazy(() =>
  z.array(
    z.object({
      name: z.string(),
      data_merge: z.boolean().optional(),
      options: z.record(z.string(), z.unknown()).optional(),
      sections: z
        .array(
          z.object({
            title: z.string(),
            default: z.boolean().optional(),
            multichoice_enabled: z.boolean().optional(),
            rows: z
              .array(
                z.object({
                  options: z
                    .object({
                      qty_editable: z.boolean().optional(),
                      optional_selected: z.boolean().optional(),
                      optional: z.boolean().optional(),
                    })
                    .optional(),
                  data: z.record(z.string(), z.unknown()).optional(),
                  custom_fields: z.record(z.string(), z.unknown()).optional(),
                }),
              )
              .optional(),
          }),
        )
        .optional(),
    }),
  ),
);
