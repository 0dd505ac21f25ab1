import { type Account, idOf, required } from "../account.ts";
import { type Answer, at, listAt } from "../service.ts";
import { type FormField, smallPdf } from "../small-pdf.ts";
import { Undecided } from "../story-errors.ts";
import { DOCUMENTS, stated } from "./checks.ts";
import type { Story } from "./story.ts";

const ROLE = "Client";
const LAYOUT = {
  page: 1,
  position: { offset_x: 72, offset_y: 72, anchor_point: "topleft" },
  style: { width: 120, height: 40 },
};
const HEIGHT_MIN = 16;
/** Smaller than the least height of a field. */
const TAG = `{text:${ROLE}:city}`;
const CITY = { fields: { city: { role: ROLE, value: "" } } };

function fieldsOf(account: Account, id: string): Promise<Answer> {
  return account.call("GET", `${DOCUMENTS}/${id}/fields`);
}

async function fieldsOfFile(account: Account, data: object, file: { text?: string; bytes?: Buffer }): Promise<Answer> {
  const id = idOf(required(await account.upload(data, file), "the upload"));
  const status = await account.processed(id);
  if (status !== "document.draft") throw new Undecided(`The uploaded file became ${status} instead of document.draft.`);
  return fieldsOf(account, id);
}

function fieldsOfForm(account: Account, ...form: FormField[]): Promise<Answer> {
  const fields = Object.fromEntries(form.map(({ name }) => [name, { role: ROLE, value: "" }]));
  return fieldsOfFile(account, { fields, parse_form_fields: true }, { bytes: smallPdf("A form", form) });
}

function named(answer: Answer, name: string): unknown[] {
  return listAt(answer.json, "fields").filter((one) => [at(one, "name"), at(one, "field_id")].includes(name));
}

const tagHeight: Story = async (account) => {
  const answer = await fieldsOfFile(account, CITY, { text: TAG });
  return stated(answer.status === 200 && Number(at(named(answer, "city")[0], "layout", "style", "height")) >= HEIGHT_MIN, answer);
};

const sameId: Story = async (account) => {
  const answer = await fieldsOfFile(account, CITY, { text: `${TAG} ${TAG}` });
  return stated(answer.status === 200 && named(answer, "city").length === 1, answer);
};

const shortRoles: Story = async (account) => {
  const short = { recipients: [account.me("C")], fields: { city: { role: "C", value: "" } } };
  const answer = await fieldsOfFile(account, short, { text: "{text:C:city}" });
  return stated(answer.status === 200 && named(answer, "city").length === 1, answer);
};

const tagValues: Story = async (account) => {
  const dated = { fields: { day: { role: ROLE, value: "no date" } } };
  const answer = await fieldsOfFile(account, dated, { text: `{date:${ROLE}:day______}` });
  return stated(answer.status === 200 && at(named(answer, "day")[0], "value") === "no date", answer);
};

const tagOptions: Story = async (account) => {
  const choices = { fields: { choice: { role: ROLE, value: "", options: ["docdouble", "probe"] } } };
  const answer = await fieldsOfFile(account, choices, { text: `{dropdown:${ROLE}:choice}` });
  const options = listAt(named(answer, "choice")[0], "settings", "options").map((one) => at(one, "text"));
  return stated(answer.status === 200 && options.join() === "docdouble,probe", answer);
};

const metadataLength: Story = async (account) => {
  const probe = "x".repeat(101);
  const id = await account.draft({ metadata: { probe } });
  const answer = await account.call("GET", `${DOCUMENTS}/${id}/details`);
  return stated(answer.status === 200 && at(answer.json, "metadata", "probe") === probe, answer);
};

const dateByName: Story = async (account) => {
  const answer = await fieldsOfForm(account, { name: "Start date", kind: "text" });
  return stated(answer.status === 200 && at(named(answer, "Start date")[0], "type") === "date", answer);
};

const requiredFields: Story = async (account) => {
  const answer = await fieldsOfForm(account, { name: "Company", kind: "text" }, { name: "Signed", kind: "signature" });
  const isRequired = (name: string) => at(named(answer, name)[0], "settings", "required");
  return stated(answer.status === 200 && isRequired("Company") === false && isRequired("Signed") === true, answer);
};

const repeatedAssignment: Story = async (account) => {
  const second = { ...account.me("Director"), email: account.newEmail() };
  const id = await account.draft({ recipients: [account.me(ROLE), second] });
  const details = required(await account.call("GET", `${DOCUMENTS}/${id}/details`), "the details");
  const recipients = listAt(details.json, "recipients").map((one) => at(one, "id"));
  const field = { type: "text", layout: LAYOUT, assigned_to: recipients[0] };
  const made = required(await account.call("POST", `${DOCUMENTS}/${id}/fields`, { body: { fields: [field] } }), "a field");
  const fields = recipients.map((assigned_to) => ({ field_id: at(made.json, "fields", 0, "uuid"), assigned_to }));
  const changed = await account.call("PATCH", `${DOCUMENTS}/${id}/fields`, { body: { fields } });
  if (changed.status >= 300) return stated(false, changed);
  const answer = await fieldsOf(account, id);
  const seen = at(answer.json, "fields", 0, "assigned_to", "id");
  return stated(answer.status === 200 && recipients.length === 2 && seen === recipients[1], answer);
};

export const fieldStories = {
  "content.metadata_length": metadataLength,
  "field_tags.height": tagHeight,
  "field_tags.short_roles": shortRoles,
  "field_tags.same_id": sameId,
  "field_tags.options": tagOptions,
  "field_tags.values": tagValues,
  "fields.repeated_assignment": repeatedAssignment,
  "form_fields.date_by_name": dateByName,
  "form_fields.required": requiredFields,
} as const;
