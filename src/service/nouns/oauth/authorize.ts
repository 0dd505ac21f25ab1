import * as z from "zod";
import { group, lazy } from "../../../engine/core/operation.ts";
import { ok, operation } from "../../kit/operation.ts";
import type { World } from "../../kit/world.ts";
import type { OAuthClientRow } from "./credentials.ts";
import { createCode, isScope, issueToken, scopesOf, toToken } from "./credentials.ts";

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

export type AuthorizeInput = Readonly<
  Record<"client_id" | "redirect_uri" | "scope" | "response_type" | "state", string | undefined>
>;

export type Decision = "approve" | "deny";

export type AuthorizeOutcome =
  /** Shown on the page, because the redirect address is not registered. */
  | { kind: "refuse"; problem: string; hint: string }
  | { kind: "ask"; client: OAuthClientRow; scopes: string[] }
  | { kind: "redirect"; url: string };

/** Checks the request, and carries out a decision. assumed: oauth.redirect_errors. */
export function authorize(world: World, input: AuthorizeInput, decision: Decision | undefined): AuthorizeOutcome {
  const client = world.store.oauth_clients.get(input.client_id ?? "");
  if (!client) {
    const known = world.store.oauth_clients.all().map((one) => one.id);
    return {
      kind: "refuse",
      problem: input.client_id ? `There is no application with the client_id ${input.client_id}.` : "The client_id is missing.",
      hint: `Known here: ${known.join(", ") || "none"}. Fixtures name more under oauth_clients.`,
    };
  }
  const { redirect_uri } = input;
  if (!redirect_uri || !isRegistered(client, redirect_uri)) {
    return {
      kind: "refuse",
      problem: redirect_uri
        ? `The redirect_uri ${redirect_uri} is not one of this application's.`
        : "The redirect_uri is missing.",
      hint: `${client.name} takes ${client.redirect_uris.map((uri) => (uri === "loopback" ? "any address on this machine" : uri)).join(", ")}.`,
    };
  }
  const back = (result: Record<string, string>) => ({
    kind: "redirect" as const,
    url: withResult(redirect_uri, input.state, result),
  });
  if (input.response_type !== "code")
    return back({ error: input.response_type ? "unsupported_response_type" : "invalid_request" });
  const words = (input.scope ?? "").trim().split(/\s+/);
  if (!isScope(input.scope ?? "")) return back({ error: "invalid_scope" });
  if (decision === "deny") return back({ error: "access_denied" });
  if (decision === undefined) return { kind: "ask", client, scopes: scopesOf(words.join(" ")) };
  return back({ code: createCode(world, client, words.join(" ")) });
}

function isRegistered(client: OAuthClientRow, uri: string): boolean {
  if (client.redirect_uris.includes(uri)) return true;
  return client.redirect_uris.includes("loopback") && isLoopback(uri);
}

export function isLoopback(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return /^https?:$/.test(protocol) && (["localhost", "[::1]"].includes(hostname) || /^127(\.\d+){3}$/.test(hostname));
}

/** Recorded redirects have the state first, also when it is empty. */
function withResult(uri: string, state: string | undefined, result: Record<string, string>): string {
  return withParameters(uri, { state: state ?? "", ...result });
}

export function withParameters(uri: string, result: Record<string, string>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(result)) url.searchParams.append(name, value);
  return url.href;
}

const token = lazy(() =>
  z.strictObject({
    access_token: z.string().length(40),
    token_type: z.literal("Bearer"),
    expires_in: z.number().int(),
    scope: z.string(),
    refresh_token: z.string().length(40),
  }),
);

export const oauthGroup = group("OAuth 2.0 Authentication", [
  operation({
    id: "accessToken",
    route: "POST /oauth2/access_token",
    dialect: "oauth",
    secret: { request: ["client_secret", "code", "refresh_token"], response: ["access_token", "refresh_token"] },
    body: tokenRequest,
    bodyKind: "urlencoded",
    responses: { 200: token },
    errors: [400],
    security: "none",
    handle: ({ body }, world) => ok(toToken(issueToken(world, body))),
  }),
]);
