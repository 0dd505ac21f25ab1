import { group, lazy } from "../../engine/core/operation.ts";
import { assignFields, createFields, listFields, toDocField } from "../domain/content/fields.ts";
import { ok, operation } from "./operation.ts";
import * as inputs from "../model/content/inputs.ts";
import * as z from "zod";
import { assignee, fieldMembers, personAssignee } from "./shapes/field.ts";
import { fieldLayout, optionOffset } from "../model/content/inputs.ts";

const fieldList = lazy(() =>
  z.strictObject({
    fields: z.array(
      z.strictObject({
        ...fieldMembers(),
        merge_field: z.string().nullable(),
        assigned_to: z.union([personAssignee().omit({ role: true, roles: true }), assignee()]),
        settings: z.strictObject({
          required: z.boolean(),
          placeholder: z.string(),
          masked: z.boolean(),
          multiline: z.boolean(),
          show_values: z.boolean().optional(),
          autofilled: z.boolean().optional(),
          options: z.array(z.strictObject({ text: z.string(), position: optionOffset().optional() })).optional(),
        }),
        layout: fieldLayout(),
        section_uuid: z.string().optional(),
      }),
    ),
  }),
);

export const fieldsGroup = group("Document Fields", [
  operation({
    id: "listDocumentFields",
    route: "GET /public/v1/documents/{id}/fields",
    responses: { 200: fieldList },
    errors: [401, 404, 409, 429],
    handle: ({ params }, world) => {
      const document = listFields(world, params.id);
      return ok({ fields: document.fields.map((field) => toDocField(document, field)) });
    },
  }),
  operation({
    id: "createDocumentFields",
    route: "POST /public/v1/documents/{id}/fields",
    body: inputs.createFieldsRequest,
    responses: { 200: fieldList },
    errors: [400, 401, 404, 423, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) => {
      const { document, fields } = createFields(world, params.id, body.fields);
      return ok({ fields: fields.map((field) => toDocField(document, field)) });
    },
  }),
  operation({
    id: "updateDocumentFieldsAssignment",
    route: "PATCH /public/v1/documents/{id}/fields",
    body: inputs.assignFieldsRequest,
    responses: { 204: null },
    errors: [400, 401, 403, 404, 423, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) => assignFields(world, params.id, body.fields),
  }),
]);
