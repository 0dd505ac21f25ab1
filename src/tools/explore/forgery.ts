import type { Fault } from "./faults.ts";
import { type Post, postsOf, type Recording } from "./recording.ts";

export function withoutForgery(fault: Fault): Fault {
  return { ...fault, patch: { webhooks: (fault.patch.webhooks ?? []).map(withoutCopy) } };
}

function withoutCopy<R extends { then: object }>(rule: R): R {
  const { copy_ahead: _, ...then } = rule.then as { copy_ahead?: unknown };
  return { ...rule, then };
}

/** Copies of the event count too: a forged copy has another id. */
export function sameEvent(run: Recording, one: Post): Post[] {
  return postsOf(run).filter(
    ({ event, document, status }) => event === one.event && document === one.document && status === one.status,
  );
}

/** What the client does before an event arrives. Polls count once and times do not, because real time differs from run to run. */
export function behavior({ items }: Recording, before: Post | undefined): { calls: string; hasEnded: boolean } {
  const until = before === undefined ? items : items.slice(0, items.indexOf(before));
  const calls = until.flatMap((one) => (one.kind === "call" ? [`${one.operation} ${one.entry.status}`] : []));
  return { calls: calls.filter((one, i) => one !== calls[i - 1]).join(), hasEnded: before === undefined };
}
