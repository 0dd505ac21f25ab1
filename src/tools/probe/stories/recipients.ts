/** Stories about recipients, roles and fields. */
import { type Account, required } from "../account.ts";
import { type Answer, at, listAt } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { smallPdf } from "../small-pdf.ts";
import { allowedOrRefused, byStatus, type Story } from "./story.ts";

const DOCUMENTS = "/public/v1/documents";
const LAYOUT = {
  page: 1,
  position: { offset_x: 72, offset_y: 300, anchor_point: "topleft" },
  style: { width: 120, height: 40 },
};

function update(account: Account, id: string, key: string): Promise<Answer> {
  return account.call("PATCH", `${DOCUMENTS}/${id}`, { body: { fields: { [key]: { value: "docdouble probe" } } } });
}

/** The id and the merge field of the field differ. */
const fieldKeys: Story = async (account) => {
  const id = await account.draft();
  const field = { type: "text", field_id: "docdouble_probe_id", merge_field: "docdouble probe name", layout: LAYOUT };
  required(await account.call("POST", `${DOCUMENTS}/${id}/fields`, { body: { fields: [field] } }), "a field");
  const answer = await update(account, id, field.field_id);
  if (answer.status === 400 && answer.text.includes(field.field_id)) return "merge_field";
  required(answer, "a value by field_id");
  const details = required(await account.call("GET", `${DOCUMENTS}/${id}/details`), "the details");
  const made = listAt(details.json, "fields").find((one) => at(one, "field_id") === field.field_id);
  if (made === undefined) throw new Undecided("The details do not show the field with its field_id.");
  return at(made, "value") === "docdouble probe" ? "any" : "merge_field";
};

const unknownKeyUpdate: Story = async (account) =>
  allowedOrRefused(await update(account, await account.draft(), "docdouble probe"), "ignore", "refuse", [400]);

const unknownTemplate: Story = async (account) =>
  byStatus(await account.createDocument({ template_uuid: "docdoubleProbeNoSuchId", recipients: [] }), { 400: 400, 404: 404 });

const roleOfUploads: Story = async (account) => {
  const details = required(
    await account.call("GET", `${DOCUMENTS}/${await account.sharedDraft()}/details`),
    "the details of an uploaded document",
  );
  const role = at(details.json, "recipients", 0, "role");
  if (role === "") return "empty";
  if (role === "Client") return "name";
  throw new Undecided("The details show no role of the recipient.");
};

const sectionRecipients: Story = async (account) => {
  const form = new FormData();
  form.append("file", new File([new Uint8Array(smallPdf("A section."))], "section.pdf", { type: "application/pdf" }));
  form.append("data", JSON.stringify({ name: "docdouble section" }));
  const answer = await account.call("POST", `${DOCUMENTS}/${await account.draft()}/sections/uploads?upload`, { form });
  return allowedOrRefused(answer, "optional", "required", [400]);
};

const unassignedSignatures: Story = async (account) => {
  const id = await account.draft();
  const body = { fields: [{ type: "signature", layout: LAYOUT }] };
  required(await account.call("POST", `${DOCUMENTS}/${id}/fields`, { body }), "a signature without a recipient");
  return allowedOrRefused(await account.send(id), "allow", "refuse", [400]);
};

export const recipientStories = {
  "create.unknown_template": unknownTemplate,
  "details.role_of_uploads": roleOfUploads,
  "sections.recipients": sectionRecipients,
  "send.unassigned_signatures": unassignedSignatures,
  "fields.keys": fieldKeys,
  "fields.unknown_key_update": unknownKeyUpdate,
} as const;
