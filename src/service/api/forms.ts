import { group, lazy } from "../../engine/core/operation.ts";
import { listForms, toForm } from "../domain/forms/forms.ts";
import { ok, operation } from "./operation.ts";
import * as inputs from "../model/forms/inputs.ts";
import * as z from "zod";
import { dateTime } from "./shapes/document.ts";

const formList = lazy(() =>
  z.strictObject({
    results: z.array(
      z.strictObject({
        id: z.uuid(),
        name: z.string(),
        date_created: dateTime(),
        date_modified: dateTime(),
        status: z.enum(["DRAFT", "ACTIVE", "DISABLED"]),
      }),
    ),
    has_next_page: z.boolean(),
  }),
);

export const formsGroup = group("Forms", [
  operation({
    id: "listForm",
    route: "GET /public/v1/forms",
    query: inputs.formsQuery,
    responses: { 200: formList },
    errors: [400, 401, 403, 429],
    limits: "Forms come from fixtures and have no page. The admin API fills them in.",
    handle: ({ query }, world) => {
      const { forms, hasNext } = listForms(world, query);
      return ok({ results: forms.map(toForm), has_next_page: hasNext });
    },
  }),
]);
