import { createHash } from "node:crypto";
import { ApiError } from "../../../engine/core/errors.ts";
import type { World } from "../../kit/world.ts";
import { findPerson } from "../members/members.ts";
import type { Decision, McpRegistration, McpTokenRequest } from "./authorize.ts";
import { isLoopback, withParameters } from "./authorize.ts";
import type { McpClientRow, OAuthCodeRow, RefreshableToken } from "./credentials.ts";
import { CODE_LIFETIME_MS, TOKEN_LIFETIME_S, putToken, scopesOf } from "./credentials.ts";

/** Clients of the MCP server: agents that register themselves, and agents that name a document about themselves. */

export interface McpClient {
  id: string;
  name: string;
  /** Empty for a client that proves itself by PKCE alone. */
  client_secret: string;
  takes(redirectUri: string): boolean;
}

/** Undefined for an unknown client. assumed: mcp.client_documents. */
export function findMcpClient(world: World, id: string | undefined): McpClient | undefined {
  if (id === undefined) return undefined;
  const row = world.store.mcp_clients.get(id);
  if (row) return { ...row, takes: (uri) => row.redirect_uris.includes(uri) };
  if (!id.startsWith("https://") || !URL.canParse(id)) return undefined;
  return { id, name: new URL(id).hostname, client_secret: "", takes: isLoopback };
}

const NAME_MAX = 200;
const URIS_MAX = 20;
const URI_MAX = 2000;

/** @throws an OAuth error with status 400 */
export function registerMcpClient(world: World, input: McpRegistration): McpClientRow {
  const { client_name, redirect_uris, token_endpoint_auth_method: method } = input;
  if (redirect_uris.length === 0 || redirect_uris.length > URIS_MAX)
    throw mcpOAuthError("invalid_redirect_uri", `redirect_uris holds 1 to ${URIS_MAX} addresses`);
  for (const uri of redirect_uris) {
    const problem = redirectProblem(uri);
    if (problem !== undefined) throw mcpOAuthError("invalid_redirect_uri", problem);
  }
  return world.store.mcp_clients.put({
    id: world.ids.uuid(),
    client_secret: method === "none" ? "" : world.ids.hex(64),
    name: (client_name ?? "An agent without a name").slice(0, NAME_MAX),
    redirect_uris,
  });
}

/** A browser would run some of these addresses as a script, or would lose the code on the way. */
function redirectProblem(uri: string): string | undefined {
  if (uri.length > URI_MAX || !URL.canParse(uri)) return "a redirect URI is not an address";
  const { protocol, hash } = new URL(uri);
  if (hash !== "" || uri.endsWith("#")) return `the redirect URI ${uri} has a fragment`;
  if (/^(javascript|data|vbscript|file|blob|about):$/.test(protocol)) return `a redirect URI may not begin with ${protocol}`;
  if (protocol === "http:" && !isLoopback(uri)) return `the redirect URI ${uri} is neither https nor on this machine`;
  return undefined;
}

export function mcpOAuthError(code: string, why: string, status: 400 | 401 = 400): ApiError {
  return new ApiError("oauth", why, { status, body: { error: code, error_description: why }, isExact: true, why });
}

/** The authorization of agents at the MCP server: PKCE, codes, tokens. It stands beside the OAuth of the public API, which needs a secret. */

export const MCP_SCOPES = ["read", "read+write"] as const;

type McpAuthorizeInput = Readonly<
  Record<
    "client_id" | "redirect_uri" | "scope" | "response_type" | "state" | "code_challenge" | "code_challenge_method" | "resource",
    string | undefined
  >
>;

type McpAuthorizeOutcome =
  | { kind: "refuse"; problem: string; hint: string }
  | { kind: "ask"; client: McpClient; membership_id: string; scopes: string[] }
  | { kind: "redirect"; url: string };

const HINT = "An agent registers its addresses with POST /register, or names a document about itself as its client_id.";

/** A base64url text of a SHA-256. */
const CHALLENGE = /^[\w-]{43}$/;

