import { group } from "../../../engine/core/operation.ts";
import { assignFields, createFields, listFields, toDocField } from "../../domain/content/fields.ts";
import { ok, operation } from "../operation.ts";
import * as inputs from "../../model/content/inputs.ts";
import * as schemas from "./schemas.ts";

export const fieldsGroup = group("Document Fields", [
  operation({
    id: "listDocumentFields",
    route: "GET /public/v1/documents/{id}/fields",
    responses: { 200: schemas.fieldList },
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
    responses: { 200: schemas.fieldList },
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
