import * as z from "zod";
import { group, lazy } from "../../engine/core/operation.ts";
import { privacyUpdate } from "../model/workspaces/inputs.ts";
import { privacySettings, toPrivacySettings, updatePrivacySettings } from "../domain/workspaces/privacy.ts";
import { ok, operation } from "./operation.ts";

const settings = lazy(() =>
  z.strictObject({
    workspace_id: z.string(),
    hipaa_compliance_enabled: z.boolean(),
    cfr11_compliance_enabled: z.boolean(),
    ai_features_enabled: z.boolean(),
    ai_on_premises_processing_enabled: z.boolean(),
    ai_cloud_third_party_enabled: z.boolean(),
    ai_on_premises_training_enabled: z.boolean(),
    ai_third_party_training_enabled: z.boolean(),
  }),
);

export const privacySettingsGroup = group("Privacy settings", [
  operation({
    id: "getWorkspacePrivacySettings",
    route: "GET /public/beta/privacy-settings/workspaces/{workspace_id}",
    responses: { 200: settings },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params }, world) => ok(toPrivacySettings(privacySettings(world, params.workspace_id))),
  }),
  operation({
    id: "updateWorkspacePrivacySettings",
    route: "PATCH /public/beta/privacy-settings/workspaces/{workspace_id}",
    body: privacyUpdate,
    responses: { 200: settings },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, body }, world) => ok(toPrivacySettings(updatePrivacySettings(world, params.workspace_id, body))),
  }),
]);
