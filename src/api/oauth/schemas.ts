import * as z from "zod";
import { lazy } from "../../core/operation.ts";

/** The handler reports missing members, in the error format of OAuth. */
export const tokenRequest = lazy(() =>
  z.object({
    grant_type: z.string().default(""),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
    code: z.string().optional(),
    refresh_token: z.string().optional(),
    scope: z.string().optional(),
  }),
);

export const token = lazy(() =>
  z.strictObject({
    access_token: z.string().length(40),
    token_type: z.literal("Bearer"),
    expires_in: z.number().int(),
    scope: z.string(),
    refresh_token: z.string().length(40),
  }),
);
