/** Runs a page as a call: the journal keeps it, and rules that name a path apply to it. Other rules count only API calls. */
import { messageOf } from "../../engine/core/text.ts";
import type { Context } from "hono";
import type { Host, Tenant } from "../kit/world.ts";
import { ApiError } from "../../engine/core/errors.ts";
import type { Effect } from "../../engine/scenario/rule-schema.ts";
import { entryContext } from "../../engine/scenario/request-context.ts";
import { applyRulesBefore, countIdleRules } from "../../engine/http/apply-rules.ts";
import { NO_BYTES, readBytes } from "../../engine/http/bodies.ts";
import { type Answer, type Call, NO_ANSWER, noEffectReason, RuleAnswer, subjectContext } from "../../engine/http/call.ts";
import { hostOf } from "./host.ts";
import { statusOf } from "../../engine/scenario/rule-schema.ts";
import { closeEntry, ended, openEntry } from "../../engine/http/journal-entry.ts";

export const PAGE_IDS = [
  "signingPage",
  "signingImage",
  "signingFile",
  "sharedLink",
  "fileDownload",
  "editorSession",
  "authorizePage",
] as const;
export type PageId = (typeof PAGE_IDS)[number];

export interface PageCall extends Call {
  readonly host: Host;
  readonly tenant: Tenant;
  readonly bytes: Uint8Array | undefined;
}

export interface PageRun {
  id: PageId;
  subject?: string;
  bytesMax: number;
  run(call: PageCall): Response | Promise<Response>;
  failed(call: PageCall, status: number): Response | Promise<Response>;
}

export async function runPage(context: Context, tenant: Tenant, page: PageRun): Promise<Response> {
  const { generation } = tenant;
  const bytes = page.bytesMax === 0 ? NO_BYTES : await readBytes(context.req.raw, page.bytesMax).catch(() => undefined);
  const call: PageCall = {
    context,
    host: hostOf(context),
    tenant,
    dialect: "v1",
    entry: {
      ...openEntry(context, undefined, tenant),
      operationId: page.id,
      page: true,
      subject: page.subject,
      body: sizeNote(context, bytes),
    },
    generation,
    caller: undefined,
    rules: [],
    acted: new Set(),
    bytes,
  };
  return ended(call, () => answerPage(call, page));
}

async function answerPage(call: PageCall, page: PageRun): Promise<Response> {
  const { entry, tenant, generation } = call;
  call.rules = tenant.rules.match(entryContext(entry, tenant.id, subjectContext(call)), (rule) => rule.when.path !== undefined);
  let answer: Answer;
  try {
    await applyRulesBefore(call);
    // A page that waited must not act in a world that was reset meanwhile.
    if (generation !== tenant.generation) throw new ApiError("conflict", noEffectReason(tenant), { status: 503 });
    answer = await answerOf(await page.run(call));
    entry.why ??= answer.headers["x-docdouble-why"];
  } catch (error) {
    answer = await refusalOf(call, page, error);
  }
  if (!entry.injected) entry.own = answer.status;
  let network: Effect["network"];
  for (const rule of call.rules) {
    const { effect, name } = rule;
    if (network === undefined && effect.network) call.acted.add(rule);
    network ??= effect.network;
    if (effect.phase !== "after" || (!effect.error && !effect.respond)) continue;
    entry.injected = true;
    call.acted.add(rule);
    entry.why = `injected by rule ${name}`;
    answer = await injected(call, page, effect);
  }
  countIdleRules(call);
  return closeEntry(call, answer, network);
}

/** Forms carry passcodes, codes and signatures, so the journal keeps only their size. */
function sizeNote({ req }: Context, bytes: Uint8Array | undefined): string {
  return bytes && bytes.length > 0 ? `[${bytes.length} bytes of ${req.header("content-type") ?? ""}]` : "";
}

async function refusalOf(call: PageCall, page: PageRun, error: unknown): Promise<Answer> {
  if (error instanceof RuleAnswer) {
    if (error.answer === NO_ANSWER) return NO_ANSWER;
    call.entry.why = `injected by rule ${call.entry.rule}`;
    return orPage(call, page, error.answer);
  }
  if (error instanceof ApiError) {
    call.entry.why = error.options.why ?? error.message;
    return withHeaders(await answerOf(await page.failed(call, error.status)), error.options.headers);
  }
  call.host.onBug(error);
  call.entry.why = `docdouble failed: ${messageOf(error)}`;
  return answerOf(await page.failed(call, 500));
}

async function injected(call: PageCall, page: PageRun, effect: Effect): Promise<Answer> {
  if (effect.error) return answerOf(await page.failed(call, statusOf(effect.error)));
  const { status = 500, headers = {}, body } = effect.respond ?? {};
  const text = body === undefined || body === null || typeof body === "string" ? (body ?? null) : JSON.stringify(body);
  return orPage(call, page, { status, headers, body: text });
}

/** A person looks at a page, so an injected failure without a body gets a page. */
async function orPage(call: PageCall, page: PageRun, answer: Answer): Promise<Answer> {
  if (answer.body !== null || answer.status < 400) return answer;
  return withHeaders(await answerOf(await page.failed(call, answer.status)), answer.headers);
}

function withHeaders(answer: Answer, headers: Record<string, string> | undefined): Answer {
  return headers ? { ...answer, headers: { ...answer.headers, ...headers } } : answer;
}

async function answerOf(response: Response): Promise<Answer> {
  const headers = Object.fromEntries(response.headers);
  const body = response.body === null ? null : new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers, body };
}
