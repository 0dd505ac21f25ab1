/** Clients of the MCP server: agents that register themselves, and agents that name a document about themselves. */
import { ApiError } from "../../../engine/core/errors.ts";
import type { World } from "../../model/world.ts";
import type { McpClientRow } from "../../model/oauth/rows.ts";
import type { McpRegistration } from "../../model/oauth/inputs.ts";
import { isLoopback } from "./authorize.ts";

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
