import * as z from "zod";
import { group, lazy } from "../../../engine/core/operation.ts";
import { changeTemplateSettings } from "../../domain/templates/template-changes.ts";
import { requireTemplate } from "../../domain/templates/templates.ts";
import { ok, operation } from "../operation.ts";
import { templateSettingsRequest } from "../../model/templates/inputs.ts";

const settings = lazy(() => z.strictObject({ language: z.string() }));

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
]);
