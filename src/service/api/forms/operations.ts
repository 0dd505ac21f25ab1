import { group } from "../../../engine/core/operation.ts";
import { listForms, toForm } from "../../domain/forms/forms.ts";
import { ok, operation } from "../operation.ts";
import * as inputs from "../../model/forms/inputs.ts";
import * as schemas from "./schemas.ts";

export const formsGroup = group("Forms", [
  operation({
    id: "listForm",
    route: "GET /public/v1/forms",
    query: inputs.formsQuery,
    responses: { 200: schemas.formList },
    errors: [400, 401, 403, 429],
    limits: "Forms come from fixtures and have no page. The admin API fills them in.",
    handle: ({ query }, world) => {
      const { forms, hasNext } = listForms(world, query);
      return ok({ results: forms.map(toForm), has_next_page: hasNext });
    },
  }),
]);
