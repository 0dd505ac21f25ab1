import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { dateTime } from "../shapes/document.ts";

export const formList = lazy(() =>
  z.strictObject({
    results: z.array(
      z.strictObject({
        id: z.uuid(),
        name: z.string(),
        date_created: dateTime(),
        date_modified: dateTime(),
        status: z.enum(["DRAFT", "ACTIVE", "DISABLED"]),
      }),
    ),
    has_next_page: z.boolean(),
  }),
);
