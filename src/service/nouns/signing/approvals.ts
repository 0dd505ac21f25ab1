import { badRequest, notFound } from "../../../engine/core/errors.ts";
import type { World } from "../../kit/world.ts";
import type { ApprovalStep } from "../content/row.ts";
import { audit } from "../documents/history.ts";
import type { DocumentRow } from "../documents/row.ts";
import { next } from "../documents/status-machine.ts";
import { fire, putDocument } from "../documents/transitions.ts";
import { findPerson, membersOf, personOf } from "../members/members.ts";
import { mailApprovers } from "../people/mails.ts";

export function memberOf(world: World, document: DocumentRow, reference: string | undefined) {
  if (reference === undefined) return undefined;
  const members = membersOf(world, document.workspace_id).flatMap((row) => findPerson(world, row.id) ?? []);
  const found = members.find(
    ({ member, user }) => member.id === reference || user.email.toLowerCase() === reference.toLowerCase(),
  );
  if (!found) throw notFound(`no member ${reference}; known: ${members.map(({ user }) => user.email).join(", ") || "none"}`);
  return found;
}

export function decide(
  world: World,
  document: DocumentRow,
  decision: "approved" | "rejected",
  input: { member?: string; reason?: string },
): DocumentRow {
  const { approval } = document.internal;
  const trigger = decision === "approved" ? "approve" : "reject";
  if (!approval || !next(document.status, trigger)) return fire(world, document, trigger);
  const member = memberOf(world, document, input.member);
  const step = approval.steps.find((one) => !isDecided(one));
  const approver = step?.approvers.find(
    (one) => one.is_selected && one.decision === null && (!member || one.membership_id === member.member.id),
  );
  if (!step || !approver)
    throw badRequest("Nobody is asked for this approval.", {
      why: `the current approval step waits for ${step ? openApprovers(world, step) : "nobody"}`,
    });
  const steps = approval.steps.map((one) =>
    one === step
      ? {
          ...one,
          approvers: one.approvers.map((other) => (other === approver ? { ...other, decision, at: world.clock.now() } : other)),
        }
      : one,
  );
  const changed = { ...document, internal: { ...document.internal, approval: { ...approval, steps } } };
  const { id, email } = personOf(world, approver.membership_id);
  const by = { id, email };
  if (decision === "rejected") return fire(world, changed, "reject", { by, reason: input.reason ?? null });
  if (steps.every(isDecided)) return fire(world, changed, "approve", { by });
  audit(world, changed, 4, by);
  if (isDecided(steps[approval.steps.indexOf(step)] ?? step)) mailApprovers(world, changed);
  return putDocument(world, changed);
}

function openApprovers(world: World, step: ApprovalStep): string {
  const open = step.approvers.filter((one) => one.is_selected && one.decision === null);
  return open.map((one) => findPerson(world, one.membership_id)?.user.email ?? one.membership_id).join(", ") || "nobody";
}

export function isDecided(step: {
  group: { type: string };
  approvers: readonly { is_selected: boolean; decision: string | null }[];
}): boolean {
  const selected = step.approvers.filter((one) => one.is_selected);
  return step.group.type === "any"
    ? selected.some((one) => one.decision === "approved")
    : selected.every((one) => one.decision === "approved");
}
