import * as z from "zod";
import { queryInt } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";

export const auditTrailQuery = lazy(() =>
  z.object({ limit: queryInt({ min: 1, max: 100 }).default(20), offset: queryInt({ min: 0 }).default(0) }),
);
