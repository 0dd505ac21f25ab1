/** The documents by which an agent finds out how to authorize itself. */
import type { Context } from "hono";
import { MCP_SCOPES } from "../nouns/oauth/mcp.ts";
import { originOf, withCors } from "./address.ts";

function json(context: Context, body: object): Response {
  return withCors(context, Response.json(body, { headers: { "cache-control": "no-store" } }));
}

/** Source: captured at the live server. docdouble adds `none`, for clients that prove themselves by PKCE alone. */
export function sendServerMetadata(context: Context): Response {
  const origin = originOf(context);
  return json(context, {
    issuer: `${origin}/`,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    scopes_supported: MCP_SCOPES,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic", "none"],
    code_challenge_methods_supported: ["S256"],
    client_id_metadata_document_supported: true,
  });
}

export function sendResourceMetadata(path: string) {
  return (context: Context): Response => {
    const origin = originOf(context);
    return json(context, {
      resource: origin + path,
      authorization_servers: [`${origin}/`],
      scopes_supported: MCP_SCOPES,
      bearer_methods_supported: ["header"],
    });
  };
}

/** Clients try several addresses. Such a search is normal, so the journal leaves it out. */
export function sendNoMetadata(context: Context): Response {
  return withCors(context, Response.json({ error: "not_found" }, { status: 404 }));
}
