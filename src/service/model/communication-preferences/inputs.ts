import * as z from "zod";
import { instant } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";

export const smsOptOutsQuery = lazy(() => z.object({ timestamp_from: instant().optional(), timestamp_to: instant().optional() }));
export type SmsOptOutsQuery = z.infer<ReturnType<typeof smsOptOutsQuery>>;
