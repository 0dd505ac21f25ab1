import { group } from "../../core/operation.ts";
import { listTemplates, requireTemplate, toTemplateDetails, toTemplateItem, toTemplateStatus } from "../../domain/templates.ts";
import { operation } from "../operation.ts";
import { pathParams } from "../shapes/inputs.ts";
import * as schemas from "./schemas.ts";

const byId = pathParams("id");

export const templatesGroup = group("Templates", [
  operation({
    id: "listTemplates",
    route: "GET /public/v1/templates",
    query: schemas.listQuery,
    responses: { 200: schemas.templateList },
    errors: [401, 429],
    handle: ({ query }, world) => {
      const withContentDate = (query.fields ?? []).some((list) => list.split(",").includes("content_date_modified"));
      return { status: 200, body: { results: listTemplates(world, query).map((row) => toTemplateItem(row, withContentDate)) } };
    },
  }),
  operation({
    id: "detailsTemplate",
    route: "GET /public/v1/templates/{id}/details",
    params: byId,
    responses: { 200: schemas.templateDetails },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ({ status: 200, body: toTemplateDetails(world, requireTemplate(world, params.id)) }),
  }),
  operation({
    id: "statusTemplate",
    route: "GET /public/v1/templates/{id}",
    params: byId,
    responses: { 200: schemas.templateStatus },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ({ status: 200, body: toTemplateStatus(requireTemplate(world, params.id)) }),
  }),
]);
