/** Stories of the switches about recipients, roles and fields. */
import { type Account, required } from "../account.ts";
import { type Answer, at, listAt } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { smallPdf } from "../small-pdf.ts";
import { DOCUMENTS, stated } from "./checks.ts";
import { allowedOrRefused, byStatus, type Story } from "./story.ts";

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

const autofilledDate: Story = async (account) => {
  const id = await account.draft();
  const body = { fields: [{ type: "date", settings: { autofilled: true }, layout: LAYOUT }] };
  required(await account.call("POST", `${DOCUMENTS}/${id}/fields`, { body }), "a date field");
  const answer = await account.call("GET", `${DOCUMENTS}/${id}/fields`);
  return stated(answer.status === 200 && at(listAt(answer.json, "fields")[0], "settings", "autofilled") === true, answer);
};

const groupOverlap: Story = async (account) => {
  const me = account.me("Client");
  const group = { type: "recipient_group", name: account.newName(), members: [{ email: me.email }] };
  const answer = await account.upload({ recipients: [me, group] });
  return stated(answer.status === 201, answer);
};

const redirectWithoutUrl: Story = async (account) => {
  const answer = await account.upload({ recipients: [{ ...account.me("Client"), redirect: { is_enabled: true } }] });
  return stated(answer.status === 201, answer);
};

const nullMembers: Story = async (account) => {
  const answer = await account.upload({ recipients: [{ ...account.me("Client"), redirect: null, verification_settings: null }] });
  return stated(answer.status === 201, answer);
};

const choices: Story = async (account) => {
  const options = ["A", "A"].map((text) => ({ text }));
  const fields = [{}, { settings: { options } }].map((more) => ({ type: "dropdown", layout: LAYOUT, ...more }));
  const id = await account.draft();
  const answer = await account.call("POST", `${DOCUMENTS}/${id}/fields`, { body: { fields } });
  return stated(answer.status === 200 && listAt(answer.json, "fields").length === fields.length, answer);
};

function takesField(change: object): Story {
  return async (account) => {
    const id = await account.draft();
    const fields = [{ type: "text", layout: LAYOUT, ...change }];
    const answer = await account.call("POST", `${DOCUMENTS}/${id}/fields`, { body: { fields } });
    return stated(answer.status === 200 && listAt(answer.json, "fields").length === 1, answer);
  };
}

const OUTSIDE = { ...LAYOUT, position: { ...LAYOUT.position, offset_x: 5000 } };

const repeatedEntries: Story = async (account) => {
  const id = await account.draft();
  const name = "docdouble.probe";
  const tokens = ["first", "last"].map((value) => ({ name, value }));
  const changed = await account.call("PATCH", `${DOCUMENTS}/${id}`, { body: { tokens } });
  if (changed.status >= 300) return stated(false, changed);
  const answer = await account.call("GET", `${DOCUMENTS}/${id}/details`);
  const values = listAt(answer.json, "tokens").flatMap((one) => (at(one, "name") === name ? [at(one, "value")] : []));
  return stated(answer.status === 200 && values.join() === "last", answer);
};

const idleRange: Story = async (account) => {
  const range = "created_from=2026-05-01T00:00:00Z&created_to=2026-01-01T00:00:00Z";
  const answer = await account.call("GET", `${DOCUMENTS}?${range}`);
  const listed = at(answer.json, "results");
  return stated(answer.status === 200 && Array.isArray(listed) && listed.length === 0, answer);
};

const anyStatus: Story = async (account) => {
  const target = `/public/v2/documents/${(await account.sent()).id}/settings`;
  const answer = await account.call("PATCH", target, { body: { expires_in: 30 } });
  return stated(answer.status === 200 && at(answer.json, "expires_in") === 30, answer);
};

/** Assumptions with one reading. */
export const lenientStories = {
  "documents.any_status": anyStatus,
  "fields.autofilled": autofilledDate,
  "fields.choices": choices,
  "fields.other_settings": takesField({ settings: { show_values: true } }),
  "fields.outside_page": takesField({ layout: OUTSIDE }),
  "json.idle_members": idleRange,
  "json.null_members": nullMembers,
  "json.repeated_entries": repeatedEntries,
  "recipients.group_overlap": groupOverlap,
  "recipients.redirect_without_url": redirectWithoutUrl,
} as const;

export const recipientRuleStories = {
  "create.unknown_template": unknownTemplate,
  "details.role_of_uploads": roleOfUploads,
  "sections.recipients": sectionRecipients,
  "send.unassigned_signatures": unassignedSignatures,
  "fields.keys": fieldKeys,
  "fields.unknown_key_update": unknownKeyUpdate,
} as const;
