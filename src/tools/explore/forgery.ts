/** Receivers of webhooks: those that act on a forged event, and those that refuse a genuine one. */
import { type Fault, withValidSignature } from "./faults.ts";
import type { Finding } from "./finding.ts";
import { type CallItem, type Item, type Post, postsOf, type Recording } from "./recording.ts";
import type { FaultPlace } from "./report.ts";
import type { Runs } from "./runs.ts";

export function isAccepted({ result }: Post): boolean {
  return result?.status != null && result.status < 400;
}

function withoutForgery(fault: Fault): Fault {
  return { ...fault, patch: { webhooks: (fault.patch.webhooks ?? []).map(withoutCopy) } };
}

function withoutCopy<R extends { then: object }>(rule: R): R {
  const { copy_ahead: _, ...then } = rule.then as { copy_ahead?: unknown };
  return { ...rule, then };
}

/** The answered deliveries of the event. A client that has ended answers none. */
function answered(run: Recording, one: Post): Post[] {
  return postsOf(run).filter(
    ({ event, document, status, result }) =>
      result?.status != null && event === one.event && document === one.document && status === one.status,
  );
}

/** Genuine deliveries of the event. A forged copy has another id. */
function genuine(run: Recording, one: Post): Post[] {
  return answered(run, one).filter(({ signed }) => signed === "valid");
}

/**
 * Which calls the client makes before an event arrives, in the order of their first ones. Several copies lead to several equal reads.
 * Times do not count, because real time differs from run to run.
 */
function behavior({ items }: Recording, before: Post | undefined): { calls: string; hasEnded: boolean } {
  const until = before === undefined ? items : items.slice(0, items.indexOf(before));
  const calls = until.flatMap((one) => (one.kind === "call" ? [`${one.operation} ${one.entry.status}`] : []));
  return { calls: [...new Set(calls)].join(), hasEnded: before === undefined };
}

/** The first forged event that the receiver answers with success. Calls tell about a refused event only where they name their cause. */
export function takenForgery(run: Recording): Post | undefined {
  const forged = postsOf(run).filter(({ signed }) => signed !== "valid");
  return forged.find((one) => hasActed(run, one)) ?? forged.find(isAccepted);
}

/** An event may be a mere hint: a client that first reads the document acts on the truth, whoever sent the event. */
export function hasActed({ items }: Recording, forged: Post): boolean {
  return actsUnread(
    items.filter((one) => one.kind === "call" && one.cause === forged),
    forged,
  );
}

function actsUnread(items: readonly Item[], { document }: Post): boolean {
  const calls = items.filter((one): one is CallItem => one.kind === "call");
  const first = calls.findIndex((one) => isAct(one));
  return first >= 0 && !calls.slice(0, first).some((one) => shows(one, document));
}

const isAct = ({ operation, entry }: CallItem) => entry.method !== "GET" || operation.startsWith("download");

function shows({ entry, document }: CallItem, wanted: string): boolean {
  return entry.method === "GET" && (document === wanted || entry.responseBody.includes(wanted));
}

/** Whether the client does on a forged copy what it does on the true event. Plays the fault with a right signature, and without a copy. */
export async function takesForTrue(runs: Runs, forged: Recording, copy: Post, fault: Fault): Promise<boolean> {
  if (!acts(forged, copy)) return false;
  // The copies arrive first and the true event last, unless the client ends before. With a right signature there is one copy.
  const onForged = behavior(forged, genuine(forged, copy)[0]);
  const signedRun = await runs.play([withValidSignature(fault)]);
  const onTrue = behavior(signedRun, genuine(signedRun, copy)[1]);
  if (onForged.calls !== onTrue.calls) return false;
  const runWithout = await runs.play([withoutForgery(fault)]);
  const onNone = behavior(runWithout, genuine(runWithout, copy)[0]);
  // A client may act without a call: it ends.
  return onNone.calls !== onForged.calls || (onForged.hasEnded && onTrue.hasEnded && !onNone.hasEnded);
}

/** Whether the client acts or ends after the copy, before the true event and before it reads the document. */
function acts(run: Recording, copy: Post): boolean {
  const [trueOne] = genuine(run, copy);
  const since = run.items.slice(run.items.indexOf(copy) + 1, trueOne ? run.items.indexOf(trueOne) : undefined);
  const calls = since.filter((one): one is CallItem => one.kind === "call");
  const first = calls.find((one) => isAct(one) || shows(one, copy.document));
  return first ? isAct(first) : trueOne === undefined;
}

export function isUnheeded(recording: Recording): boolean {
  return postsOf(recording).some((one) => one.signed !== "valid" && isAccepted(one));
}

/** Answers that ask for another try, or that end the subscription. */
const LATER = new Set([410, 425, 429, 503]);

/**
 * Without a fault, a receiver that accepts no event at all refuses genuine ones. With a fault, only the event whose text is written in
 * another way counts, because a receiver may have a reason to refuse another event.
 */
export function findRefusal(run: Recording, faults: readonly FaultPlace[]): Finding | undefined {
  const posts = postsOf(run).filter(({ signed, result }) => signed === "valid" && result?.status != null);
  const refuses = ({ result }: Post) => (result?.status ?? 0) >= 400 && !LATER.has(result?.status ?? 0);
  const isHit = ({ event, nth }: Post) =>
    faults.some((one) => one.fault === "webhook_respelled" && one.operation === event && one.nth === nth);
  const item =
    faults.length === 0 ? (posts.every(refuses) ? posts[0] : undefined) : posts.find((one) => isHit(one) && refuses(one));
  if (!item) return undefined;
  const which = faults.length === 0 ? "each genuine event" : "a genuine event whose JSON is written in another way";
  return { symptom: "genuine_webhook_refused", message: `The receiver answers ${item.result?.status} to ${which}.`, item };
}
