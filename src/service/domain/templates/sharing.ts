import { forbidden, invalid } from "../../../engine/core/errors.ts";
import { membersOf, requireAbility } from "../members/permissions.ts";
import type { World } from "../../model/world.ts";
import type { TemplateSharesInput } from "../../model/templates/inputs.ts";
import type { TemplateRow } from "../../model/templates/rows.ts";
import { requireOwnTemplate } from "./templates.ts";

/** Source: both operations need the permissions to edit and to share the template. */
function requireSharer(world: World, id: string): TemplateRow {
  const template = requireOwnTemplate(world, id);
  requireAbility(world, "share_templates", template);
  return template;
}

export function templateShares(world: World, id: string): { workspace_ids: string[] } {
  return { workspace_ids: [...requireSharer(world, id).internal.shared_with] };
}

/**
 * Replaces the whole list. The caller is a member of every workspace that is new in it. assumed: templates.share_refusals.
 * @throws 400, 403
 */
export function shareTemplate(world: World, id: string, input: TemplateSharesInput): { workspace_ids: string[] } {
  const template = requireSharer(world, id);
  const workspace_ids = [...new Set(input.workspace_ids)];
  const added = workspace_ids.filter((one) => !template.internal.shared_with.includes(one));
  const unknown = added.filter((one) => !world.store.workspaces.get(one)?.active);
  if (unknown.length > 0)
    throw invalid(
      { workspace_ids: unknown.map((one) => `Workspace with uuid ${one} not found.`) },
      `no active workspace ${unknown.join(", ")}`,
    );
  if (added.includes(template.workspace_id))
    throw invalid(
      { workspace_ids: ["Template can not be shared with its own workspace."] },
      `${template.workspace_id} is the workspace of the template, which uses it anyway`,
    );
  const foreign = added.find((one) => !membersOf(world, one).some((row) => row.user_id === world.caller.user_id));
  if (foreign !== undefined)
    throw forbidden(`${world.caller.email} is not a member of workspace ${foreign}; only its members share a template with it`);
  world.store.templates.put({ ...template, internal: { ...template.internal, shared_with: workspace_ids } });
  return { workspace_ids };
}
