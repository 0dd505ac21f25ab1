import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";

export const token = lazy(() =>
  z.strictObject({
    access_token: z.string().length(40),
    token_type: z.literal("Bearer"),
    expires_in: z.number().int(),
    scope: z.string(),
    refresh_token: z.string().length(40),
  }),
);
