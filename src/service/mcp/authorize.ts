/** The authorization of agents: the page that asks a person, and the endpoints for clients. */
import type { Context } from "hono";
import { ApiError } from "../../engine/core/errors.ts";
import { headerSafe, messageOf } from "../../engine/core/text.ts";
import { FORM_BYTES_MAX, readBytes, textOf } from "../../engine/http/bodies.ts";
import { authorizationOf } from "../../engine/http/hono-context.ts";
import { JsonText } from "../../engine/http/json-text.ts";
import { tenantOf, tenantWith } from "../../engine/runtime/tenants/tenant-registry.ts";
import { authorizeMcp, issueMcpToken, mcpMemberEmail, mcpOAuthError, registerMcpClient, toMcpToken } from "../nouns/oauth/mcp.ts";
import type { McpClientRow } from "../nouns/oauth/credentials.ts";
import type { McpTokenRequest } from "../nouns/oauth/authorize.ts";
import { mcpRegistration } from "../nouns/oauth/authorize.ts";
import type { Tenant } from "../kit/world.ts";
import { consentPage, refusalPage } from "../pages/authorize.ts";
import { readAuthorize, toPage, toRedirect } from "../pages/authorize-route.ts";
import { hostOf } from "../pages/host.ts";
import { type PageCall, runPage } from "../pages/page-call.ts";
import { isForeignOrigin, isResourceOf, withCors } from "./address.ts";

const NAMES = [
  "client_id",
  "redirect_uri",
  "scope",
  "response_type",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
] as const;

const NOTE =
  "This page stands for the consent of PandaDoc's own MCP server. docdouble also takes an API key at its MCP server, for local use. The real server refuses a key.";

/** The tenant of a registered client. Other clients belong to the tenant of the header. */
function tenantOfClient(context: Context, clientId: string | null): Tenant {
  const host = hostOf(context);
  const found = clientId === null ? undefined : tenantWith(host, "mcp_clients", clientId);
  return found ?? tenantOf(host, authorizationOf(context));
}

export async function runAuthorizePage(context: Context): Promise<Response> {
  const isForm = context.req.method === "POST";
  const bytes = isForm ? await readBytes(context.req.raw, FORM_BYTES_MAX).catch(() => undefined) : undefined;
  const parameters = isForm ? new URLSearchParams(textOf(bytes ?? new Uint8Array())) : new URL(context.req.url).searchParams;
  return runPage(context, tenantOfClient(context, parameters.get("client_id")), {
    id: "authorizePage",
    bytesMax: 0,
    run: (call) => authorizePage({ ...call, bytes }),
    failed: (_, status) => toPage(status, refusalPage(`The page failed with status ${status}.`, "Repeat the authorization.")),
  });
}

function authorizePage(call: PageCall): Response {
  const { tenant, context } = call;
  const { input, decision } = readAuthorize(call, NAMES);
  const outcome = tenant.store.transaction(() => authorizeMcp(tenant.world, input, decision, isResourceOf(context)));
  switch (outcome.kind) {
    case "redirect":
      return toRedirect(outcome.url);
    case "refuse":
      return toPage(400, refusalPage(outcome.problem, outcome.hint));
    case "ask": {
      const user = mcpMemberEmail(tenant.world, outcome.membership_id);
      return toPage(200, consentPage(outcome.client.name, user, outcome.scopes, input, NOTE));
    }
  }
}

/** The journal leaves out registrations and tokens, because they consist of secrets. */
export function runRegister(context: Context): Promise<Response> {
  return endpoint(context, async () => {
    const tenant = tenantOf(hostOf(context), authorizationOf(context));
    const checked = mcpRegistration().safeParse(new JsonText(await readBytes(context.req.raw, FORM_BYTES_MAX)).require());
    if (!checked.success) {
      const [fault] = checked.error.issues;
      const code = fault?.path[0] === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata";
      throw mcpOAuthError(code, `${fault?.path.join(".") || "the body"}: ${fault?.message}`);
    }
    const row = tenant.store.transaction(() => registerMcpClient(tenant.world, checked.data));
    return Response.json(toRegistered(row, checked.data.token_endpoint_auth_method ?? "client_secret_post"), {
      status: 201,
      headers: { "cache-control": "no-store" },
    });
  });
}

function toRegistered({ id, client_secret, name, redirect_uris }: McpClientRow, token_endpoint_auth_method: string) {
  return {
    client_id: id,
    ...(client_secret === "" ? {} : { client_secret, client_secret_expires_at: 0 }),
    client_name: name,
    redirect_uris,
    token_endpoint_auth_method,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
}

export function runToken(context: Context): Promise<Response> {
  return endpoint(context, async () => {
    const form = new URLSearchParams(textOf(await readBytes(context.req.raw, FORM_BYTES_MAX)));
    const input: McpTokenRequest = { ...Object.fromEntries(form), ...basicOf(context.req.header("authorization")) };
    const tenant = tenantOfGrant(context, input);
    const token = tenant.store.transaction(() => toMcpToken(issueMcpToken(tenant.world, input)));
    return Response.json(token, { headers: { "cache-control": "no-store", pragma: "no-cache" } });
  });
}

/** A code and a refresh token say more than the client, which may belong to no tenant. */
function tenantOfGrant(context: Context, { code, refresh_token, client_id }: McpTokenRequest): Tenant {
  const host = hostOf(context);
  const byCode = code === undefined ? undefined : tenantWith(host, "oauth_codes", code);
  const byToken = refresh_token === undefined ? undefined : tenantWith(host, "tokens", refresh_token);
  return byCode ?? byToken ?? tenantOfClient(context, client_id ?? null);
}

/** The method `client_secret_basic`. Both parts are form-encoded. */
function basicOf(header: string | undefined): Pick<McpTokenRequest, "client_id" | "client_secret"> {
  const encoded = /^basic +(\S+)$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return {};
  const pair = Buffer.from(encoded, "base64").toString();
  const at = pair.indexOf(":");
  const decode = (text: string) => new URLSearchParams(`=${text.replaceAll("&", "%26")}`).get("") ?? text;
  return at < 0 ? {} : { client_id: decode(pair.slice(0, at)), client_secret: decode(pair.slice(at + 1)) };
}

async function endpoint(context: Context, run: () => Promise<Response>): Promise<Response> {
  if (isForeignOrigin(context))
    return refused(mcpOAuthError("invalid_request", "pages of other sites may not use this server"), 403);
  if (context.req.method === "OPTIONS") return withCors(context, new Response(null, { status: 204 }));
  try {
    return withCors(context, await run());
  } catch (error) {
    if (error instanceof ApiError) return withCors(context, refused(error));
    hostOf(context).onBug(error);
    return Response.json({ error: "server_error", error_description: `docdouble failed: ${messageOf(error)}` }, { status: 500 });
  }
}

function refused(error: ApiError, status = error.status): Response {
  const body = error.kind === "oauth" ? error.options.body : { error: "invalid_request", error_description: error.message };
  const headers = {
    "cache-control": "no-store",
    "x-docdouble-why": headerSafe(error.options.why ?? error.message),
    ...(status === 401 ? { "www-authenticate": 'Basic realm="docdouble"' } : {}),
  };
  return Response.json(body, { status, headers });
}
