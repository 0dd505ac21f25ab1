/**
 * The life of a call: one list of named steps. Their order is behaviour. What the real service checks first is known only
 * in part (credentials before anything else, a missing document before its state); the rest is marked.
 */
import { zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import { httpDate } from "../core/clock.ts";
import { ApiError, tooManyRequests } from "../core/errors.ts";
import { type Dialect, dialectOf, type Operation, parseRoute, type Reply } from "../core/operation.ts";
import { headerSafe } from "../core/text.ts";
import type { Host } from "../control/host.ts";
import type { Tenant } from "../control/tenant.ts";
import { authenticate } from "../domain/auth.ts";
import { refuseScope } from "../domain/permissions.ts";
import { rateLimitOf } from "../domain/rate-limits.ts";
import { as, type World } from "../domain/world.ts";
import type { Exchange } from "../engine/journal.ts";
import type { Effect } from "../scenario/effect.ts";
import { exchangeFacts } from "../scenario/facts.ts";
import { applyAfter, applyBefore, giveMagicFault } from "./apply-rules.ts";
import {
  type Answer,
  type Call,
  documentOf,
  JSON_HEADERS,
  NO_ANSWER,
  Respond,
  refusal,
  type Target,
  type Validators,
} from "./call.ts";
import { parseBody, readBytes, textOf } from "./bodies.ts";
import { invalidInput } from "./error-bodies.ts";
import { type Line, spoil } from "./network.ts";

/** Prepares an operation; its schemas are built when it is first called. */
export function toTarget(operation: Operation<World>): Target {
  const { path } = parseRoute(operation.route);
  let validators: Validators | undefined;
  return {
    operation,
    dialect: dialectOf(operation),
    path,
    documentParam: /\/documents\/\{(id|document_id)\}/.exec(path)?.[1],
    get validators() {
      validators ??= {
        params: operation.params && zValidator("param", operation.params(), refuse),
        query: operation.query && zValidator("query", operation.query(), refuse),
        body: operation.body,
      };
      return validators;
    },
  };
}

function refuse(result: { success: boolean; error?: unknown; data: unknown }): void {
  if (!result.success) throw invalidInput(result.error as Parameters<typeof invalidInput>[0], result.data);
}

type Step = readonly [name: string, run: (call: Call) => void | Promise<void>];

const NOTHING = async (): Promise<void> => {};

/** In this order. assumed: size before credentials, as a proxy in front would; limits before faults; faults before checks of the input. */
const STEPS: readonly Step[] = [
  [
    "read_body",
    async (call) => {
      call.bytes = await readBytes(call.context.req.raw);
      call.exchange.body = describeBody(call.bytes, call.context.req.header("content-type"));
    },
  ],
  [
    "authenticate",
    (call) => {
      if (call.target.operation.security === "none") return;
      const caller = authenticate(call.tenant.world, call.context.req.header("authorization"));
      if (caller instanceof ApiError) throw caller;
      call.caller = caller;
      call.exchange.caller = {
        user_id: caller.user_id,
        email: caller.email,
        workspace_id: caller.workspace_id,
        environment: caller.environment,
        kind: caller.kind,
        key: caller.credential,
      };
    },
  ],
  [
    "check_scope",
    (call) => {
      const refused = call.caller && refuseScope(call.caller, call.exchange.method, call.target.operation.id);
      if (refused) throw refused;
    },
  ],
  ["limit_rate", (call) => limitRate(call)],
  [
    "meet_rules",
    async (call) => {
      const facts = exchangeFacts(call.exchange, call.tenant.id, documentOf(call));
      call.rules = call.tenant.rules.meet(facts);
      for (const rule of call.rules) await applyBefore(call, rule);
      giveMagicFault(call);
    },
  ],
  [
    "parse_body",
    async (call) => {
      call.input.body = await parseBody(call.target.operation, call.context.req.header("content-type"), call.bytes);
    },
  ],
  [
    "validate",
    async (call) => {
      const { validators } = call.target;
      if (validators.params) await validators.params(call.context, NOTHING);
      if (validators.query) await validators.query(call.context, NOTHING);
      call.input.params = validators.params && call.context.req.valid("param" as never);
      call.input.query = validators.query && call.context.req.valid("query" as never);
      if (!validators.body) return;
      const result = validators.body().safeParse(call.input.body);
      if (!result.success) throw invalidInput(result.error, call.input.body);
      call.input.body = result.data;
    },
  ],
  [
    "handle",
    (call) => {
      const world = call.caller ? as(call.tenant.world, call.caller) : call.tenant.world;
      call.reply = call.tenant.store.transaction(() => call.target.operation.handle(call.input, world)) as Reply;
    },
  ],
  [
    "make_bytes",
    async (call) => {
      const { reply } = call;
      if (typeof reply?.bytes === "function") call.reply = { ...reply, bytes: await reply.bytes() };
    },
  ],
  [
    "check_reply",
    (call) => {
      if (call.host.checkReplies) checkReply(call.target.operation, call.reply as Reply);
    },
  ],
];

/** Carries a request through all steps and closes its exchange, whatever happened. */
export async function runCall(context: Context, target: Target, host: Host, tenant: Tenant): Promise<Response> {
  const call: Call = {
    context,
    target,
    host,
    tenant,
    exchange: openExchange(context, target, tenant),
    bytes: new Uint8Array(),
    caller: undefined,
    rules: [],
    input: { params: undefined, query: undefined, body: undefined },
    reply: undefined,
  };
  let answer: Answer;
  try {
    for (const [, run] of STEPS) await run(call);
    answer = toAnswer(call.reply as Reply);
  } catch (error) {
    answer = error instanceof Respond ? error.answer : refusal(call, error);
  }
  if (!call.exchange.injected) call.exchange.own = answer.status;
  let network: Effect["network"];
  for (const rule of call.rules) {
    answer = await applyAfter(call, rule, answer);
    network ??= rule.effect.network;
  }
  return finish(call, answer, network);
}

function toAnswer(reply: Reply): Answer {
  if (reply.bytes)
    return {
      status: reply.status,
      headers: { "content-type": reply.media ?? "application/octet-stream", ...reply.headers },
      body: reply.bytes as Uint8Array,
    };
  if (reply.body === undefined) return { status: reply.status, headers: { ...reply.headers }, body: null };
  return { status: reply.status, headers: { ...JSON_HEADERS, ...reply.headers }, body: JSON.stringify(reply.body) };
}

function limitRate(call: Call): void {
  const { tenant, caller, target } = call;
  if (!caller) return;
  const limit = rateLimitOf(tenant.settings.rateLimit, caller.environment, target.operation.id);
  if (limit === undefined) return;
  // Counted per user and operation; a sandbox key has its own account.
  const wait = tenant.limiter.hit(
    `${caller.user_id}:${caller.environment}:${target.operation.id}`,
    limit,
    60_000,
    tenant.clock.now(),
  );
  if (wait > 0)
    throw tooManyRequests(
      wait / 1000,
      `${limit} calls of ${target.operation.id} in 60 s are allowed; the next passes in ${Math.ceil(wait / 1000)} s`,
    );
}

function openExchange(context: Context, target: Target | undefined, tenant: Tenant): Exchange {
  const { req } = context;
  const url = new URL(req.url);
  return {
    id: tenant.requestIds.uuid(),
    log_id: tenant.requestIds.logId(),
    at: tenant.clock.now(),
    method: req.method,
    url: url.pathname + url.search,
    path: url.pathname,
    query: req.queries(),
    headers: req.header(),
    body: "",
    operationId: target?.operation.id,
    subject: target?.documentParam && req.param(target.documentParam),
    caller: undefined,
    rule: undefined,
    injected: false,
    own: undefined,
    why: undefined,
    status: undefined,
    responseHeaders: {},
    responseBody: "",
    took_ms: 0,
  };
}

/** Text bodies are kept as they are; of files only their size. */
function describeBody(bytes: Uint8Array, contentType: string | undefined): string {
  if (bytes.length === 0) return "";
  if (contentType?.startsWith("multipart/")) return `[${bytes.length} bytes of ${contentType}]`;
  return textOf(bytes);
}

async function finish(call: Call, answer: Answer, network: Effect["network"]): Promise<Response> {
  const { exchange, tenant, context } = call;
  if (tenant.journal.size === 0) exchange.why ??= tenant.note;
  const headers: Record<string, string> = {
    ...answer.headers,
    date: httpDate(tenant.clock.now()),
    "x-request-id": exchange.id,
    ...(exchange.rule ? { "x-docdouble-rule": headerSafe(exchange.rule) } : {}),
    ...(exchange.why ? { "x-docdouble-why": headerSafe(exchange.why) } : {}),
  };
  exchange.status = answer === NO_ANSWER ? undefined : answer.status;
  exchange.responseHeaders = headers;
  exchange.responseBody = typeof answer.body === "string" ? answer.body : answer.body ? `[${answer.body.length} bytes]` : "";
  exchange.took_ms = tenant.clock.now() - exchange.at;
  exchange.injected ||= network !== undefined && network !== "slow";
  if (network) exchange.why = `${exchange.why ? `${exchange.why}; ` : ""}the answer was spoilt: ${network}`;
  tenant.journal.add(exchange);
  const response = new Response(answer.body as string | null, { status: answer.status, headers });
  if (!network) return response;
  return spoil(network, response, {
    bindings: context.env as Line["bindings"],
    signal: context.req.raw.signal,
    closing: call.host.closing,
  });
}

/** In tests: the answer must be one that the operation declares. @throws what differs */
function checkReply(operation: Operation<World>, reply: Reply): void {
  const declared = operation.responses[reply.status];
  if (declared === undefined) throw new Error(`${operation.id} answered ${reply.status}, which it does not declare`);
  if (declared === null) {
    if (reply.body !== undefined) throw new Error(`${operation.id} answered ${reply.status} with a body`);
    return;
  }
  if (typeof declared !== "function") return;
  const result = declared().safeParse(reply.body);
  if (!result.success) throw new Error(`${operation.id} answered off its schema: ${JSON.stringify(result.error.issues)}`);
}

/** The answer where no operation was found; journalled all the same. */
export async function runUnmatched(
  context: Context,
  host: Host,
  tenant: Tenant,
  error: ApiError,
  dialect: Dialect,
  operationId?: string,
): Promise<Response> {
  const call = {
    context,
    host,
    tenant,
    target: { operation: { id: operationId ?? "" }, dialect },
    exchange: { ...openExchange(context, undefined, tenant), operationId },
    rules: [],
  } as unknown as Call;
  try {
    call.exchange.body = describeBody(await readBytes(context.req.raw), context.req.header("content-type"));
  } catch {
    // An oversized body of a path that does not exist is still a path that does not exist.
  }
  return finish(call, refusal(call, error), undefined);
}
