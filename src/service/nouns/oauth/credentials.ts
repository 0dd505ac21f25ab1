import type { ApiError } from "../../../engine/core/errors.ts";
import { credentialsMissing, credentialsWrong, oauthError } from "../../../engine/core/errors.ts";
import { table } from "../../../engine/store/collection.ts";
import type { Row } from "../../../engine/store/row.ts";
import type { Caller, World } from "../../kit/world.ts";
import type { Person } from "../members/members.ts";
import { findPerson, requireMembership, requireOrgAdmin } from "../members/members.ts";
import type { ApiKeyRow } from "../workspaces/row.ts";
import type { TokenRequest } from "./authorize.ts";

export interface OAuthClientRow extends Row {
  client_secret: string;
  name: string;
  /** Exact URIs; `loopback` allows every URI on this machine. */
  redirect_uris: string[];
  membership_id: string;
}

/** An agent that registered itself with the MCP server. `client_secret` is empty for a client that proves itself by PKCE alone. */
export interface McpClientRow extends Row {
  client_secret: string;
  name: string;
  /** Exact URIs. */
  redirect_uris: string[];
}

export interface OAuthCodeRow extends Row {
  client_id: string;
  membership_id: string;
  scope: string;
  expires_at: number;
  used: boolean;
  /** Present for codes of the MCP server. */
  mcp?: McpGrant;
}

/** What a code of the MCP server is bound to. */
interface McpGrant {
  redirect_uri: string;
  /** The SHA-256 of the code verifier, in base64url. */
  code_challenge: string;
  /** The address of the MCP server that the client named. */
  resource: string | null;
}

export interface TokenRow extends Row {
  /** Null for a member token, like `client_id`. */
  refresh_token: string | null;
  client_id: string | null;
  membership_id: string;
  scope: string;
  expires_at: number;
  revoked: boolean;
  /** The MCP server issued the token. */
  mcp?: true;
}

export const oauthTables = {
  oauth_clients: table<OAuthClientRow>()(),
  mcp_clients: table<McpClientRow>()({ bound: { maxRows: 1000 } }),
  oauth_codes: table<OAuthCodeRow>()({ bound: { maxRows: 10_000 } }),
  tokens: table<TokenRow>()({ bound: { maxRows: 10_000 }, indexes: { refresh_token: (row) => row.refresh_token } }),
};

/** spec: Limits, Access token lifetime. */
export const TOKEN_LIFETIME_S = 31_535_999;
/** assumed: oauth.code_lifetime. */
export const CODE_LIFETIME_MS = 10 * 60_000;
export const SCOPES = ["read", "write", "read+write"] as const;
/** Recorded answers have this text. */
const DEPRECATED_SCOPE = "read+write";
const ALL_SCOPES = "read write read+write";

export interface Credentials {
  readonly scheme: "api-key" | "bearer";
  readonly secret: string;
}

let latestHeader: string | undefined;
let latest: Credentials | undefined;

/** Keeps the latest result, because a client repeats its header. assumed: auth.scheme_case. */
export function parseAuthorization(header: string | undefined): Credentials | undefined {
  if (header === undefined) return undefined;
  if (header === latestHeader) return latest;
  const match = /^(api-key|bearer) +(\S+)\s*$/i.exec(header);
  latest = match
    ? { scheme: (match[1] as string).toLowerCase() as Credentials["scheme"], secret: match[2] as string }
    : undefined;
  latestHeader = header;
  return latest;
}

export function authenticate(world: World, header: string | undefined): Caller | ApiError {
  const credentials = parseAuthorization(header);
  if (!credentials)
    return header
      ? credentialsWrong(
          "the Authorization header is neither `API-Key <key>` nor `Bearer <token>`",
          "Authentication credentials were not provided.",
        )
      : credentialsMissing();
  return credentials.scheme === "api-key" ? byKey(world, credentials.secret) : byToken(world, credentials.secret);
}

function byKey(world: World, key: string): Caller | ApiError {
  const row = world.store.api_keys.get(key);
  if (!row) {
    const ones = world.store.api_keys.get("docdouble-key")
      ? "the default ones are docdouble-key and docdouble-sandbox-key"
      : "the fixtures of this server define its keys";
    return credentialsWrong(`no such API key; ${ones}, or use any test-<name>`);
  }
  if (row.revoked) return credentialsWrong("a newer API key of the same type replaced this key");
  return toCaller(world, row);
}

function byToken(world: World, token: string): Caller | ApiError {
  const row = world.store.tokens.get(token);
  if (!row) {
    const isKey = world.store.api_keys.get(token) !== undefined;
    if (isKey && world.decide("auth.key_as_bearer") === "accept") return byKey(world, token);
    return credentialsWrong(
      isKey ? "an API key was sent as Bearer; send `Authorization: API-Key <key>`" : "no such access token",
    );
  }
  if (row.revoked) return credentialsWrong("the access token was replaced by a refresh");
  if (row.expires_at <= world.clock.now())
    return credentialsWrong(`the access token has expired; ${row.refresh_token === null ? "make a new one" : "refresh it"}`);
  return toCaller(world, row);
}

function toCaller(world: World, credential: ApiKeyRow | TokenRow): Caller | ApiError {
  const person = findPerson(world, credential.membership_id);
  if (!person?.member.is_active || person.user.removed)
    return credentialsWrong("the user of these credentials was removed from the workspace");
  const { member, user } = person;
  if (!world.store.workspaces.get(member.workspace_id)?.active)
    return credentialsWrong("the workspace of these credentials was deactivated");
  const cached = callers.get(credential);
  if (cached?.member === member && cached.user === user) return cached.caller;
  const isKey = "environment" in credential;
  const caller: Caller = {
    kind: isKey ? "api_key" : "oauth",
    environment: isKey ? credential.environment : "production",
    scopes: isKey ? SCOPES : scopesOf(credential.scope),
    credential: credential.id,
    membership_id: member.id,
    user_id: user.id,
    email: user.email,
    workspace_id: member.workspace_id,
    role: member.role,
  };
  callers.set(credential, { member, user, caller });
  return caller;
}

