import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { dateTime, person } from "../shapes/document.ts";
import { pricing } from "../shapes/pricing.ts";
import { listedItem, templateField, templateRole } from "../shapes/template.ts";

export const libraryList = lazy(() => z.strictObject({ results: z.array(z.strictObject(listedItem())) }));

export const libraryStatus = lazy(() =>
  z.strictObject({ ...listedItem(), status: z.enum(["cli.UPLOADED", "cli.PROCESSED", "cli.ERROR"]) }),
);

export const libraryDetails = lazy(() =>
  z.strictObject({
    ...listedItem(),
    content_date_modified: dateTime(),
    created_by: person().omit({ membership_id: true }),
    metadata: z.record(z.string(), z.string()),
    tokens: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    fields: z.array(templateField()),
    pricing: pricing(),
    tags: z.array(z.string()),
    roles: z.array(templateRole()),
    content_placeholders: z.array(z.strictObject({ uuid: z.string(), block_id: z.string(), description: z.string() })),
    tables: z.array(z.strictObject({ name: z.string() })),
    images: z.array(z.strictObject({ name: z.string(), block_uuid: z.string(), urls: z.array(z.string()) })),
  }),
);

const mapping = () => z.array(z.strictObject({ original_name: z.string(), new_name: z.string() }));

export const appended = lazy(() =>
  z.strictObject({
    cli: z.strictObject({
      id: z.string(),
      pages: z.array(z.strictObject({ index: z.number().int(), name: z.string().nullable() })),
    }),
    block_mapping: z.strictObject({ tables: mapping(), pricing_tables: mapping(), images: mapping(), texts: mapping() }),
  }),
);
