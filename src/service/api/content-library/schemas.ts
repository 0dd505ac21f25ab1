import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { person } from "../shapes/document.ts";
import { itemContent, listedItem } from "../shapes/template.ts";

export const libraryList = lazy(() => z.strictObject({ results: z.array(z.strictObject(listedItem())) }));

export const libraryStatus = lazy(() =>
  z.strictObject({ ...listedItem(), status: z.enum(["cli.UPLOADED", "cli.PROCESSED", "cli.ERROR"]) }),
);

export const libraryDetails = lazy(() =>
  z.strictObject({ ...listedItem(), ...itemContent(), created_by: person().omit({ membership_id: true }) }),
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
