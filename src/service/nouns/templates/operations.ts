import * as z from "zod";
import { forbidden, invalid } from "../../../engine/core/errors.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { created, ok, operation } from "../../kit/operation.ts";
import type { World } from "../../kit/world.ts";
import { pollConversion } from "../content/file-conversion.ts";
import { membersOf, requireAbility } from "../members/members.ts";
import { createEditingSession, editingSessionMembers, toEditingSession } from "./editing-sessions.ts";
import * as inputs from "./row.ts";
import type { TemplateRow, TemplateSharesInput } from "./row.ts";
import { editingSessionRequest, templateSettingsRequest, templateSharesRequest } from "./row.ts";
import * as changes from "./template-changes.ts";
import { changeTemplateSettings } from "./template-changes.ts";
import {
  listTemplates,
  requireOwnTemplate,
  requireTemplate,
  templateCopy,
  templateDetails,
  templateItem,
  templateStatus,
  toTemplateItem,
} from "./templates.ts";

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

const editingSession = lazy(() => z.strictObject({ ...editingSessionMembers(), template_id: z.string() }));

function asksContentDate(query: { fields?: string[] }): boolean {
  return (query.fields ?? []).some((list) => list.split(",").includes("content_date_modified"));
}

export const templatesGroup = group("Templates", [
  operation({
    id: "listTemplates",
    route: "GET /public/v1/templates",
    query: inputs.listQuery,
    responses: { 200: templateItem.results },
    errors: [401, 429],
    handle: ({ query }, world) => {
      const rows = listTemplates(world, query);
      return ok({ results: rows.map((row) => toTemplateItem(row, asksContentDate(query))) });
    },
  }),
  operation({
    id: "createTemplate",
    route: "POST /public/v1/templates",
    query: inputs.createQuery,
    body: inputs.createRequest,
    responses: { 201: templateItem },
    errors: [400, 401, 429],
    invalidType: "validation_error",
    limits: "docdouble keeps the text of a DOCX or RTF, but not its layout. DOC files end in template.ERROR.",
    handle: ({ query, body }, world) => created(toTemplateItem(changes.createTemplate(world, body), asksContentDate(query))),
  }),
  operation({
    id: "createTemplateWithUpload",
    route: "POST /public/v1/templates?upload",
    query: inputs.createQuery,
    body: inputs.uploadRequest,
    bodyKind: "multipart",
    responses: { 201: templateItem },
    errors: [400, 401, 429],
    invalidType: "validation_error",
    limits: "docdouble keeps the text of a DOCX or RTF, but not its layout. DOC files end in template.ERROR.",
    handle: ({ query, body }, world) =>
      created(toTemplateItem(changes.createTemplate(world, body.data ?? {}, body.file), asksContentDate(query))),
  }),
  operation({
    id: "duplicateTemplate",
    route: "POST /public/v1/templates/{id}/duplicate",
    body: inputs.duplicateRequest,
    bodyOptional: true,
    responses: { 201: templateCopy },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, body }, world) => {
      const { copy, source } = changes.duplicateTemplate(world, params.id, body.name);
      return created(templateCopy.of(copy, source));
    },
  }),
  operation({
    id: "detailsTemplate",
    route: "GET /public/v1/templates/{id}/details",
    responses: { 200: templateDetails },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ok(templateDetails.of(requireTemplate(world, params.id), world)),
  }),
  operation({
    id: "statusTemplate",
    route: "GET /public/v1/templates/{id}",
    responses: { 200: templateStatus },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => {
      pollConversion(world, changes.templateConversion, requireTemplate(world, params.id).id);
      return ok(templateStatus.of(requireTemplate(world, params.id)));
    },
  }),
  operation({
    id: "deleteTemplate",
    route: "DELETE /public/v1/templates/{id}",
    responses: { 204: null },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params }, world) => changes.deleteTemplate(world, params.id),
  }),
  operation({
    id: "updateTemplate",
    route: "PATCH /public/v1/templates/{id}",
    body: inputs.updateRequest,
    responses: { 204: null },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, body }, world) => changes.updateTemplate(world, params.id, body),
  }),
  operation({
    id: "createTemplateEditingSession",
    route: "POST /public/v1/templates/{id}/editing-sessions",
    secret: { response: ["key", "token"] },
    body: editingSessionRequest,
    responses: { 201: editingSession },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, body }, world) => {
      const template = requireOwnTemplate(world, params.id);
      changes.requireProcessed(template, "edited");
      const session = createEditingSession(world, { kind: "template", id: template.id }, body);
      return created({ ...toEditingSession(session), template_id: template.id });
    },
  }),
]);
