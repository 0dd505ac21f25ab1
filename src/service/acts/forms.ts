import { notFound } from "../../engine/core/errors.ts";
import { group } from "../../engine/core/operation.ts";
import { submissionInput } from "../model/forms/inputs.ts";
import { submitForm } from "../domain/forms/submissions.ts";
import { toActResult } from "../domain/signing/act-table.ts";
import { operation } from "./operation.ts";

export const formsGroup = group("Admin: forms", [
  operation({
    id: "adminSimulateForm",
    route: "POST /__admin/forms/{id}/simulate/{act}",
    body: submissionInput,
    errors: [400, 404, 409],
    handle: ({ params, body }, { tenant }) => {
      if (params.act !== "submit") throw notFound(`no act ${params.act}; the only act of a form is submit`);
      const document = tenant.store.transaction(() => submitForm(tenant.world, params.id, body));
      return { status: 200, body: { ...toActResult(tenant.world, document), form_id: document.form_id } };
    },
  }),
]);
