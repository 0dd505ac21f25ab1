import * as z from "zod";
import { readInstant } from "../core/clock.ts";
import { DURATION_S_MAX } from "../core/time-limits.ts";
import { lazy } from "../core/operation.ts";

const instant = () =>
  z.string().transform((text, context) => {
    const read = readInstant(text);
    if (read.problem === undefined) return read.value;
    context.addIssue({ code: "custom", message: read.problem });
    return z.NEVER;
  });

export const listRequestsQuery = lazy(() =>
  z.object({ since: instant().optional(), limit: z.string().regex(/^\d+$/).optional(), unmatched: z.string().optional() }),
);

export const replaceRulesBody = lazy(() => z.union([z.array(z.unknown()), z.strictObject({ rules: z.array(z.unknown()) })]));

export const setTransitionBody = lazy(() =>
  z.strictObject({
    model: z.string(),
    progression: z.enum(["immediate", "time", "polls", "manual", "fail"]),
    seconds: z.number().min(0).max(DURATION_S_MAX).optional(),
    times: z.number().int().min(1).optional(),
    detail: z.string().optional(),
  }),
);

export const listDeliveriesQuery = lazy(() =>
  z.object({
    event: z.string().optional(),
    document_id: z.string().optional(),
    subscription: z.string().optional(),
    state: z.string().optional(),
  }),
);

export const createTenantBody = lazy(() =>
  z.strictObject({
    id: z
      .string()
      .regex(/^test-[\w.-]{1,100}$/)
      .optional(),
    keep: z.boolean().optional(),
  }),
);
