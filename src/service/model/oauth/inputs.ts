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

/** Further members of RFC 7591 are taken and ignored. */
export const mcpRegistration = lazy(() =>
  z.object({
    client_name: z.string().nullish(),
    redirect_uris: z.array(z.string()),
    token_endpoint_auth_method: z.enum(["none", "client_secret_post", "client_secret_basic"]).nullish(),
    grant_types: z.array(z.string()).nullish(),
    response_types: z.array(z.string()).nullish(),
    scope: z.string().nullish(),
  }),
);
export type McpRegistration = z.infer<ReturnType<typeof mcpRegistration>>;

export const mcpTokenRequest = lazy(() => {
  const text = z.string().optional();
  return z.object({
    grant_type: text,
    client_id: text,
    client_secret: text,
    code: text,
    redirect_uri: text,
    code_verifier: text,
    refresh_token: text,
    resource: text,
    scope: text,
  });
});
export type McpTokenRequest = z.infer<ReturnType<typeof mcpTokenRequest>>;
