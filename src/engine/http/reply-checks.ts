/** Checks answers against the operation's record. Only docdouble's own tests use this. */
import type { AdminOperation } from "../core/verb.ts";
import { adminErrorsOf } from "../verbs/define.ts";
import type { Control, TenantRegistry } from "../runtime/tenants/tenant-registry.ts";
import { errorsOf, type Operation, type Reply } from "../core/operation.ts";
import { type Answer, errorAnswer, type OperationCall } from "./call.ts";

export function checkReply(operation: Pick<Operation, "id" | "responses">, reply: Reply): void {
  const declared = operation.responses[reply.status];
  if (declared === undefined) throw new Error(`${operation.id} answered ${reply.status}, which it does not declare`);
  if (declared === null) {
    if (reply.body !== undefined) throw new Error(`${operation.id} answered ${reply.status} with a body`);
    return;
  }
  if (typeof declared !== "function") return;
  const result = declared().safeParse(reply.body);
  if (!result.success)
    throw new Error(`${operation.id} answered with a body that breaks its schema: ${JSON.stringify(result.error.issues)}`);
}

/** Reads a stream of JSON to its end, and returns the reply with the read body. */
export async function checkAdminReply(operation: AdminOperation<Control>, reply: Reply): Promise<Reply> {
  if (typeof operation.responses[reply.status] !== "function") {
    checkReply(operation, reply);
    return reply;
  }
  const text = reply.body instanceof ReadableStream ? await new Response(reply.body).text() : JSON.stringify(reply.body);
  const whole = { ...reply, body: JSON.parse(text) as unknown };
  checkReply(operation, whole);
  return whole;
}

export function checkAdminRefusal(operation: AdminOperation<Control>, { status }: Response, host: TenantRegistry): void {
  if (status === 500 || adminErrorsOf(operation).includes(status)) return;
  host.onBug(new Error(`${operation.id} answered ${status}, which it does not declare`));
}

export function checkRefusal(call: OperationCall, answer: Answer): Answer {
  const { operation } = call.target;
  if (answer.status < 400 || answer.status === 500 || errorsOf(operation).includes(answer.status)) return answer;
  // A reading that differs from the default may answer a status that the description lacks.
  if (call.assumptions?.some((id) => Object.hasOwn(call.tenant.readings.assume, id))) return answer;
  return errorAnswer(call, new Error(`${operation.id} answered ${answer.status}, which it does not declare: ${call.entry.why}`));
}
