import { badRequest, notFound } from "../../../engine/core/errors.ts";
import { wrongStatus } from "../../model/refusals.ts";
import { planImages } from "../content/images.ts";
import { createFromTemplate } from "../documents/documents.ts";
import { fire } from "../lifecycle/transitions.ts";
import { membersOf } from "../members/permissions.ts";
import { send } from "../sending/sending.ts";
import { act } from "../signing/act-table.ts";
import { asCaller, type World } from "../../model/world.ts";
import type { SubmissionInput } from "../../model/forms/inputs.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import type { FormRow } from "../../model/forms/rows.ts";

/**
 * Signs the document as the submitter, and fires the webhooks of each status within the call.
 * The document then waits for other signers or the payment, or is completed. assumed: forms.submission.
 * @throws 404, 409 unless the form is active, 400
 */
export function submitForm(world: World, id: string, input: SubmissionInput): DocumentRow {
  const form = world.store.forms.get(id);
  if (!form) throw notFound(`no form ${id}`);
  if (form.status !== "active") throw wrongStatus(form, `The form is ${form.status}`, "only an active form takes submissions");
  const { template_id, role } = form;
  if (template_id === null || role === null)
    throw badRequest("The form has no template.", {
      why: "in forms[].template of the fixtures, name a template that has a role",
    });
  const [member] = membersOf(world, form.workspace_id);
  const formWorld = asCaller(world, {
    ...world.caller,
    workspace_id: form.workspace_id,
    membership_id: member?.id ?? "",
    user_id: member?.user_id ?? "",
  });
  const { fields, ...person } = input;
  const created = createFromTemplate(formWorld, {
    template_uuid: template_id,
    name: form.name,
    recipients: [{ ...person, type: "recipient", role }],
  });
  world.jobs.cancelWhere("convert_document", { document: created.id });
  linkToForm(formWorld, created, form);
  const [submitter, ...otherRecipients] = created.recipients;
  const notified = submitter && { ...submitter, internal: { ...submitter.internal, notified_at: world.clock.now() } };
  const { document__created_via_public_api: _, ...metadata } = created.metadata;
  const draft = fire(
    formWorld,
    {
      ...created,
      recipients: notified ? [notified, ...otherRecipients] : otherRecipients,
      form_id: form.id,
      version: "2",
      metadata: { ...metadata, document__creation_source: "form" },
      internal: { ...created.internal, approval: null },
    },
    "process",
  );
  planImages(formWorld, draft);
  send(formWorld, draft.id, {});
  world.store.forms.put({ ...form, responses: form.responses + 1 });
  return act(formWorld, draft.id, "sign", { recipient: submitter?.id, fields });
}

/** Source: programs of the vendor's staff recognize documents of forms by this provider. assumed: crm_links.form. */
function linkToForm(world: World, { id, workspace_id }: DocumentRow, form: FormRow): void {
  world.store.links.put({
    id: world.ids.uuid(),
    workspace_id,
    document_id: id,
    provider: "pandadoc-eform",
    entity_type: "form",
    entity_id: form.id,
  });
}
