/** The results of tools. A failed call is a result too, and no error of the protocol. */
import type * as z from "zod";
import type { Responses } from "../../../engine/core/operation.ts";
import type { OperationId } from "../../nouns/index.ts";
import { findOperation } from "../../nouns/index.ts";
import type { OperationAnswer } from "./tool.ts";

export interface Outcome {
  [member: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: true;
}

/** FastMCP, which the server seems to use, repeats the object as text. assumed: mcp.results. */
export function success(result: object): Outcome {
  return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result as Record<string, unknown> };
}

interface ToolError {
  /** The API's HTTP status. Missing when the API was not called. */
  status?: number;
  code: string;
  message: string;
  detail?: unknown;
  retry_after?: number;
}

export function failure(error: ToolError, text = JSON.stringify({ error })): Outcome {
  return { isError: true, content: [{ type: "text", text }], structuredContent: { error } };
}

/** assumed: mcp.error_codes. */
const CODES: Readonly<Record<number, string>> = {
  400: "bad_request",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  413: "too_large",
  415: "unsupported_media_type",
  422: "unprocessable",
  423: "locked",
  429: "rate_limited",
};

/** Source: captured at the live server. */
const FORBIDDEN = "Access to this resource was forbidden in PandaDoc.";

export function refusal({ status, body, retry_after }: OperationAnswer): Outcome {
  const detail = detailOf(body);
  const code = CODES[status] ?? (status >= 500 ? "upstream_error" : "request_failed");
  const message = status === 403 ? FORBIDDEN : textOf(detail ?? `status ${status}`);
  return failure({
    status,
    code,
    message,
    ...(detail === undefined ? {} : { detail }),
    ...(retry_after === undefined ? {} : { retry_after }),
  });
}

function textOf(detail: unknown): string {
  if (typeof detail === "string") return detail;
  const text = typeof detail === "object" && detail !== null && "info_message" in detail ? detail.info_message : undefined;
  return typeof text === "string" ? text : JSON.stringify(detail);
}

/** The API's own words. Its operations have several forms of errors. */
function detailOf(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  const { detail, description, error, message } = body as Record<string, unknown>;
  const inner = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  return detail ?? description ?? message ?? inner ?? body;
}

/** Source: the vendor saw this code. docdouble gives it to each answer that lacks what its operation answers. assumed: mcp.response_check. */
export function responseInvalid(status: number, problem: string): Outcome {
  const message = `The API's answer does not have the expected form: ${problem}`;
  return failure({ status, code: "PANDADOC_API_RESPONSE_INVALID", message });
}

/** Problems of a body that only adds something: a member or a word, such as a new status. */
const ADDITIONS: readonly string[] = ["unrecognized_keys", "invalid_value"];

/** Why the body of a success lacks what the operation answers. */
export function bodyProblem(id: OperationId, { status, body }: OperationAnswer): string | undefined {
  const responses: Responses = findOperation(id)?.responses ?? {};
  const declared = status in responses ? responses[status] : Object.values(responses)[0];
  if (typeof declared !== "function") return undefined;
  const checked = (declared as () => z.ZodType)().safeParse(body);
  const fault = checked.error?.issues.find((one) => !ADDITIONS.includes(one.code));
  if (fault === undefined) return undefined;
  return `${fault.path.length === 0 ? "the body" : fault.path.join(".")}: ${fault.message}`;
}
