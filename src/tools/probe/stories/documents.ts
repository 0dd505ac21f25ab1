import { type Account, idOf, required } from "../account.ts";
import { type Answer, at, shown } from "../service.ts";
import { smallPdf } from "../small-pdf.ts";
import { Undecided } from "../story-errors.ts";
import { allowedOrRefused, byStatus, type Story, undecided } from "./story.ts";

const DOCUMENTS = "/public/v1/documents";
const UNKNOWN_ROLE = "docdouble probe role";

const createUnknownRole: Story = async (account) => {
  const { json } = required(await account.call("GET", "/public/v1/templates?count=1"), "the list of templates");
  const template = at(json, "results", 0, "id");
  if (template === undefined) throw new Undecided("The account has no template. Create one, then probe again.");
  const recipients = [{ ...account.me(UNKNOWN_ROLE) }];
  const made = await account.createDocument({ template_uuid: template, recipients });
  if (made.status >= 300) {
    if (made.status < 500 && made.text.includes(UNKNOWN_ROLE)) return "refuse";
    throw new Undecided(`The refusal does not name the unknown role: ${shown(made)}`);
  }
  const id = idOf(made);
  await account.processed(id);
  const mine = recipientsOf(await account.call("GET", `${DOCUMENTS}/${id}/details`), account);
  if (mine.length === 0) return "drop";
  if (mine.every((one) => at(one, "recipient_type") === "CC")) return "cc";
  throw new Undecided("The document was created, and the recipient with the unknown role is not a CC.");
};

const declineDateCompleted: Story = async (account) => {
  const { id } = await account.sent();
  const move = async (status: number, what: string) => {
    const body = { status, notify_recipients: false, note: "docdouble probe" };
    required(await account.call("PATCH", `${DOCUMENTS}/${id}/status`, { body }), what);
  };
  const date = async () => {
    const details = required(await account.call("GET", `${DOCUMENTS}/${id}/details`), "the details");
    const value = at(details.json, "date_completed");
    return value === undefined ? undecided(details) : value;
  };
  await move(2, "completing the document");
  if ((await date()) === null) throw new Undecided("The completed document has no date_completed.");
  await move(12, "declining the document");
  return (await date()) === null ? "clear" : "keep";
};

const deleteSecond: Story = async (account) => {
  const id = await account.draft();
  required(await account.call("DELETE", `${DOCUMENTS}/${id}`), "the first delete");
  return byStatus(await account.call("DELETE", `${DOCUMENTS}/${id}`), { 403: 403, 404: 404 });
};

const detailsRightAfterCreate: Story = async (account) => {
  if (account.service.pacing.perMinute < 2)
    throw new Undecided("The details must follow the creation at once. Use --calls-per-minute 2 or more.");
  await account.service.pacing.room(2);
  const id = idOf(required(await account.upload(), "the upload"));
  const answer = await account.call("GET", `${DOCUMENTS}/${id}/details`);
  if (answer.status === 200) throw new Undecided("The service processed the document before its details were read.");
  return byStatus(answer, { 409: 409, 404: 404 });
};

const downloadBeforeCompletion: Story = async (account) => {
  const { id } = await account.sent();
  return allowedOrRefused(await account.call("GET", `${DOCUMENTS}/${id}/download`, { isFile: true }), "given", "refused");
};

const fieldTagsUndeclared: Story = async (account) => {
  const id = idOf(required(await account.upload({ fields: {} }, { text: "{t:Client:city}" }), "the upload"));
  const status = await account.processed(id);
  if (status === "document.draft") return "drop";
  if (status === "document.error") return "error";
  throw new Undecided(`The document became ${status}.`);
};

