import { iso } from "../../engine/core/clock.ts";
import type { ErrorKind, FieldMessages } from "../../engine/core/errors.ts";
import { ApiError } from "../../engine/core/errors.ts";
import { WHOLE, fieldPath } from "../../engine/core/field-path.ts";
import { getOrMake } from "../../engine/core/maps.ts";
import { escapePointer } from "../../engine/core/text.ts";
import { REQUIRED } from "../../engine/http/error-bodies.ts";
import type { Refused } from "../../engine/runtime/service.ts";
import { dialectAt } from "./world.ts";

interface Node {
  messages: string[];
  children: Map<string | number, Node>;
}

/**
 * Nests messages by field name and list index, as Django REST framework does. `sent` is the body, which tells the length of lists.
 * Source: public clients read `{"recipients": [{"email": [text]}]}`. assumed: errors.nesting.
 */
export function nestFaults(faults: FieldMessages, sent: unknown): unknown {
  const root: Node = { messages: [], children: new Map() };
  for (const [name, messages] of Object.entries(faults)) {
    let node = root;
    for (const step of fieldPath(name)) node = getOrMake(node.children, step, () => ({ messages: [], children: new Map() }));
    node.messages.push(...messages);
  }
  return render(root, sent);
}

function render({ messages, children }: Node, sent: unknown): unknown {
  if (children.size === 0) return messages;
  const indexes = [...children.keys()].filter((step) => typeof step === "number");
  if (indexes.length < children.size) {
    const named = [...children].map(([step, child]) => [step, render(child, memberOf(sent, step))]);
    return Object.fromEntries(messages.length > 0 ? [[WHOLE, messages], ...named] : named);
  }
  if (messages.length > 0) return messages;
  if (!holdsObjects(children, sent)) return Object.fromEntries([...children].map(([step, child]) => [step, child.messages]));
  const length = Math.max(Array.isArray(sent) ? sent.length : 0, ...indexes.map((index) => index + 1));
  return Array.from({ length }, (_, index) => {
    const child = children.get(index);
    if (!child) return {};
    return child.children.size === 0 ? { [WHOLE]: child.messages } : render(child, memberOf(sent, index));
  });
}

function holdsObjects(children: Node["children"], sent: unknown): boolean {
  const isObject = (entry: unknown) => typeof entry === "object" && entry !== null;
  return (
    [...children.values()].some((child) => child.children.size > 0 || child.messages.some(isAboutObject)) ||
    (Array.isArray(sent) && sent.some(isObject))
  );
}

function isAboutObject(message: string): boolean {
  return message.startsWith("Invalid data. Expected a dictionary");
}

function memberOf(value: unknown, step: string | number): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, step)
    ? (value as Record<string | number, unknown>)[step]
    : undefined;
}

/** Bodies of refusals, in the forms of versions 1 and 2, of OAuth and of the admin API. */

const V1_TYPE: Readonly<Record<ErrorKind, string>> = {
  invalid: "request_error",
  malformed: "request_error",
  unauthenticated: "authentication_error",
  forbidden: "permissions_error",
  not_found: "request_error",
  method_not_allowed: "request_error",
  conflict: "request_error",
  locked: "document_locked",
  too_large: "request_error",
  throttled: "throttled",
  oauth: "request_error",
  not_served: "docdouble_not_served",
};

const V2_CODE: Readonly<Record<ErrorKind, string>> = {
  invalid: "bad_request",
  malformed: "bad_request",
  unauthenticated: "unauthorized",
  forbidden: "forbidden",
  not_found: "not_found",
  method_not_allowed: "method_not_allowed",
  conflict: "conflict",
  locked: "document_locked",
  too_large: "payload_too_large",
  throttled: "too_many_requests",
  oauth: "bad_request",
  not_served: "docdouble_not_served",
};

export const errors = { dialectAt, body: errorBody, headers };

function errorBody(error: ApiError, refused: Refused): unknown {
  const { dialect, invalidType = "request_error", sent } = refused;
  if (error.options.body !== undefined && (error.options.isExact || dialect !== "v2")) return error.options.body;
  if (dialect === "oauth") return { error: error.kind === "throttled" ? "too_many_requests" : "invalid_request" };
  if (dialect === "v2") return { code: V2_CODE[error.kind], details: detailsOf(error) };
  const type = error.options.type ?? (error.kind === "invalid" ? invalidType : V1_TYPE[error.kind]);
  if (error.options.members) return { type, detail: error.detail, ...error.options.members };
  const isFlat = hasFaultInList(error, dialect) && refused.decide("errors.list_paths") === "flat";
  return { type, detail: dialect === "v1" && !isFlat ? v1Detail(error, sent) : error.detail };
}

function hasFaultInList({ kind, detail, options }: ApiError, dialect: string): boolean {
  return (
    dialect === "v1" &&
    kind === "invalid" &&
    typeof detail === "object" &&
    !options.inQuery &&
    Object.keys(detail).some((name) => fieldPath(name).some((step) => typeof step === "number"))
  );
}

/** Nests the faults of a body. assumed: errors.query_paths. */
function v1Detail({ kind, detail, options }: ApiError, sent: unknown): unknown {
  return kind === "invalid" && typeof detail === "object" && !options.inQuery
    ? nestFaults(detail as FieldMessages, sent)
    : detail;
}

/** Each field has a v2 detail with a JSON pointer. assumed: errors.inner_codes. */
function detailsOf(error: ApiError): { code: string; pointer: string | null; data: unknown }[] {
  // The refusal of an unserved operation has the same format in every dialect.
  if (error.kind === "not_served") return [{ code: V2_CODE.not_served, pointer: null, data: error.options.body }];
  if (error.kind !== "invalid" && error.kind !== "malformed") return [];
  if (typeof error.detail === "string") return [{ code: "invalid", pointer: null, data: { message: error.detail } }];
  return Object.entries(error.detail).flatMap(([field, messages]) =>
    (Array.isArray(messages) ? messages : [messages]).map((message) => ({
      code: message === REQUIRED ? "required" : "invalid",
      pointer: pointerOf(field),
      data: { message },
    })),
  );
}

function pointerOf(field: string): string | null {
  return field === WHOLE
    ? null
    : fieldPath(field)
        .map((step) => `/${escapePointer(String(step))}`)
        .join("");
}

/** Source: recorded on answers 401. assumed: http.tracing_headers. */
function headers(status: number, requestId: string): Record<string, string> | undefined {
  if (status !== 401) return undefined;
  const trace = requestId.replaceAll("-", "");
  return { "x-request-source": "public-api", traceparent: `00-${trace}-${trace.slice(16)}-01` };
}

/** The service's own refusals, beside those of `engine/core/errors.ts`. */

/** `expires_at` is in epoch ms. */
export interface Lock {
  locked_by_user_id: string;
  lock_type: "wopi_editing";
  expires_at: number;
}

/** 409 in the service's shape for statuses: `id`, `status` and `info_message`, without `type` and `detail`. */
export function wrongStatus(subject: { id: string; status: string }, info: string, why: string): ApiError {
  return new ApiError("conflict", info, { body: { id: subject.id, status: subject.status, info_message: info }, why });
}

// assumed: errors.locked_text.
export function documentLocked(lock: Lock, why: string, detail = "Document is locked for editing"): ApiError {
  const { locked_by_user_id, lock_type, expires_at } = lock;
  return new ApiError("locked", detail, { members: { locked_by_user_id, lock_type, expires_at: iso(expires_at) }, why });
}
