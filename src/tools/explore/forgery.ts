import { type Fault, withValidSignature } from "./faults.ts";
import { isAccepted } from "./judge.ts";
import { type Post, postsOf, type Recording } from "./recording.ts";
import type { Runs } from "./runs.ts";

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

/** Whether the client does on a forged copy what it does on the true event. Plays the fault with a right signature, and without a copy. */
export async function takesForTrue(runs: Runs, forged: Recording, copy: Post, fault: Fault): Promise<boolean> {
  // The copy arrives first and the true event second, unless the client ends before.
  const onForged = behavior(forged, sameEvent(forged, copy)[1]);
  const signedRun = await runs.play([withValidSignature(fault)]);
  const onTrue = behavior(signedRun, sameEvent(signedRun, copy)[1]);
  if (onForged.calls !== onTrue.calls) return false;
  const runWithout = await runs.play([withoutForgery(fault)]);
  const onNone = behavior(runWithout, sameEvent(runWithout, copy)[0]);
  // A client may act without a call: it ends.
  return onNone.calls !== onForged.calls || (onForged.hasEnded && onTrue.hasEnded && !onNone.hasEnded);
}

export function isUnheeded(recording: Recording): boolean {
  return postsOf(recording).some((one) => one.signed !== "valid" && isAccepted(one));
}
