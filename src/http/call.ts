import { messageOf } from "../core/text.ts";
import type { zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import type { TenantRegistry } from "../admin/tenants/tenant-registry.ts";
import type { Tenant } from "../admin/tenants/tenant.ts";
import { ApiError } from "../core/errors.ts";
import type { Dialect, Operation, Reply } from "../core/operation.ts";
import type { Caller, World } from "../domain/world.ts";
import type { JournalEntry } from "../engine/journal.ts";
import type { ArmedRule } from "../engine/rules.ts";
import type { Effect } from "../scenario/effect.ts";
import { errorBody } from "./error-bodies.ts";
import type { Part } from "./multipart.ts";
import type { DocumentRow } from "../domain/document-model/rows.ts";

/** An operation, prepared for its calls. */
export interface Target {
  readonly operation: Operation<World>;
  readonly dialect: Dialect;
  readonly path: string;
  readonly documentParam: string | undefined;
  /** Validates the query. */
  readonly query: ReturnType<typeof zValidator> | undefined;
}

/** What every call has, also one that reaches no operation: a page, or an unknown path. */
export interface CallBase {
  readonly context: Context;
  readonly target: Pick<Target, "dialect"> & { readonly operation: Pick<Operation<World>, "bodyKind" | "invalidType"> };
  readonly host: TenantRegistry;
  readonly tenant: Tenant;
  readonly entry: JournalEntry;
  /** `tenant.generation` when the call began. */
  readonly generation: number;
  caller: Caller | undefined;
  rules: ArmedRule<Effect>[];
  input: { params: unknown; query: unknown; body: unknown };
}

/** A call of an operation, on its way through the steps. */
export interface Call extends CallBase {
  readonly target: Target;
  /** The body, or the error of reading it, when it was read before the call began. */
  readonly body: Uint8Array | ApiError | undefined;
  bytes: Uint8Array;
  /** The readable parts of a multipart body. */
  parts: readonly Part[] | undefined;
  reply: Reply | undefined;
}

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
}

/** Stands in for the answer that a network fault corrupts before the operation runs. */
export const NO_ANSWER: Answer = { status: 200, headers: {}, body: null };

/** Thrown when a rule answers in place of the operation. */
export class RuleAnswer extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super("answered by a rule");
    this.answer = answer;
  }
}

/** The headers of most answers. `closeEntry` recognises this object by identity. */
export const JSON_HEADERS: Answer["headers"] = Object.freeze({ "content-type": "application/json" });

export function refusalAnswer(call: CallBase, error: unknown): Answer {
  const { operation, dialect } = call.target;
  if (!(error instanceof ApiError)) {
    call.host.onBug(error);
    const detail = `docdouble failed: ${messageOf(error)}. This is a bug in docdouble, not an answer of the service.`;
    call.entry.why = detail;
    return { status: 500, headers: { ...JSON_HEADERS }, body: JSON.stringify({ type: "docdouble_error", detail }) };
  }
  const { note } = call.tenant;
  call.entry.why = (error.options.why ?? error.message) + (note && error.status === 404 ? `; ${note}` : "");
  const body = errorBody(error, { dialect, invalidType: operation.invalidType, sent: sentJson(call) });
  return { status: error.status, headers: { ...JSON_HEADERS, ...error.options.headers }, body: JSON.stringify(body) };
}

/** Refuses a call that waited while its tenant was reset or deleted. @throws RuleAnswer */
export function requireSameWorld(call: Call): void {
  const { tenant, entry } = call;
  if (call.generation === tenant.generation && tenant.ended === undefined) return;
  const detail = noEffect(tenant);
  entry.injected = true;
  entry.why = detail;
  throw new RuleAnswer({ status: 503, headers: { ...JSON_HEADERS }, body: JSON.stringify({ type: "docdouble_reset", detail }) });
}

export function noEffect({ ended }: Tenant): string {
  return `This call has no effect: ${ended ?? "the world was reset, or a snapshot restored,"} while it was under way.`;
}

/** The JSON to name faults in: the body, or the `data` part of a form. */
function sentJson({ target, input: { body } }: CallBase): unknown {
  if (target.operation.bodyKind !== "multipart") return body;
  return typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
}

export function documentOf(call: CallBase): DocumentRow | undefined {
  return call.entry.subject === undefined ? undefined : call.tenant.store.documents.get(call.entry.subject);
}
