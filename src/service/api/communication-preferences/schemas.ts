import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { dateTimeOfSeconds } from "../shapes/document.ts";

export const smsOptOutList = lazy(() =>
  z.strictObject({
    results: z.array(
      z.strictObject({ phone_number: z.string(), status: z.enum(["opt-in", "opt-out"]), opt_out_changed: dateTimeOfSeconds() }),
    ),
  }),
);
