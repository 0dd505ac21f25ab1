import { defined } from "../../../engine/core/defined.ts";
import { forbidden, invalid } from "../../../engine/core/errors.ts";
import { group } from "../../../engine/core/operation.ts";
import { ok, operation } from "../../kit/operation.ts";
import { flag, text, view } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import { requireOrgAdmin } from "../members/members.ts";
import type { PrivacyUpdate } from "./inputs.ts";
import { privacyUpdate } from "./inputs.ts";
import type { PrivacySettings, WorkspaceRow } from "./row.ts";
import { requireWorkspace } from "./workspaces.ts";

/** assumed: privacy.defaults. */
const DEFAULTS: PrivacySettings = {
  hipaa_compliance_enabled: false,
  ai_features_enabled: true,
  ai_on_premises_processing_enabled: true,
  ai_cloud_third_party_enabled: true,
  ai_on_premises_training_enabled: true,
  ai_third_party_training_enabled: false,
};

const ALL_OFF = {
  ai_features_enabled: false,
  ai_on_premises_processing_enabled: false,
  ai_cloud_third_party_enabled: false,
  ai_on_premises_training_enabled: false,
  ai_third_party_training_enabled: false,
};

/** Source: HIPAA and the master switch turn off every dependent setting. assumed: privacy.dependents. */
function inEffect(settings: PrivacySettings): PrivacySettings {
  return settings.hipaa_compliance_enabled || !settings.ai_features_enabled ? { ...settings, ...ALL_OFF } : settings;
}

/** Fixtures name only some of the settings. */
function privacyOf({ settings }: WorkspaceRow): PrivacySettings {
  return inEffect({ ...DEFAULTS, ...defined(settings.privacy) });
}

const ID = /^[A-Za-z0-9]{22}$/;

/**
 * assumed: privacy.bad_id. Fixtures may use ids of another form.
 * @throws 403, 400 for an id that no workspace can have, 404
 */
function requireForPrivacy(world: World, id: string, what: string): WorkspaceRow {
  requireOrgAdmin(world, what);
  if (!ID.test(id) && !world.store.workspaces.get(id))
    throw invalid(
      { workspace_id: ["Enter a valid value."] },
      `the id of a workspace has 22 letters and digits, and "${id.slice(0, 50)}" has another form`,
    );
  return requireWorkspace(world, id);
}

export function privacySettings(world: World, id: string): WorkspaceRow {
  return requireForPrivacy(world, id, "reading privacy settings");
}

/** What the update turns off stays off until an update turns it on. */
export function updatePrivacySettings(world: World, id: string, input: PrivacyUpdate): WorkspaceRow {
  const workspace = requireForPrivacy(world, id, "changing privacy settings");
  const before = privacyOf(workspace);
  const privacy = inEffect({
    ...before,
    ai_features_enabled: input.ai_features_enabled ?? before.ai_features_enabled,
    ai_on_premises_processing_enabled: input.ai_on_premises_processing_enabled ?? before.ai_on_premises_processing_enabled,
    ai_cloud_third_party_enabled: input.ai_cloud_third_party_enabled ?? before.ai_cloud_third_party_enabled,
    ai_third_party_training_enabled: input.ai_third_party_training_enabled ?? before.ai_third_party_training_enabled,
  });
  return world.store.workspaces.put({ ...workspace, settings: { ...workspace.settings, privacy } });
}

/** @throws 403 when the workspace of the caller has its AI features off. assumed: privacy.ai_off. */
export function requireAiFeatures(world: World): void {
  const workspace = world.store.workspaces.get(world.caller.workspace_id);
  if (!workspace || privacyOf(workspace).ai_features_enabled || world.decide("privacy.ai_off") === "serve") return;
  throw forbidden("the workspace has its AI features off; switch ai_features_enabled on in its privacy settings");
}

const settingsView = view<WorkspaceRow>()({
  workspace_id: [text, (row) => row.id],
  hipaa_compliance_enabled: [flag, (row) => privacyOf(row).hipaa_compliance_enabled],
  cfr11_compliance_enabled: [flag, (row) => row.settings.cfr_part_11],
  ai_features_enabled: [flag, (row) => privacyOf(row).ai_features_enabled],
  ai_on_premises_processing_enabled: [flag, (row) => privacyOf(row).ai_on_premises_processing_enabled],
  ai_cloud_third_party_enabled: [flag, (row) => privacyOf(row).ai_cloud_third_party_enabled],
  ai_on_premises_training_enabled: [flag, (row) => privacyOf(row).ai_on_premises_training_enabled],
  ai_third_party_training_enabled: [flag, (row) => privacyOf(row).ai_third_party_training_enabled],
});

export const privacySettingsGroup = group("Privacy settings", [
  operation({
    id: "getWorkspacePrivacySettings",
    route: "GET /public/beta/privacy-settings/workspaces/{workspace_id}",
    responses: { 200: settingsView },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params }, world) => ok(settingsView.of(privacySettings(world, params.workspace_id))),
  }),
  operation({
    id: "updateWorkspacePrivacySettings",
    route: "PATCH /public/beta/privacy-settings/workspaces/{workspace_id}",
    body: privacyUpdate,
    responses: { 200: settingsView },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, body }, world) => ok(settingsView.of(updatePrivacySettings(world, params.workspace_id, body))),
  }),
]);
