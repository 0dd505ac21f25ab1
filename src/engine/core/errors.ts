/**
 * Every refusal is an ApiError, made by the functions below or by a service. `http/error-bodies.ts` makes its body, in the form that the
 * service gives it. Any other thrown value is a bug.
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

export const STATUS_OF = {
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

const FIELDS_SHOWN = 5;

/** Messages by field name (`core/field-path.ts`), in the words of the service's field checks. */
export type FieldMessages = Record<string, string[]>;

export interface ApiErrorOptions {
  type?: string;
  status?: number;
  body?: unknown;
  /** Sends `body` unchanged in every dialect. */
  isExact?: boolean;
  headers?: Record<string, string>;
  /** Why the service refused, and what would pass. The journal shows it. */
  why?: string;
  /** The assumption that decided the refusal, for `x-docdouble-why`. */
  assumption?: string;
  inQuery?: boolean;
  /** The refused call keeps what it stored. Without it, nothing of a refused call stays. */
  keepsChanges?: boolean;
  /** Further members of the body. */
  members?: Readonly<Record<string, unknown>>;
  /** The kind of the missing row. The library adds how to find such a row. */
  missing?: string;
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

export function reasonOf(error: ApiError): string {
  const { why } = error.options;
  return why === undefined || why.startsWith("refused by") ? error.message : why;
}

/** 400 with messages per field. The operation's `invalidType` decides the `type`. */
export function invalid(fields: FieldMessages, why?: string): ApiError {
  return new ApiError("invalid", fields, { why: why ?? `wrong fields: ${textOfFields(fields)}` });
}

function textOfFields(fields: FieldMessages): string {
  const all = Object.entries(fields);
  const shown = all.slice(0, FIELDS_SHOWN).map(([name, messages]) => `${name} (${messages.join(" ")})`);
  const rest = all.length - shown.length;
  return `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

export function badRequest(detail: string, options: ApiErrorOptions = {}): ApiError {
  return new ApiError("invalid", detail, options);
}

/** The body cannot be parsed. assumed: errors.malformed_body_text. */
export function malformed(detail: string, why?: string): ApiError {
  return new ApiError("malformed", detail, { type: "request_error", why });
}

export function credentialsMissing(): ApiError {
  return new ApiError("unauthenticated", "Authentication credentials were not provided.", {
    why: "no usable Authorization header; send `Authorization: API-Key docdouble-key`",
  });
}

export function credentialsWrong(why: string, detail = "Invalid key."): ApiError {
  return new ApiError("unauthenticated", detail, { why });
}

export function forbidden(why: string, extra: Record<string, unknown> = {}): ApiError {
  const detail = "You do not have permission to perform this action.";
  const hasExtra = Object.keys(extra).length > 0;
  return new ApiError("forbidden", detail, {
    why,
    ...(hasExtra ? { body: { type: "permissions_error", detail, ...extra } } : {}),
  });
}

export function notFound(why = "no such id", options: ApiErrorOptions = {}): ApiError {
  return new ApiError("not_found", "Not found", { why, ...options });
}

export function tooLarge(detail: string): ApiError {
  return new ApiError("too_large", detail, { type: "request_error", why: "the body is too large; see docs/look-up/limits.md" });
}

/** `seconds` is the wait until the next accepted call. The answer says at least 1. */
export function tooManyRequests(seconds: number, why: string): ApiError {
  const wait = Math.max(1, Math.ceil(seconds));
  // assumed: errors.throttled_retry_after.
  return new ApiError("throttled", `Request was throttled. Expected available in ${wait} seconds.`, {
    headers: { "retry-after": String(wait) },
    why,
  });
}

export function oauthError(code: string, why: string): ApiError {
  return new ApiError("oauth", code, { body: { error: code }, why });
}

export function notServed(operationId: string): ApiError {
  return new ApiError("not_served", `docdouble does not serve ${operationId} yet`, {
    body: {
      type: "docdouble_not_served",
      detail: `docdouble does not serve ${operationId} yet; see docs/look-up/limits.md`,
      operation_id: operationId,
    },
    why: `${operationId} is an operation that docdouble does not serve yet`,
  });
}
