import * as z from "zod";
import { badRequest, notFound } from "../../engine/core/errors.ts";
import { listOf, queryBool, queryInt } from "../../engine/core/inputs.ts";
import { pageOf, sortBy } from "../../engine/core/lists.ts";
import { group, lazy } from "../../engine/core/operation.ts";
import { table } from "../../engine/store/collection.ts";
import type { Row } from "../../engine/store/row.ts";
import { wrongStatus } from "../kit/errors.ts";
import { ok, operation } from "../kit/operation.ts";
import { as, micros, oneOf, text, view } from "../kit/view.ts";
import type { World } from "../kit/world.ts";
import { asCaller } from "../kit/world.ts";
import { planImages } from "./content/file-content.ts";
import { createFromTemplate } from "./documents/documents.ts";
import type { DocumentRow } from "./documents/row.ts";
import { fire } from "./documents/transitions.ts";
import { membersOf } from "./members/members.ts";
import { send } from "./people/sending.ts";
import { act, actInput } from "./signing/acts.ts";

export const FORM_STATUSES = ["draft", "active", "disabled"] as const;

export type FormStatus = (typeof FORM_STATUSES)[number];

export interface FormRow extends Row {
  workspace_id: string;
  name: string;
  status: FormStatus;
  responses: number;
  template_id: string | null;
  role: string | null;
  date_created: number;
  date_modified: number;
}

export const formTables = {
  forms: table<FormRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
};

export const FORM_ORDERS = ["name", "responses", "status", "created_date", "modified_date"] as const;

export const formsQuery = lazy(() =>
  z.object({
    count: queryInt({ min: 1, max: 100 }).default(50),
    page: queryInt({ min: 1 }).default(1),
    status: listOf(z.enum(FORM_STATUSES)),
    order_by: z.enum(FORM_ORDERS).optional(),
    asc: queryBool().optional(),
    name: z.string().optional(),
  }),
);
export type FormsQuery = z.infer<ReturnType<typeof formsQuery>>;

export const submissionInput = lazy(() =>
  z.strictObject({
    email: z.email(),
    first_name: z.string().optional(),
    last_name: z.string().optional(),
    phone: z.string().optional(),
    fields: actInput().shape.fields,
  }),
);
export type SubmissionInput = z.infer<ReturnType<typeof submissionInput>>;

/** assumed: forms.list. */
export function listForms(world: World, filter: FormsQuery): { forms: FormRow[]; hasNext: boolean } {
  const name = filter.name?.toLowerCase();
  const found = world.store.forms
    .where("workspace", world.caller.workspace_id)
    .filter(
      (row) =>
        (filter.status === undefined || filter.status.includes(row.status)) &&
        (name === undefined || row.name.toLowerCase().includes(name)),
    );
  const order = filter.order_by ?? "created_date";
  const sorted = sortBy(found, (row) => keyOf(row, order), filter.asc === false);
  return { forms: pageOf(sorted, filter), hasNext: found.length > filter.page * filter.count };
}

function keyOf(row: FormRow, order: (typeof FORM_ORDERS)[number]): string | number {
  if (order === "created_date") return row.date_created;
  return order === "modified_date" ? row.date_modified : row[order];
}

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

const SHOWN = { draft: "DRAFT", active: "ACTIVE", disabled: "DISABLED" } as const;

const formView = view<FormRow>()({
  id: as(() => z.uuid()),
  name: text,
  date_created: micros,
  date_modified: micros,
  status: [oneOf(Object.values(SHOWN)), ({ status }) => SHOWN[status]],
});

const formList = lazy(() => z.strictObject({ results: z.array(formView()), has_next_page: z.boolean() }));

export const formsGroup = group("Forms", [
  operation({
    id: "listForm",
    route: "GET /public/v1/forms",
    query: formsQuery,
    responses: { 200: formList },
    errors: [400, 401, 403, 429],
    limits: "Forms come from fixtures and have no page. The admin API fills them in.",
    handle: ({ query }, world) => {
      const { forms, hasNext } = listForms(world, query);
      return ok({ results: forms.map(formView.of), has_next_page: hasNext });
    },
  }),
]);
