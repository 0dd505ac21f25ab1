/**
 * Test values for clients that cannot load a file: addresses of recipients such as `pat+sign.after=2h@example.test`,
 * `pat+decline@example.test`, `pat+never@example.test`.
 */
import { readDuration } from "../../../engine/core/time-limits.ts";

const ACT_OF: Readonly<Record<string, string>> = { sign: "sign", view: "view", decline: "decline", pay: "pay" };

export function actOf(recipient: { email: string | null }): { act: string; after_ms: number } | undefined {
  const request = requestIn(recipient.email);
  return request?.problem === undefined ? request : undefined;
}

export function addressProblem(email: string): string | undefined {
  return requestIn(email)?.problem;
}

function requestIn(email: string | null): { act: string; after_ms: number; problem?: string } | undefined {
  const tag = /\+([a-z]+)((?:\.[a-z]+=[^.@+]+)*)@/i.exec(email ?? "");
  const act = ACT_OF[tag?.[1]?.toLowerCase() ?? ""];
  if (!act) return undefined;
  const after = /\.after=([^.@+]+)/i.exec(tag?.[2] ?? "")?.[1];
  const wait = after === undefined ? { value: 0 } : readDuration(after);
  return wait.problem === undefined ? { act, after_ms: wait.value } : { act, after_ms: 0, problem: wait.problem };
}
