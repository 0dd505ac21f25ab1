/**
 * The steps of a call. Their order is behavior: credentials come first, and a handler checks that a row exists before it checks its
 * status. The other places in the order are assumptions.
 */
import { zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import { ApiError } from "../core/errors.ts";
import { askHandlers, patchedByHandler } from "./ask-handlers.ts";
import { type Operation, parseRoute, type Reply } from "../core/operation.ts";
import type { TenantRegistry } from "../runtime/tenants/tenant-registry.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import type { Service } from "../runtime/service.ts";
import type { EngineWorld } from "../runtime/world.ts";
import type { Effect } from "../scenario/rule-schema.ts";
import { entryContext } from "../scenario/request-context.ts";
import { applyAfter, applyAllBefore, applyOwnAnswer, applySubjectFault, countIdleRules } from "./apply-rules.ts";
import {
  type Answer,
  type CallWorld,
  errorAnswer,
  JSON_HEADERS,
  noteAssumption,
  type OperationCall,
  requireSameWorld,
  RuleAnswer,
  subjectContext,
  subjectOf,
  type Target,
} from "./call.ts";
import { arrivedBody, checkLength, FORM_BYTES_MAX, mayHaveBody, readBytes } from "./bodies.ts";
import {
  checkBodyTypes,
  checkInput,
  checkOnce,
  checkQuery,
  hasEmptyValue,
  hasRepeated,
  requireTexts,
  withoutEmptyValues,
} from "./check-input.ts";
import { inTime } from "./change-answer.ts";
import { authorizationOf, type Env } from "./hono-context.ts";
import { invalidInput } from "./error-bodies.ts";
import { noteArrival } from "./hold.ts";
import { closeEntry, ended, openEntry, toCallerInfo } from "./journal-entry.ts";
import { limitRate } from "./limit-rate.ts";
import { checkRefusal, checkReply } from "./reply-checks.ts";
import { RequestBody } from "./request-body.ts";

export function toTarget(operation: Operation<EngineWorld>, { subjects, errors }: Service): Target {
  const { path } = parseRoute(operation.route);
  let query: Target["query"];
  let withoutQuery: unknown;
  return {
    operation,
    dialect: operation.dialect ?? errors.dialectAt(path),
    path,
    subjectParam: subjects.parameterOf(path),
    get query() {
      query ??= operation.query && zValidator("query", operation.query(), refuse);
      return query;
    },
    get withoutQuery() {
      withoutQuery ??= Object.freeze(operation.query && checkOnce(operation.query, {}));
      return withoutQuery;
    },
  };
}

function refuse(result: { success: boolean; error?: unknown; data: unknown }): void {
  if (result.success) return;
  const error = invalidInput(result.error as Parameters<typeof invalidInput>[0], { value: result.data });
  error.options.inQuery = true;
  throw error;
}

type Step = readonly [name: string, run: (call: OperationCall) => undefined | Promise<void>];

const NO_BODY = new RequestBody();
const NOTHING = async (): Promise<void> => {};

/**
 * A call without credentials is refused before its body is read, so open uploads cannot fill the memory.
 * No step looks at the header Accept. assumed: http.check_order, and assumed: http.accept.
 */
const STEPS: readonly Step[] = [
  [
    "check_length",
    (call) => {
      checkLength(call.context.req.raw, bodyLimit(call));
    },
  ],
  [
    "authenticate",
    (call) => {
      if (call.target.operation.security === "none") return;
      const world = worldOf(call);
      const caller = call.tenant.service.access.authenticate(world, authorizationOf(call.context));
      if (caller instanceof ApiError) throw caller;
      call.caller = caller;
      world.caller = caller;
      call.entry.caller = toCallerInfo(caller, call.tenant.service);
    },
  ],
  [
    "read_body",
    (call) => {
      const { req } = call.context;
      if (!mayHaveBody(req.raw)) return;
      const record = (body: Uint8Array | string) => {
        call.body = new RequestBody(body, req.header("content-type"));
        call.body.record(call.entry);
      };
      if (call.bytes instanceof ApiError) throw call.bytes;
      const body = call.bytes ?? arrivedBody(req.raw, (call.context.env as Env).incoming);
      if (body === undefined) return readBytes(req.raw, bodyLimit(call)).then(record);
      record(body);
    },
  ],
  [
    "check_scope",
    (call) => {
      const refused =
        call.caller && call.tenant.service.access.scopeRefusal(call.caller, call.entry.method, call.target.operation.id);
      if (refused) throw refused;
    },
  ],
  [
    "limit_rate",
    (call) => {
      limitRate(call);
    },
  ],
  ["ask_handlers", askHandlers],
  [
    "match_rules",
    (call) => {
      call.entry.subjectStatus = subjectOf(call)?.status;
      call.tenant.journal.arrivals?.push(call.entry);
      if (call.tenant.rules.list().length > 0) {
        noteArrival(call);
        call.rules = call.tenant.rules.match(
          entryContext(call.entry, call.tenant.id, subjectContext(call), () => call.body.value),
        );
      }
      if (call.rules.length > 0) return applyAllBefore(call);
      applySubjectFault(call);
    },
  ],
  [
    "parse_body",
    (call) => {
      call.input.body = call.body.parse(call.target.operation);
    },
  ],
  [
    "validate",
    (call) => {
      const { context, target, input } = call;
      const { params, query, body, bodyKind } = target.operation;
      input.params = params ? checkInput(params, context.req.param()) : context.req.param();
      const checkBody = () => {
        if (body) input.body = checkBodyTypes(call, body, bodyKind === "multipart");
      };
      if (query && call.entry.url.includes("%00")) requireTexts(context.req.queries());
      const nonEmpty = query && hasEmptyValue(call) ? withoutEmptyValues(call) : undefined;
      const queries = nonEmpty ?? (query && call.entry.url.includes("&") ? context.req.queries() : undefined);
      if (query && queries && (nonEmpty || hasRepeated(queries))) {
        input.query = checkQuery(call, query, queries);
        checkBody();
        return;
      }
      if (query && call.entry.url.includes("?"))
        return target.query?.(context, NOTHING).then(() => {
          input.query = context.req.valid("query" as never);
          checkBody();
        });
      if (query) input.query = target.withoutQuery;
      checkBody();
    },
  ],
  ["check_elsewhere", (call) => call.target.operation.check?.(call.input, worldOf(call))],
  [
    "handle",
    (call) => {
      const { tenant, entry, target } = call;
      let refusal: ApiError | undefined;
      const handle = (world: CallWorld) =>
        tenant.store.transaction(() => {
          try {
            return target.operation.handle(call.input, world);
          } catch (error) {
            if (!(error instanceof ApiError) || !error.options.keepsChanges) throw error;
            refusal = error;
            return undefined;
          }
        });
      const reply = tenant.journal.during(entry.id, () => inTime(call, worldOf(call), handle));
      if (refusal) throw refusal;
      call.reply = reply as Reply;
    },
  ],
  [
    "make_bytes",
    (call) => {
      const { reply } = call;
      if (typeof reply?.bytes === "function")
        return reply.bytes().then((bytes) => {
          call.reply = bytes ? { ...reply, bytes } : reply.meanwhile;
        });
    },
  ],
  [
    "check_reply",
    (call) => {
      if (call.host.checkReplies) checkReply(call.target.operation, call.reply as Reply);
    },
  ],
];

function bodyLimit({ target }: OperationCall): number | undefined {
  return target.operation.security === "none" ? FORM_BYTES_MAX : target.operation.bytesMax;
}

function worldOf(call: OperationCall): CallWorld {
  if (!call.world) {
    const { caller, tenant } = call;
    const decide: EngineWorld["decide"] = (id) => {
      noteAssumption(call, id);
      return tenant.readings.of(id);
    };
    const remark: EngineWorld["remark"] = (one) => {
      call.entry.remarks ??= [];
      call.entry.remarks.push(one);
    };
    call.world = { ...tenant.world, caller: caller ?? tenant.world.caller, decide, remark };
  }
  return call.world;
}

export function runCall(
  context: Context,
  target: Target,
  host: TenantRegistry,
  tenant: Tenant,
  bytes?: Uint8Array | ApiError,
): Response | Promise<Response> {
  const call: OperationCall = {
    context,
    target,
    host,
    tenant,
    dialect: target.dialect,
    entry: openEntry(context, target, tenant),
    generation: tenant.generation,
    bytes,
    body: NO_BODY,
    caller: undefined,
    world: undefined,
    rules: [],
    acted: new Set(),
    input: { params: undefined, query: undefined, body: undefined },
    reply: undefined,
    past: undefined,
  };
  let pending: Promise<void> | undefined;
  try {
    requireSameWorld(call);
    pending = runSteps(call, 0);
  } catch (error) {
    return conclude(call, answerTo(call, error));
  }
  if (!pending) return conclude(call, ownAnswer(call));
  return pending.then(
    () => conclude(call, ownAnswer(call)),
    (error) => conclude(call, answerTo(call, error)),
  );
}

function runSteps(call: OperationCall, from: number): Promise<void> | undefined {
  for (let at = from; at < STEPS.length; at++) {
    const pending = (STEPS[at] as Step)[1](call);
    if (pending)
      return pending.then(() => {
        requireSameWorld(call);
        return runSteps(call, at + 1);
      });
  }
  return undefined;
}

function ownAnswer(call: OperationCall): Answer {
  try {
    return toAnswer(call.reply as Reply);
  } catch (error) {
    return errorAnswer(call, error);
  }
}

function answerTo(call: OperationCall, error: unknown): Answer {
  return error instanceof RuleAnswer ? error.answer : errorAnswer(call, error);
}

function conclude(call: OperationCall, produced: Answer): Response | Promise<Response> {
  return ended(call, () => {
    if (call.entry.injected) return concludeByRules(call, produced);
    const answer = call.host.checkReplies ? checkRefusal(call, produced) : produced;
    call.entry.own = answer.status;
    const changed = call.patch ? patchedByHandler(call, answer) : answer;
    return concludeByRules(call, call.rules.length === 0 ? changed : applyOwnAnswer(call, changed));
  });
}

function concludeByRules(call: OperationCall, answer: Answer): Response | Promise<Response> {
  return call.rules.length === 0 ? closeEntry(call, answer, undefined) : applyRulesAfter(call, answer);
}

async function applyRulesAfter(call: OperationCall, first: Answer): Promise<Response> {
  let answer = first;
  let network: Effect["network"];
  for (const rule of call.rules) {
    answer = await applyAfter(call, rule, answer);
    if (network === undefined && rule.effect.network) call.acted.add(rule);
    network ??= rule.effect.network;
  }
  countIdleRules(call);
  return closeEntry(call, answer, network);
}

function toAnswer(reply: Reply): Answer {
  if (reply.bytes)
    return {
      status: reply.status,
      headers: { "content-type": reply.media ?? "application/octet-stream", ...reply.headers },
      body: reply.bytes as Uint8Array,
    };
  if (reply.body === undefined) return { status: reply.status, headers: { ...reply.headers }, body: null };
  return {
    status: reply.status,
    headers: reply.headers ? { ...JSON_HEADERS, ...reply.headers } : JSON_HEADERS,
    body: reply.json ?? JSON.stringify(reply.body),
  };
}
