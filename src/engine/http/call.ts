import { PatchError, type PatchStep } from "../core/json-patch.ts";
import { messageOf } from "../core/text.ts";
import type { zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import { subjectContext as contextOf } from "../runtime/search.ts";
import type { TenantRegistry } from "../runtime/tenants/tenant-registry.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { ApiError } from "../core/errors.ts";
import type { Operation, Reply } from "../core/operation.ts";
import type { Refused, Subject } from "../runtime/service.ts";
import type { Caller, EngineWorld } from "../runtime/world.ts";
import type { JournalEntry } from "../journal/journal.ts";
import type { ArmedRule } from "../rules/rules.ts";
import type { Effect } from "../scenario/rule-schema.ts";
import type { SubjectContext } from "../scenario/request-context.ts";
import type { RequestBody } from "./request-body.ts";

/** The form of errors of the admin API. */
export const ADMIN = "admin";

export interface Target {
  readonly operation: Operation<EngineWorld>;
  readonly dialect: string;
  readonly path: string;
  readonly subjectParam: string | undefined;
  readonly query: ReturnType<typeof zValidator> | undefined;
  /** The defaults of all query parameters. Calls share this object. @throws 400 when a parameter is required */
  readonly withoutQuery: unknown;
}

export interface Call {
  readonly context: Context;
  readonly host: TenantRegistry;
  readonly tenant: Tenant;
  readonly dialect: string;
  readonly entry: JournalEntry;
  readonly generation: number;
  caller: Caller | undefined;
  rules: ArmedRule<Effect>[];
  /** Rules that changed something in this call. */
  readonly acted: Set<ArmedRule<Effect>>;
  assumptions?: string[];
  isClosed?: true;
}

/** The world of one call. The caller follows from the credentials. */
export interface CallWorld extends Omit<EngineWorld, "caller"> {
  caller: Caller;
}

export interface OperationCall extends Call {
  readonly target: Target;
  readonly bytes: Uint8Array | ApiError | undefined;
  body: RequestBody;
  world: CallWorld | undefined;
  readonly input: { params: unknown; query: unknown; body: unknown };
  reply: Reply | undefined;
  /** The rule that made this read answer as the world was some time ago. */
  past: ArmedRule<Effect> | undefined;
  /** The patch that a handler of the test asks for. */
  patch?: readonly PatchStep[];
}

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
}

/** Stands for the answer that a network fault corrupts before the operation runs. */
export const NO_ANSWER: Answer = { status: 200, headers: {}, body: null };

export class RuleAnswer extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super("answered by a rule");
    this.answer = answer;
  }
}

/** The headers of most answers. `closeEntry` recognizes this object by identity. */
export const JSON_HEADERS: Answer["headers"] = Object.freeze({ "content-type": "application/json" });

/** @throws PatchError for an answer that is not JSON */
export function bodyOf({ body, headers }: Answer): unknown {
  if (typeof body !== "string" || !/\bjson\b/.test(headers["content-type"] ?? "")) throw new PatchError("it has no body in JSON");
  return JSON.parse(body);
}

export function noteAssumption(call: Call, id: string): void {
  call.assumptions ??= [];
  if (!call.assumptions.includes(id)) call.assumptions.push(id);
}

export function errorAnswer(call: OperationCall, error: unknown): Answer {
  if (!(error instanceof ApiError)) return bugAnswer(call, error);
  const { bodyKind, invalidType } = call.target.operation;
  return refusalAnswer(call, error, { invalidType, sent: sentJson(bodyKind, call.input.body) });
}

export function refusalAnswer(call: Call, error: ApiError, sent: Pick<Refused, "invalidType" | "sent"> = {}): Answer {
  const { service, readings } = call.tenant;
  if (error.options.assumption !== undefined) noteAssumption(call, error.options.assumption);
  call.entry.why = error.options.why ?? error.message;
  const decide = (id: string) => {
    noteAssumption(call, id);
    return readings.of(id);
  };
  const body = service.errors.body(error, { dialect: call.dialect, ...sent, decide });
  return { status: error.status, headers: { ...JSON_HEADERS, ...error.options.headers }, body: JSON.stringify(body) };
}

export function bugAnswer(call: Call, error: unknown): Answer {
  call.host.onBug(error);
  const detail = `docdouble failed: ${messageOf(error)}. This is a bug in docdouble, not an answer of the service.`;
  call.entry.why = detail;
  return { status: 500, headers: { ...JSON_HEADERS }, body: JSON.stringify({ type: "docdouble_error", detail }) };
}

export function requireSameWorld(call: OperationCall): void {
  const { tenant, entry } = call;
  if (call.generation === tenant.generation && tenant.ended === undefined) return;
  const detail = noEffectReason(tenant);
  entry.injected = true;
  entry.why = detail;
  throw new RuleAnswer({ status: 503, headers: { ...JSON_HEADERS }, body: JSON.stringify({ type: "docdouble_reset", detail }) });
}

export function noEffectReason({ ended }: Tenant): string {
  return `This call has no effect: ${ended ?? "the world was reset, or a snapshot restored,"} while it was under way.`;
}

function sentJson(kind: Operation["bodyKind"], body: unknown): unknown {
  if (kind !== "multipart") return body;
  return typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
}

export function subjectOf({ entry, tenant }: Call): Subject | undefined {
  return entry.subject === undefined ? undefined : tenant.service.subjects.find(tenant.world, entry.subject);
}

/** What conditions of rules may ask about the subject of a call. */
export function subjectContext(call: Call): SubjectContext {
  return contextOf(call.tenant, call.entry.subject);
}