const pricingColumnNames: Story = async (account) => {
  const { template, table } = await account.pricingTemplate();
  const rows = [{ options: { optional: false }, data: { NAME: "Probe", Price: "10", qty: "1" } }];
  const pricing_tables = [{ name: table, data_merge: false, sections: [{ title: "Probe", default: true, rows }] }];
  const made = await account.createDocument({ template_uuid: template, recipients: [], pricing_tables });
  if (made.status === 400 && /pricing|data_merge|column|data/i.test(made.text)) return "check";
  const id = idOf(required(made, "a document with a pricing table"));
  const status = await account.processed(id);
  if (status === "document.draft") return "any";
  throw new Undecided(`The document was accepted and became ${status}.`);
};

const recipientsSameEmail: Story = async (account) => {
  const recipients = [account.me("Client"), account.me("Director")];
  const made = await account.upload({ recipients });
  if (made.status === 400 && /recipient|email/i.test(made.text)) return "refuse";
  const id = idOf(required(made, "two recipients with one address"));
  await account.processed(id);
  const mine = recipientsOf(await account.call("GET", `${DOCUMENTS}/${id}/details`), account);
  if (mine.length === 1) return "join";
  if (mine.length === 2) return "separate";
  throw new Undecided(`The document has ${mine.length} recipients with the address.`);
};

const revertDraft: Story = async (account) => {
  const id = await account.draft();
  return allowedOrRefused(await account.call("POST", `${DOCUMENTS}/${id}/draft`), "allow", "refuse");
};

const revertError: Story = async (account) => {
  const broken = smallPdf("broken").subarray(0, 40);
  const id = idOf(required(await account.upload({}, { bytes: broken }), "a broken file"));
  const status = await account.processed(id);
  if (status !== "document.error") throw new Undecided(`A broken file became ${status}, not document.error.`);
  return allowedOrRefused(await account.call("POST", `${DOCUMENTS}/${id}/draft`), "allow", "refuse");
};

const foreignRecipients: Story = async (account) => {
  if (account.facts.kind === "production") throw new Undecided("Only a sandbox key can show it. Probe with a sandbox key.");
  // A key that may send to nobody answers 403 too.
  await account.sharedSent();
  const outsider = { ...account.me("Client"), email: account.newEmail() };
  const id = await account.draft({ recipients: [outsider] });
  return byStatus(await account.send(id), { 200: "trial", 403: "refuse" });
};

const sendRecipientId: Story = async (account) => {
  const { answer } = await account.sent();
  const id = at(answer.json, "recipients", 0, "id");
  if (typeof id === "string") return "text";
  if (typeof id === "number") return "integer";
  throw new Undecided("The answer of send carries no id of a recipient.");
};

const sendWithoutRecipients: Story = async (account) => {
  const id = await account.draft({ recipients: [] });
  return allowedOrRefused(await account.send(id), "allow", "refuse");
};

const updateOutsideDraft: Story = async (account) => {
  const { id } = await account.sent();
  const body = { name: account.newName() };
  return byStatus(await account.call("PATCH", `${DOCUMENTS}/${id}`, { body }), { 400: 400, 409: 409 });
};

export const documentStories = {
  "create.unknown_role": createUnknownRole,
  "decline.date_completed": declineDateCompleted,
  "delete.second": deleteSecond,
  "details.right_after_create": detailsRightAfterCreate,
  "download.before_completion": downloadBeforeCompletion,
  "field_tags.undeclared": fieldTagsUndeclared,
  "pricing.column_names": pricingColumnNames,
  "recipients.same_email": recipientsSameEmail,
  "revert.draft": revertDraft,
  "revert.error": revertError,
  "sandbox.foreign_recipients": foreignRecipients,
  "send.recipient_id": sendRecipientId,
  "send.without_recipients": sendWithoutRecipients,
  "update.outside_draft": updateOutsideDraft,
} as const;

function recipientsOf(details: Answer, account: Account): unknown[] {
  const all = at(required(details, "the details").json, "recipients");
  if (!Array.isArray(all)) return undecided(details);
  return all.filter((one) => String(at(one, "email")).toLowerCase() === account.signer.toLowerCase());
}
