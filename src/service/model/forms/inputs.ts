import * as z from "zod";
import { listOf, queryBool, queryInt } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";
import { actInput } from "../signing/inputs.ts";
import { FORM_STATUSES } from "./rows.ts";

export const FORM_ORDERS = ["name", "responses", "status", "created_date", "modified_date"] as const;

export const formsQuery = lazy(() =>
  z.object({
    count: queryInt({ min: 1, max: 100 }).default(50),
    page: queryInt({ min: 1 }).default(1),
    status: listOf(z.enum(FORM_STATUSES)),
    order_by: z.enum(FORM_ORDERS).optional(),
    asc: queryBool().optional(),
    name: z.string().optional(),
  }),
);
export type FormsQuery = z.infer<ReturnType<typeof formsQuery>>;

export const submissionInput = lazy(() =>
  z.strictObject({
    email: z.email(),
    first_name: z.string().optional(),
    last_name: z.string().optional(),
    phone: z.string().optional(),
    fields: actInput().shape.fields,
  }),
);
export type SubmissionInput = z.infer<ReturnType<typeof submissionInput>>;
