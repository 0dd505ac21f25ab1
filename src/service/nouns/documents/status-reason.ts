import type { DocumentRow } from "./row.ts";
import type { DocumentStatus, Permission, Trigger } from "./status-machine.ts";
import { ALLOWED_IN, STATUSES, isBeforeViewed, next } from "./status-machine.ts";

/** What somebody does for each transition. A shorter way wins, then an earlier line. The other transitions end a document or need no advice. */
const STEPS = {
  process: "wait until it is processed (poll its status, or advance the clock)",
  request_approval: "send it",
  approve: "let its approvers approve it",
  send: "send it",
  review: "let a recipient review it",
  accept_review: "end its review",
  complete: "let its recipients sign it",
  await_payment: "let its recipients sign it",
  pay: "let a recipient pay",
  revert: "move it to draft",
} as const satisfies Partial<Record<Trigger, string>>;

type Status = DocumentStatus;
type Subject = Pick<DocumentRow, "status"> & { internal: Pick<DocumentRow["internal"], "approval" | "payment"> };

/** The reason of a refusal by a document's status: the problem, where the act is allowed, and how the document gets there. */
export function statusReason(document: Subject, act: string, where: Permission | readonly Status[]): string {
  const allowed: readonly Status[] = typeof where === "string" ? ALLOWED_IN[where] : where;
  const repeated = where === "send" ? SENT[document.status] : undefined;
  const what = repeated === undefined ? act : `${act}, because ${repeated}`;
  const why = `Cannot ${what}: the document is in ${document.status}. Allowed in: ${listed(allowed)}`;
  const way = wayTo(document, allowed);
  return way ? `${why}. To get there, ${joined(way)}` : `${why}. ${whyNever(document, allowed)}`;
}

/** A client often repeats a send, because it lost the first answer. */
const SENT: Readonly<Partial<Record<Status, string>>> = {
  "document.waiting_approval": "it was already sent for approval",
  "document.scheduled": "it will be sent at its scheduled time",
  ...Object.fromEntries(
    STATUSES.filter((status) => !isBeforeViewed(status) || status === "document.sent").map((status) => [
      status,
      "it was already sent",
    ]),
  ),
};

/** Whether this document takes the transition from a status. No document skips its approval or its payment. */
export function canTake({ internal: { approval, payment } }: Subject, status: Status, trigger: Trigger): boolean {
  if (next(status, trigger) === undefined) return false;
  const needsApproval = approval !== null && status !== "document.approved";
  if (trigger === "send") return !needsApproval;
  if (trigger === "request_approval") return needsApproval;
  if (trigger === "complete") return payment === null;
  if (trigger === "await_payment") return payment !== null;
  return trigger !== "revert" || status !== "document.draft";
}

function wayTo(document: Subject, allowed: readonly Status[]): string[] | undefined {
  const way = wayBy(document, allowed, Object.keys(STEPS) as (keyof typeof STEPS)[]);
  return way?.map(({ from, trigger }) =>
    from === "document.scheduled" && trigger !== "revert" ? "wait for its scheduled time" : STEPS[trigger],
  );
}

interface Step<T extends Trigger> {
  from: Status;
  trigger: T;
}

/** The shortest walk of these triggers into one of the statuses. The earlier of two equal ways wins. */
export function wayBy<T extends Trigger>(
  document: Subject,
  allowed: readonly Status[],
  triggers: readonly T[],
): Step<T>[] | undefined {
  const ways: { status: Status; steps: Step<T>[] }[] = [{ status: document.status, steps: [] }];
  const seen = new Set([document.status]);
  // The list grows while the loop reads it, so shorter ways come first.
  for (const way of ways)
    for (const trigger of triggers) {
      const status = next(way.status, trigger);
      if (!status || seen.has(status) || !canTake(document, way.status, trigger) || isPointless(way.status, trigger)) continue;
      const steps = [...way.steps, { from: way.status, trigger }];
      if (allowed.includes(status)) return steps;
      seen.add(status);
      ways.push({ status, steps });
    }
  return undefined;
}

/** A draft without content helps nobody. */
function isPointless(status: Status, trigger: Trigger): boolean {
  return trigger === "revert" && (status === "document.uploaded" || status === "document.error");
}

function whyNever({ status, internal: { approval, payment } }: Subject, allowed: readonly Status[]): string {
  if (status === "document.error") return "Its creation failed; create another document";
  if (!approval && allowed.includes("document.waiting_approval")) return "It never gets there, because it has no approval";
  if (!payment && allowed.includes("document.waiting_pay")) return "It never gets there, because it has no payment";
  return "Only a new document has this status";
}

function joined(steps: readonly string[]): string {
  const named = steps.map((step, i) => (steps.indexOf(step) < i ? `${step} again` : step));
  const last = named.pop() ?? "";
  return named.length > 0 ? `${named.join(", ")}, then ${last}` : last;
}

/** Names the smaller half: the statuses, or the statuses without which. */
function listed(allowed: readonly Status[]): string {
  const others = STATUSES.filter((status) => !allowed.includes(status));
  return allowed.length > others.length ? `every status except ${others.join(", ")}` : allowed.join(", ") || "no status";
}
