import type { Row } from "../../../engine/store/row.ts";
import { table } from "../../../engine/store/collection.ts";

export interface OAuthClientRow extends Row {
  client_secret: string;
  name: string;
  /** Exact URIs; `loopback` allows every URI on this machine. */
  redirect_uris: string[];
  membership_id: string;
}

export interface OAuthCodeRow extends Row {
  client_id: string;
  membership_id: string;
  scope: string;
  expires_at: number;
  used: boolean;
}

export interface TokenRow extends Row {
  /** Null for a member token, like `client_id`. */
  refresh_token: string | null;
  client_id: string | null;
  membership_id: string;
  scope: string;
  expires_at: number;
  revoked: boolean;
}

export const oauthTables = {
  oauth_clients: table<OAuthClientRow>()(),
  oauth_codes: table<OAuthCodeRow>()({ bound: { maxRows: 10_000 } }),
  tokens: table<TokenRow>()({ bound: { maxRows: 10_000 }, indexes: { refresh_token: (row) => row.refresh_token } }),
};
