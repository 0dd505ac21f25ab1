/** A call of the admin API, for the log of who runs the server. It holds no secret. */
export interface AdminCall {
  /** `server` or a tenant, by the token. `nobody` has no valid token. `anybody`: the server has no token. */
  readonly who: string;
  readonly operation: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The tenant that the call reached. Undefined when it reached none. */
  readonly tenant: string | undefined;
  readonly status: number;
}
