import { invalid } from "../../../engine/core/errors.ts";
import type { World } from "../../kit/world.ts";
import type { ApprovalStep } from "../content/row.ts";
import { findPerson } from "../members/members.ts";
import type { SelectedSteps } from "../people/sending.ts";
import type { DocumentRow } from "./row.ts";

/** A caller can send these steps back as `selected_approvers`. assumed: approvals.steps_shown. */
export function toApproval(world: World, document: DocumentRow) {
  const { approval } = document.internal;
  if (!approval) return null;
  return {
    document_uuid: document.id,
    revision_number: approval.revision_number,
    steps: approval.steps.map((step) => ({
      id: step.id,
      group: {
        id: step.group.id,
        type: step.group.type,
        assignees: step.approvers.map(({ membership_id, is_selected, decision }) => ({
          user: userOf(world, membership_id),
          is_selected,
          // assumed: approvals.decision.
          decision,
        })),
      },
    })),
  };
}

function userOf(world: World, membershipId: string): string {
  return findPerson(world, membershipId)?.user.id ?? "";
}

/** Applies the selection of a request. assumed: approvals.selection. */
export function selectApprovers(
  world: World,
  steps: readonly ApprovalStep[],
  selected: SelectedSteps | undefined,
): ApprovalStep[] {
  const refuse = (message: string, why: string) => invalid({ selected_approvers: [message] }, why);
  for (const one of selected ?? []) {
    const step = steps.find((other) => other.id === one.id && other.group.id === one.group.id);
    const known = steps.map((other) => `${other.id} with group ${other.group.id}`).join(", ");
    if (!step)
      throw refuse("Approval step not found.", `no step ${one.id} with group ${one.group.id}; known: ${known || "none"}`);
    if (step.group.type !== "selectable") continue;
    const users = step.approvers.map((approver) => userOf(world, approver.membership_id));
    const stranger = one.group.assignees.find((assignee) => !users.includes(assignee.user));
    if (stranger)
      throw refuse("Assignee is not a member of the group.", `the group has ${users.join(", ")}, and not ${stranger.user}`);
    const chosen = one.group.assignees.filter((assignee) => assignee.is_selected).length;
    if (chosen !== 1) throw refuse("Exactly one assignee of a selectable group must be selected.", `${chosen} are selected`);
  }
  return steps.map((step) => {
    if (step.group.type !== "selectable") return step;
    const choice = selected?.find((one) => one.id === step.id)?.group.assignees.find((one) => one.is_selected)?.user;
    const index = choice === undefined ? -1 : step.approvers.findIndex((one) => userOf(world, one.membership_id) === choice);
    const before = step.approvers.findIndex((one) => one.is_selected);
    const at = index >= 0 ? index : Math.max(0, before);
    return { ...step, approvers: step.approvers.map((one, i) => ({ ...one, is_selected: i === at })) };
  });
}
