/** Asks the functions of a test for an answer: `sandbox.on`. They come before the rules, and see only calls with valid credentials. */
import * as z from "zod";
import { applyPatch } from "../core/json-patch.ts";
import { lazy } from "../core/operation.ts";
import { messageOf } from "../core/text.ts";
import type { Handled, HandledCall } from "../runtime/call-handlers.ts";
import { mistakesIn } from "../scenario/parse.ts";
import { patchSchema, respondSchema } from "../scenario/rule-schema.ts";
import { valueText } from "../scenario/plain-problem.ts";
import { respondWith } from "./apply-rules.ts";
import { type Answer, bodyOf, JSON_HEADERS, type OperationCall, RuleAnswer } from "./call.ts";

const handled = lazy(() => z.union([respondSchema(), z.strictObject({ patch: patchSchema() })]));

const FORMS = "Return nothing, { status, body } or { patch }";

/** The newest handler that returns something decides. Its patch waits for the operation's own answer. @throws RuleAnswer */
export function askHandlers(call: OperationCall): undefined | Promise<void> {
  const handlers = call.tenant.handlers.of(call.target.operation.id);
  if (handlers.length === 0) return undefined;
  return (async () => {
    for (const handler of handlers) {
      try {
        const answer: unknown = await handler.handle(toHandledCall(call, ++handler.seen));
        // A returned object can throw when it is read, or hold what JSON cannot.
        if (answer !== undefined) return use(call, answer);
      } catch (error) {
        throw error instanceof RuleAnswer ? error : new RuleAnswer(mistake(call, `failed: ${messageOf(error)}`));
      }
    }
  })();
}

function use(call: OperationCall, answer: unknown): void {
  const result = handled().safeParse(answer, { reportInput: true });
  if (!result.success) {
    const { inside } = mistakesIn(result.error.issues, handled());
    const what = inside.length > 0 ? `: ${inside.join("; ")}` : "";
    throw new RuleAnswer(mistake(call, `returned ${valueText(answer)}${what}. ${FORMS}`));
  }
  const asked = result.data as Handled;
  call.entry.rule = nameOf(call);
  if ("patch" in asked) {
    call.patch = asked.patch;
    return;
  }
  call.entry.injected = true;
  call.entry.why = `answered by ${nameOf(call)}`;
  throw new RuleAnswer(respondWith(asked));
}

/** Applies the patch of a handler to the operation's own answer. A refusal stays as it is. */
export function patchedByHandler(call: OperationCall, own: Answer): Answer {
  const { patch } = call;
  if (!patch || own.status >= 300) return own;
  call.entry.injected = true;
  try {
    const body = JSON.stringify(applyPatch(bodyOf(own), patch));
    call.entry.why = `${nameOf(call)} changed the answer`;
    return { ...own, headers: { ...own.headers }, body };
  } catch (error) {
    return mistake(call, `returned a patch that does not fit the answer: ${messageOf(error)}`);
  }
}

function nameOf(call: OperationCall): string {
  return `sandbox.on("${call.target.operation.id}")`;
}

/** A handler that cannot act. This is a mistake of the test, and no answer of the service. */
function mistake(call: OperationCall, what: string): Answer {
  const detail = `The handler of ${nameOf(call)} ${what}.`;
  call.entry.rule = nameOf(call);
  call.entry.injected = true;
  call.entry.why = detail;
  return { status: 500, headers: { ...JSON_HEADERS }, body: JSON.stringify({ type: "docdouble_error", detail }) };
}

/** Copies, so that a handler cannot change the call. */
function toHandledCall({ target, entry, context, body }: OperationCall, nth: number): HandledCall {
  const { method, path, query, headers } = entry;
  return {
    operation: target.operation.id,
    method,
    path,
    params: { ...context.req.param() },
    query: structuredClone(query),
    headers: { ...headers },
    body: structuredClone(body.value),
    nth,
  };
}
