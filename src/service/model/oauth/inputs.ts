import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";

/** assumed: oauth.member_token_minimum. */
export const memberTokenInput = lazy(() => z.object({ lifetime: z.number().int().min(1).max(86_400).default(3600) }));

/** The handler reports missing members, in the error format of OAuth. */
export const tokenRequest = lazy(() =>
  z.object({
    grant_type: z.string().default(""),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
    code: z.string().optional(),
    refresh_token: z.string().optional(),
    scope: z
      .string()
      .meta({ enum: ["read", "write", "read write", "read+write"] })
      .optional(),
  }),
);
export type TokenRequest = z.infer<ReturnType<typeof tokenRequest>>;
