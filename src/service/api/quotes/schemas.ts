import { lazy } from "../../../engine/core/operation.ts";
import * as z from "zod";
import { quote } from "../shapes/pricing.ts";

/** Source: version 8.20.0 of the official description. Its further status is internal_error. */
export const batch = lazy(() =>
  z.strictObject({
    count: z.number().int(),
    results: z.array(
      z.union([
        z.strictObject({ id: z.string(), status: z.literal("ok"), quote: quote() }),
        z.strictObject({
          id: z.string(),
          status: z.enum(["validation_error", "not_in_document", "not_found", "conflict"]),
          description: z.string(),
        }),
      ]),
    ),
  }),
);