/** Checks the request, and carries out a decision. assumed: mcp.authorize_errors. */
export function authorizeMcp(
  world: World,
  input: McpAuthorizeInput,
  decision: Decision | undefined,
  isResource: (address: string) => boolean,
): McpAuthorizeOutcome {
  const { client_id, redirect_uri, state, code_challenge, code_challenge_method, resource } = input;
  const client = findMcpClient(world, client_id);
  if (!client)
    return {
      kind: "refuse",
      problem: client_id ? `There is no agent with the client_id ${client_id}.` : "The client_id is missing.",
      hint: HINT,
    };
  if (!redirect_uri || !client.takes(redirect_uri))
    return {
      kind: "refuse",
      problem: redirect_uri ? `The redirect_uri ${redirect_uri} is not one of this agent's.` : "The redirect_uri is missing.",
      hint: HINT,
    };
  const back = (result: Record<string, string>) => ({
    kind: "redirect" as const,
    url: withParameters(redirect_uri, { ...result, ...(state === undefined ? {} : { state }) }),
  });
  const wrong = (error: string, error_description: string) => back({ error, error_description });
  if (input.response_type !== "code") return wrong("unsupported_response_type", "response_type is not code");
  if (code_challenge_method !== "S256" || !CHALLENGE.test(code_challenge ?? ""))
    return wrong("invalid_request", "PKCE is required: send code_challenge and code_challenge_method=S256");
  if (resource !== undefined && !isResource(resource))
    return wrong("invalid_target", `the resource ${resource} is not this MCP server`);
  const scope = input.scope?.trim() ?? "";
  if (!isMcpScope(scope)) return wrong("invalid_scope", "the scopes are read and read+write");
  if (decision === "deny") return wrong("access_denied", "the person denied the request");
  const membership_id = memberOf(world);
  if (decision === undefined) return { kind: "ask", client, membership_id, scopes: scopesOf(scope) };
  const id = world.ids.hex(40);
  world.store.oauth_codes.put({
    id,
    client_id: client.id,
    membership_id,
    scope: scope || "read+write",
    expires_at: world.clock.after(CODE_LIFETIME_MS),
    used: false,
    mcp: { redirect_uri, code_challenge: code_challenge as string, resource: resource ?? null },
  });
  return back({ code: id });
}

/** A client may leave the plus of `read+write` unescaped. It then arrives as a space. */
function isMcpScope(scope: string): boolean {
  return (
    scope === "" ||
    scope.split(/\s+/).every((word, i, words) => /^read(\+write)?$/.test(word) || (word === "write" && words[i - 1] === "read"))
  );
}

/** The person who consents: the owner of the first production key, else the first member. assumed: mcp.member. */
function memberOf({ store }: World): string {
  const key = store.api_keys.all().find((one) => one.environment === "production" && !one.revoked);
  return key?.membership_id ?? store.members.first()?.id ?? "";
}

export function mcpMemberEmail(world: World, membershipId: string): string {
  return findPerson(world, membershipId)?.user.email ?? "";
}

/** @throws an OAuth error with status 400 or 401. assumed: mcp.token_lifetime. */
export function issueMcpToken(world: World, input: McpTokenRequest): RefreshableToken {
  const { grant_type } = input;
  if (grant_type !== "authorization_code" && grant_type !== "refresh_token")
    throw mcpOAuthError("unsupported_grant_type", "grant_type is neither authorization_code nor refresh_token");
  const client = requireClient(world, input);
  const row = grant_type === "authorization_code" ? redeem(world, client, input) : refresh(world, client, input);
  return putToken(world, client.id, row.membership_id, row.scope, { mcp: true });
}

function requireClient(world: World, { client_id, client_secret }: McpTokenRequest): McpClient {
  if (!client_id) throw mcpOAuthError("invalid_request", "client_id is missing");
  const client = findMcpClient(world, client_id);
  if (!client) throw mcpOAuthError("invalid_client", "no agent has this client_id", 401);
  if (client.client_secret !== "" && client.client_secret !== client_secret)
    throw mcpOAuthError("invalid_client", "the client_secret is missing or wrong", 401);
  return client;
}

function redeem(world: World, client: McpClient, input: McpTokenRequest): OAuthCodeRow {
  const { code, redirect_uri, code_verifier, resource } = input;
  if (!code) throw mcpOAuthError("invalid_request", "code is missing");
  const row = world.store.oauth_codes.get(code);
  if (row?.client_id !== client.id || !row.mcp) throw invalidGrant("no such code for this client");
  if (row.used) throw invalidGrant("the code was used already; get a new code");
  if (row.expires_at <= world.clock.now()) throw invalidGrant("the code has expired");
  if (redirect_uri !== undefined && redirect_uri !== row.mcp.redirect_uri)
    throw invalidGrant("the redirect_uri is not the one of the code");
  if (resource !== undefined && row.mcp.resource !== null && resource !== row.mcp.resource)
    throw mcpOAuthError("invalid_target", "the resource is not the one of the code");
  if (!code_verifier || challengeOf(code_verifier) !== row.mcp.code_challenge)
    throw invalidGrant("the code_verifier is missing or does not fit the code_challenge");
  world.store.oauth_codes.put({ ...row, used: true });
  return row;
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** assumed: oauth.refresh_rotation. */
function refresh(world: World, client: McpClient, { refresh_token }: McpTokenRequest) {
  if (!refresh_token) throw mcpOAuthError("invalid_request", "refresh_token is missing");
  const row = world.store.tokens.where("refresh_token", refresh_token)[0];
  if (row?.client_id !== client.id || row.revoked || !row.mcp)
    throw invalidGrant("no such refresh token, or one that was used already");
  world.store.tokens.put({ ...row, revoked: true });
  return row;
}

function invalidGrant(why: string): ApiError {
  return mcpOAuthError("invalid_grant", why);
}

export function toMcpToken(row: RefreshableToken) {
  return {
    access_token: row.id,
    token_type: "Bearer" as const,
    expires_in: TOKEN_LIFETIME_S,
    scope: row.scope,
    refresh_token: row.refresh_token,
  };
}
