import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { FORM_ORDERS } from "../../domain/forms/forms.ts";
import { dateTime } from "../shapes/document.ts";
import { FORM_STATUSES } from "../../domain/forms/rows.ts";
import { listOf, queryBool, queryInt } from "../../core/inputs.ts";

export const listQuery = lazy(() =>
  z.object({
    count: queryInt({ min: 1, max: 100 }).default(50),
    page: queryInt({ min: 1 }).default(1),
    status: listOf(z.enum(FORM_STATUSES)),
    order_by: z.enum(FORM_ORDERS).optional(),
    asc: queryBool().optional(),
    name: z.string().optional(),
  }),
);

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
