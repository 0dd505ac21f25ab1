/** Calls of the admin API skip journal, rules and limits. */
import { messageOf } from "../core/text.ts";
import type { Context } from "hono";
import { ClockError } from "../core/clock-settings.ts";
import { ApiError, invalid } from "../core/errors.ts";
import { fieldName } from "../core/field-path.ts";
import { TimeLimitError } from "../core/time-limits.ts";
import type { Operation, Reply } from "../core/operation.ts";
import type { AdminOperation, Verb } from "../core/verb.ts";
import { type Control, type TenantRegistry, tenantOf } from "../runtime/tenants/tenant-registry.ts";
import { namesAt, problemsIn } from "../scenario/parse.ts";
import { FixtureError } from "../scenario/fixture-error.ts";
import { withPlace } from "../scenario/source-map.ts";
import { requireOwnSite } from "./admin-guard.ts";
import { JSON_BYTES_MAX, readBytes } from "./bodies.ts";
import { ADMIN } from "./call.ts";
import { invalidInput, parseInput } from "./error-bodies.ts";
import { isPageLoad } from "./hono-context.ts";
import { isInQuery } from "../core/verb-request.ts";
import { requireAdminToken } from "./admin-access.ts";
import { checkAdminRefusal, checkAdminReply } from "./reply-checks.ts";
import { RequestBody } from "./request-body.ts";
import { ScenarioError } from "../scenario/error.ts";

export async function runAdmin(context: Context, operation: AdminOperation<Control>, host: TenantRegistry): Promise<Response> {
  try {
    return await answerCall(context, operation, host);
  } catch (error) {
    const isPage = operation.id === "adminInspector";
    if (isPage && isPageLoad(context.req) && error instanceof ApiError) return host.surfaces.refusal(host, error);
    const refused = refuseAdmin(error, host);
    if (host.checkReplies && operation.verb) checkAdminRefusal(operation, refused, host);
    return refused;
  }
}

async function answerCall(context: Context, operation: AdminOperation<Control>, host: TenantRegistry): Promise<Response> {
  const { req } = context;
  requireOwnSite(req, operation, host);
  requireAdminToken(req, operation, host);
  const tenant = tenantOf(host, req.header("authorization"));
  const bytes = await readBytes(req.raw, operation.bytesMax ?? JSON_BYTES_MAX);
  const query = Object.fromEntries(
    Object.entries(req.queries()).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
  const input = operation.verb
    ? readInput(operation, req.param(), query, bytes)
    : { params: req.param(), query: check(operation.query, query), body: undefined };
  // A change by the test counts as activity. A read does not.
  if (req.method !== "GET" && tenant.clock.mode === "auto") tenant.auto.touch();
  // A client that looks at the clock again and again waits for it.
  if (operation.id === "adminClock") await tenant.auto.looks();
  let reply = (await operation.handle(input as never, {
    host,
    tenant,
    signal: req.raw.signal,
  })) as Reply;
  if (host.checkReplies && operation.verb) reply = await checkAdminReply(operation, reply);
  // Clock, rules, transitions and snapshots change without a written row, so this saves them.
  tenant.touch();
  if (reply.body instanceof ReadableStream)
    return new Response(reply.body, { status: reply.status, headers: { ...JSON_ONLY, ...reply.headers } });
  if (reply.bytes)
    return new Response(reply.bytes as Uint8Array<ArrayBuffer>, {
      status: reply.status,
      headers: { ...UNREADABLE, "content-type": reply.media ?? "application/octet-stream", ...reply.headers },
    });
  return answer(reply.status, reply.body, reply.headers);
}

/** Path, query and body as one value. @throws 400, which names each wrong member */
function readInput(operation: AdminOperation<Control>, params: object, query: object, bytes: Uint8Array): unknown {
  const verb = operation.verb as Verb<Control>;
  const { input, admin } = verb;
  if (!input) return {};
  const isRead = isInQuery(operation);
  const member = admin?.body;
  const body = isRead || bytes.length === 0 ? undefined : admin?.bodyKind === "bytes" ? bytes : jsonOf(bytes, verb);
  const isMap = body === undefined || (typeof body === "object" && body !== null && !Array.isArray(body));
  const value =
    member !== undefined
      ? { ...params, ...(body === undefined ? {} : { [member]: body }) }
      : isMap
        ? { ...(isRead ? query : body), ...params }
        : body;
  const result = input().safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const problems = problemsIn(result.error.issues, input(), member);
  const fields = Object.create(null) as Record<string, string[]>;
  for (const { path, message } of problems) fields[fieldName(path)] = [...(fields[fieldName(path)] ?? []), message];
  throw invalid(fields, problems.map(({ sentence }) => sentence).join("; "));
}

/** `curl -d` and a plain fetch send other content types, so any type works. */
function jsonOf(bytes: Uint8Array, { input, admin }: Pick<Verb, "input" | "admin">): unknown {
  const text = { body: input, bodyKind: admin?.bodyKind };
  return new RequestBody(bytes, "application/json").parse(text, Number.POSITIVE_INFINITY);
}

function check(schema: Operation["body"], value: unknown): unknown {
  if (!schema) return undefined;
  const whole = schema();
  const result = parseInput(whole, value);
  if (!result.success) throw invalidInput(result.error, { value, schema: whole, names: (path) => namesAt(whole, path) });
  return result.data;
}

export function refuseAdmin(thrown: unknown, host: TenantRegistry): Response {
  const error = withPlace(thrown);
  if (error instanceof ClockError) return answer(409, { type: "docdouble_conflict", detail: error.message });
  if (error instanceof TimeLimitError) return answer(400, { type: "docdouble_invalid", detail: error.message });
  if (error instanceof FixtureError) return answer(400, { type: "docdouble_invalid", detail: error.message });
  if (error instanceof ScenarioError)
    return answer(400, { type: "docdouble_invalid", detail: error.message, mistakes: error.mistakes });
  if (!(error instanceof ApiError)) {
    host.onBug(error);
    return answer(500, { type: "docdouble_error", detail: messageOf(error) });
  }
  const body = host.service.errors.body(error, { dialect: ADMIN, decide: (id) => host.defaultTenant.readings.of(id) }) as object;
  return answer(error.status, { ...body, ...(error.options.why ? { why: error.options.why } : {}) }, error.options.headers);
}

/** Stops pages of other origins from embedding or running an answer. */
const UNREADABLE = { "x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin" };
const JSON_ONLY = { "content-type": "application/json", ...UNREADABLE };

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return body === undefined
    ? new Response(null, { status, headers: { ...UNREADABLE, ...headers } })
    : new Response(JSON.stringify(body), { status, headers: { ...JSON_ONLY, ...headers } });
}