/** Rows never change in place, so the same row objects mean the same caller. */
const callers = new WeakMap<ApiKeyRow | TokenRow, Person & { caller: Caller }>();

/** Whether the text has only known scopes, in any order. Source: the newest description, which calls `read+write` deprecated. */
export function isScope(scope: string): boolean {
  return scope
    .trim()
    .split(/\s+/)
    .every((word) => (SCOPES as readonly string[]).includes(word));
}

/** Forms may encode the space between two scopes as `+`. */
export function scopesOf(scope: string): string[] {
  const words = scope.trim() === "" ? ["read+write"] : scope.trim().split(/\s+/);
  return words.includes("read+write") || (words.includes("read") && words.includes("write"))
    ? ["read", "write", "read+write"]
    : words;
}

/** spec: Authentication 3 to 7. assumed: oauth.error_codes. */
export function issueToken(world: World, input: TokenRequest): RefreshableToken {
  if (input.grant_type !== "authorization_code" && input.grant_type !== "refresh_token") {
    throw oauthError(
      "unsupported_grant_type",
      `grant_type ${JSON.stringify(input.grant_type)} is neither authorization_code nor refresh_token`,
    );
  }
  const client = requireClient(world, input);
  if (input.scope !== undefined && !isScope(input.scope))
    throw oauthError("invalid_scope", `the scope ${JSON.stringify(input.scope)} is not read, write or read write`);
  if (input.scope?.split(/\s+/).includes(DEPRECATED_SCOPE))
    world.remark({
      kind: "deprecated_parameter",
      message: `the scope ${DEPRECATED_SCOPE} of accessToken is deprecated`,
      fix: "Send the scope read write, with a space.",
    });
  return input.grant_type === "authorization_code"
    ? redeemCode(world, client, input.code)
    : refresh(world, client, input.refresh_token);
}

function requireClient(world: World, input: TokenRequest): OAuthClientRow {
  const missing = (["client_id", "client_secret"] as const).find((name) => !input[name]);
  if (missing) throw oauthError("invalid_request", `${missing} is missing`);
  const client = world.store.oauth_clients.get(input.client_id as string);
  if (client?.client_secret !== input.client_secret)
    throw oauthError("invalid_client", "unknown client_id or wrong client_secret");
  return client as OAuthClientRow;
}

function redeemCode(world: World, client: OAuthClientRow, code: string | undefined): RefreshableToken {
  if (!code) throw oauthError("invalid_request", "code is missing");
  const row = world.store.oauth_codes.get(code);
  if (row?.client_id !== client.id) throw oauthError("invalid_grant", "no such code for this client");
  if (row.used) throw oauthError("invalid_grant", "the code was used already; get a new code");
  if (row.expires_at <= world.clock.now()) throw oauthError("invalid_grant", "the code has expired");
  world.store.oauth_codes.put({ ...row, used: true });
  return putToken(world, client.id, row.membership_id, row.scope);
}

/** spec: the new access token replaces the old one. assumed: oauth.refresh_rotation. */
function refresh(world: World, client: OAuthClientRow, refreshToken: string | undefined): RefreshableToken {
  if (!refreshToken) throw oauthError("invalid_request", "refresh_token is missing");
  const row = world.store.tokens.where("refresh_token", refreshToken)[0];
  if (row?.client_id !== client.id || row.revoked)
    throw oauthError("invalid_grant", "no such refresh token, or one that was used already");
  world.store.tokens.put({ ...row, revoked: true });
  return putToken(world, client.id, row.membership_id, row.scope);
}

export type RefreshableToken = TokenRow & { refresh_token: string };

export function putToken(
  world: World,
  client_id: string,
  membership_id: string,
  scope: string,
  more: Pick<TokenRow, "mcp"> = {},
): RefreshableToken {
  const row: RefreshableToken = {
    id: world.ids.hex(40),
    refresh_token: world.ids.hex(40),
    client_id,
    membership_id,
    scope,
    expires_at: world.clock.after(TOKEN_LIFETIME_S * 1000),
    revoked: false,
    ...more,
  };
  world.store.tokens.put(row);
  return row;
}

/** assumed: oauth.member_token. */
export function createMemberToken(world: World, memberId: string, lifetime_s: number): TokenRow {
  requireOrgAdmin(world, "making a member token");
  const { member } = requireMembership(world, memberId);
  return world.store.tokens.put({
    id: world.ids.hex(40),
    refresh_token: null,
    client_id: null,
    membership_id: member.id,
    scope: "read+write",
    expires_at: world.clock.after(lifetime_s * 1000),
    revoked: false,
  });
}

export function createCode(world: World, client: OAuthClientRow, scope: string): string {
  const id = world.ids.hex(40);
  world.store.oauth_codes.put({
    id,
    client_id: client.id,
    membership_id: client.membership_id,
    scope: scope || "read+write",
    expires_at: world.clock.after(CODE_LIFETIME_MS),
    used: false,
  });
  return id;
}

export function toToken(row: RefreshableToken) {
  return {
    access_token: row.id,
    token_type: "Bearer" as const,
    expires_in: TOKEN_LIFETIME_S,
    scope: scopesOf(row.scope).includes("read+write") ? ALL_SCOPES : row.scope,
    refresh_token: row.refresh_token,
  };
}
