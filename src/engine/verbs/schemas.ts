import * as z from "zod";
import { DURATION_S_MAX } from "../core/time-limits.ts";
import { lazy } from "../core/operation.ts";

export const setTransitionBody = lazy(() =>
  z.strictObject({
    model: z.string(),
    progression: z.enum(["immediate", "time", "polls", "manual", "fail"]),
    seconds: z.number().min(0).max(DURATION_S_MAX).optional(),
    times: z.number().int().min(1).optional(),
    detail: z.string().optional(),
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
