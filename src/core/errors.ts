/**
 * Every refusal of the service is an ApiError, made here by the condition that causes it. What its body looks like
 * depends on the operation's dialect and is decided in `http/error-bodies.ts`. Anything else that is thrown is a bug.
 */

export type ErrorKind =
  | "invalid"
  | "malformed"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "locked"
  | "too_large"
  | "throttled"
  | "oauth"
  | "not_served";

const STATUS_OF = {
  invalid: 400,
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  locked: 423,
  too_large: 413,
  throttled: 429,
  oauth: 400,
  not_served: 501,
} as const satisfies Record<ErrorKind, number>;

/** Names of places (`core/field-path.ts`) to messages, in the wording of the service's field checks. */
export type FieldMessages = Record<string, string[]>;

/** An editing lock as the service shows it, the end as epoch ms. */
export interface Lock {
  locked_by_user_id: string;
  lock_type: "wopi_editing";
  expires_at: number;
}

export interface ApiErrorOptions {
  /** The v1 `type`, where it differs from the kind's usual one. */
  type?: string;
  /** Overrides the kind's usual status. */
  status?: number;
  /** The whole body, for the few that have a shape of their own. */
  body?: unknown;
  /** The body is the same in every dialect. */
  isExact?: boolean;
  headers?: Record<string, string>;
  /** For the journal: which state or rule refused, and what would have passed. */
  why?: string;
  /** Its field errors are those of the query. */
  inQuery?: boolean;
  /** The lock behind a 423. */
  lock?: Lock;
}

export class ApiError extends Error {
  readonly kind: ErrorKind;
  readonly status: number;
  readonly detail: string | Record<string, unknown>;
  readonly options: ApiErrorOptions;

  constructor(kind: ErrorKind, detail: string | Record<string, unknown>, options: ApiErrorOptions = {}) {
    super(typeof detail === "string" ? detail : JSON.stringify(detail));
    this.name = "ApiError";
    this.kind = kind;
    this.status = options.status ?? STATUS_OF[kind];
    this.detail = detail;
    this.options = options;
  }
}

/** 400: some fields are wrong. The `type` is the operation's own (`validation_error` or `request_error`) unless given. */
export function invalid(fields: FieldMessages, why?: string): ApiError {
  return new ApiError("invalid", fields, { why: why ?? `refused by the checks on ${Object.keys(fields).join(", ")}` });
}

/** 400 with a plain sentence as `detail`. */
export function badRequest(detail: string, options: ApiErrorOptions = {}): ApiError {
  return new ApiError("invalid", detail, options);
}

/** 400: the body cannot be read at all. assumed: the service's text for it is not published. */
export function malformed(detail: string, why?: string): ApiError {
  return new ApiError("malformed", detail, { type: "request_error", why });
}

/** 401: no credentials. */
export function credentialsMissing(): ApiError {
  return new ApiError("unauthenticated", "Authentication credentials were not provided.", {
    why: "no usable Authorization header; send `Authorization: API-Key docdouble-key`",
  });
}

/** 401: credentials that are unknown, revoked or expired. */
export function credentialsWrong(why: string, detail = "Invalid key."): ApiError {
  return new ApiError("unauthenticated", detail, { why });
}

/** 403. */
export function forbidden(why: string, extra: Record<string, unknown> = {}): ApiError {
  const detail = "You do not have permission to perform this action.";
  const hasExtra = Object.keys(extra).length > 0;
  return new ApiError("forbidden", detail, {
    why,
    ...(hasExtra ? { body: { type: "permissions_error", detail, ...extra } } : {}),
  });
}

/** 404: no such thing in this workspace. */
export function notFound(why = "no such id in this workspace"): ApiError {
  return new ApiError("not_found", "Not found", { why });
}

/** 409 in the service's own shape: id, status and a text, no type and no detail. */
export function wrongStatus(subject: { id: string; status: string }, info: string, why: string): ApiError {
  return new ApiError("conflict", info, { body: { id: subject.id, status: subject.status, info_message: info }, why });
}

/** 423: an editing lock holds the document. */
export function documentLocked(lock: Lock, why: string): ApiError {
  // assumed: the text of `detail` is not published.
  return new ApiError("locked", "Document is locked for editing", { lock, why });
}

/** 413. */
export function tooLarge(detail: string): ApiError {
  return new ApiError("too_large", detail, { type: "request_error", why: "the body is over its limit; see docs/limits.md" });
}

/** 429. `seconds` until a call passes again, at least 1. */
export function tooManyRequests(seconds: number, why: string): ApiError {
  const wait = Math.max(1, Math.ceil(seconds));
  // assumed: Retry-After is documented for 202 answers only; the throttle that produces the recorded text sends it.
  return new ApiError("throttled", `Request was throttled. Expected available in ${wait} seconds.`, {
    headers: { "retry-after": String(wait) },
    why,
  });
}

/** 400 of the token endpoint. */
export function oauthError(code: string, why: string): ApiError {
  return new ApiError("oauth", code, { body: { error: code }, why });
}

/** 501: an operation of the service that docdouble does not serve. */
export function notServed(operationId: string): ApiError {
  return new ApiError("not_served", `docdouble does not serve ${operationId} yet`, {
    body: {
      type: "docdouble_not_served",
      detail: `docdouble does not serve ${operationId} yet; see docs/limits.md`,
      operation_id: operationId,
    },
    why: `${operationId} is an operation of the service that is not served yet`,
  });
}
