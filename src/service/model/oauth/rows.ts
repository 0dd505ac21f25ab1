import type { Row } from "../../../engine/store/row.ts";
import { table } from "../../../engine/store/collection.ts";

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
