import { group, lazy } from "../../engine/core/operation.ts";
import { createEditingSession, toEditingSession } from "../domain/templates/editing-sessions.ts";
import { pollConversion } from "../domain/content/file-conversion.ts";
import * as changes from "../domain/templates/template-changes.ts";
import {
  listTemplates,
  requireOwnTemplate,
  requireTemplate,
  toTemplateCopy,
  toTemplateDetails,
  toTemplateItem,
  toTemplateStatus,
} from "../domain/templates/templates.ts";
import { created, ok, operation } from "./operation.ts";
import * as inputs from "../model/templates/inputs.ts";
import { editingSessionRequest } from "../model/templates/inputs.ts";
import * as z from "zod";
import { dateTime, person } from "./shapes/document.ts";
import { editingSessionMembers } from "./shapes/editing-session.ts";
import { itemContent, listedItem } from "./shapes/template.ts";

const editingSession = lazy(() => z.strictObject({ ...editingSessionMembers(), template_id: z.string() }));

const templateItem = lazy(() => z.strictObject({ ...listedItem(), content_date_modified: dateTime().optional() }));

const templateCopy = lazy(() =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    date_created: dateTime(),
    date_modified: dateTime(),
    meta: z.strictObject({ source_template_id: z.string() }),
  }),
);

const templateList = lazy(() => z.strictObject({ results: z.array(templateItem()) }));

const templateStatus = lazy(() =>
  z.strictObject({ ...listedItem(), status: z.enum(["template.UPLOADED", "template.PROCESSED", "template.ERROR"]) }),
);

const templateDetails = lazy(() =>
  z.strictObject({ ...listedItem(), ...itemContent(), folder_uuid: z.string(), created_by: person() }),
);

function asksContentDate(query: { fields?: string[] }): boolean {
  return (query.fields ?? []).some((list) => list.split(",").includes("content_date_modified"));
}

export const templatesGroup = group("Templates", [
  operation({
    id: "listTemplates",
    route: "GET /public/v1/templates",
    query: inputs.listQuery,
    responses: { 200: templateList },
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
      return created(toTemplateCopy(copy, source));
    },
  }),
  operation({
    id: "detailsTemplate",
    route: "GET /public/v1/templates/{id}/details",
    responses: { 200: templateDetails },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ok(toTemplateDetails(world, requireTemplate(world, params.id))),
  }),
  operation({
    id: "statusTemplate",
    route: "GET /public/v1/templates/{id}",
    responses: { 200: templateStatus },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => {
      pollConversion(world, changes.templateConversion, requireTemplate(world, params.id).id);
      return ok(toTemplateStatus(requireTemplate(world, params.id)));
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
