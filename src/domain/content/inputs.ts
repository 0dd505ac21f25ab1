/** Content of documents and templates in requests. */
import { lazy } from "../../core/operation.ts";
import * as z from "zod";
import { pricingTables } from "../pricing/inputs.ts";
import { actor } from "../recipients/inputs.ts";

export const tokens = lazy(() => z.array(z.object({ name: z.string(), value: z.string() })));

export const tags = lazy(() => z.array(z.string()));

export const metadata = lazy(() => z.record(z.string(), z.unknown()).nullish());

export const memberInput = lazy(() => z.object({ membership_id: z.string().optional(), email: z.string().optional() }));

/** Values by field name. assumed: a field without a value is ignored, as public clients send such fields. */
export const fieldValues = lazy(() =>
  z.record(
    z.string(),
    z.object({ value: z.union([z.boolean(), z.string(), z.number()]).nullish(), role: z.string().optional() }),
  ),
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

export const contentPlaceholders = lazy(() =>
  z.array(
    z.object({
      block_id: z.string(),
      content_library_items: z
        .array(
          z.object({
            id: z.string(),
            fields: fieldValues().optional(),
            pricing_tables: pricingTables().optional(),
            recipients: z.array(actor()).optional(),
          }),
        )
        .optional(),
    }),
  ),
);
