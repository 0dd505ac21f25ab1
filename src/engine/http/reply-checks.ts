/** Checks answers against the operation's record. Only docdouble's own tests use this. */
import { errorsOf, type Operation, type Reply } from "../core/operation.ts";
import type { EngineWorld } from "../runtime/world.ts";
import { type Answer, errorAnswer, type OperationCall } from "./call.ts";

export function checkReply(operation: Operation<EngineWorld>, reply: Reply): void {
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

export function checkRefusal(call: OperationCall, answer: Answer): Answer {
  const { operation } = call.target;
  if (answer.status < 400 || answer.status === 500 || errorsOf(operation).includes(answer.status)) return answer;
  // A reading that differs from the default may answer a status that the description lacks.
  if (call.assumptions?.some((id) => Object.hasOwn(call.tenant.readings.assume, id))) return answer;
  return errorAnswer(call, new Error(`${operation.id} answered ${answer.status}, which it does not declare: ${call.entry.why}`));
}
