import * as z from "zod";
import { notFound } from "../../engine/core/errors.ts";
import { verbGroup } from "../../engine/verbs/define.ts";
import { submissionInput, submitForm } from "../nouns/forms.ts";
import { toActResult } from "../nouns/signing/acts.ts";
import { verb } from "./operation.ts";
import { actResult } from "./views.ts";

const ELSEWHERE = {
  tool: "create_document makes such a document",
};

export const formVerbs = verbGroup("Admin: forms", ELSEWHERE, [
  verb({
    name: "forms.submit",
    does: "Submits a form for a person, and creates a document that this person has signed. `fields` sets values by name. docdouble fills missing required fields. Find the document with `form_id`. If the template has other signers, they sign next.",
    input: () =>
      submissionInput().extend({ id: z.string().describe("id of a form"), act: z.string().describe("submit is the only act") }),
    run({ tenant }, { id, act, ...submission }) {
      if (act !== "submit") throw notFound(`no act ${act}; the only act of a form is submit`);
      return tenant.store.transaction(() => submitForm(tenant.world, id, submission));
    },
    admin: {
      id: "adminSimulateForm",
      route: "POST /__admin/forms/{id}/simulate/{act}",
      answer: () => actResult().extend({ form_id: z.string().nullable() }),
      errors: [404, 409],
      example: {
        path: "/__admin/forms/f0000000-0000-4000-8000-000000000001/simulate/submit",
        body: { email: "pat@client.example", first_name: "Pat", last_name: "Lee" },
      },
      show: (document, { tenant }) => ({ ...toActResult(tenant.world, document), form_id: document.form_id }),
    },
  }),
]);
