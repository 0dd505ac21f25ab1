import * as z from "zod";
import { group, lazy } from "../../engine/core/operation.ts";
import { changeTemplateSettings } from "../domain/templates/template-changes.ts";
import { shareTemplate, templateShares } from "../domain/templates/sharing.ts";
import { requireTemplate } from "../domain/templates/templates.ts";
import { ok, operation } from "./operation.ts";
import { templateSettingsRequest, templateSharesRequest } from "../model/templates/inputs.ts";

const settings = lazy(() => z.strictObject({ language: z.string() }));

const shares = lazy(() => z.strictObject({ workspace_ids: z.array(z.string()) }));

export const templateSettingsGroup = group("Template Settings", [
  operation({
    id: "templateSettingsGet",
    route: "GET /public/v2/templates/{template_id}/settings",
    responses: { 200: settings },
    errors: [],
    handle: ({ params }, world) => ok({ language: requireTemplate(world, params.template_id).internal.language }),
  }),
  operation({
    id: "templateSettingsUpdate",
    route: "PATCH /public/v2/templates/{template_id}/settings",
    body: templateSettingsRequest,
    responses: { 200: settings },
    errors: [],
    handle: ({ params, body }, world) =>
      ok({ language: changeTemplateSettings(world, params.template_id, body).internal.language }),
  }),
  operation({
    id: "getTemplateShares",
    route: "GET /public/v1/templates/{template_id}/shares",
    responses: { 200: shares },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ok(templateShares(world, params.template_id)),
  }),
  operation({
    id: "updateTemplateSharingSettings",
    route: "PUT /public/v1/templates/{template_id}/shares",
    body: templateSharesRequest,
    responses: { 200: shares },
    errors: [400, 401, 403, 404, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) => ok(shareTemplate(world, params.template_id, body)),
  }),
]);
