import { type Account, idOf, required } from "../account.ts";
import { at, listAt } from "../service.ts";
import { smallPdf } from "../small-pdf.ts";
import { Undecided } from "../story-errors.ts";
import { detailsOf, listIn, outcomeOf, type Script } from "./script.ts";

const DOCUMENTS = "/public/v1/documents";
const UNKNOWN_ROLE = "docdouble probe role";
const LAYOUT = {
  page: 1,
  position: { offset_x: 72, offset_y: 300, anchor_point: "topleft" },
  style: { width: 120, height: 40 },
};

async function recipientsOf(account: Account, id: string): Promise<unknown[]> {
  const all = listIn(await account.call("GET", `${DOCUMENTS}/${id}/details`), "the details", "recipients");
  return all.filter((one) => String(at(one, "email")).toLowerCase() === account.signer.toLowerCase());
}

const addFields = (account: Account, id: string, fields: object[]) =>
  account.call("POST", `${DOCUMENTS}/${id}/fields`, { body: { fields } });
const fill = (account: Account, id: string, key: string) =>
  account.call("PATCH", `${DOCUMENTS}/${id}`, { body: { fields: { [key]: { value: "docdouble probe" } } } });
const revert = (account: Account, id: string) => account.call("POST", `${DOCUMENTS}/${id}/draft`);

export const documentScripts = {
  "create.unknown_role": async (account) => {
    const templates = listIn(await account.call("GET", "/public/v1/templates?count=1"), "the list of templates");
    const template = at(templates, 0, "id");
    if (template === undefined) throw new Undecided("The account has no template. Create one, then probe again.");
    const made = await account.createDocument({ template_uuid: template, recipients: [account.me(UNKNOWN_ROLE)] });
    if (made.status >= 300) return [outcomeOf(made), made.text.includes(UNKNOWN_ROLE)];
    const id = idOf(made);
    await account.processed(id);
    return (await recipientsOf(account, id)).map((one) => at(one, "recipient_type"));
  },
  "create.unknown_template": async (account) =>
    (await account.createDocument({ template_uuid: "docdoubleProbeNoSuchId", recipients: [] })).status,
  "decline.date_completed": async (account) => {
    const { id } = await account.sent();
    const dateAfter = async (status: number) => {
      const body = { status, notify_recipients: false, note: "docdouble probe" };
      required(await account.call("PATCH", `${DOCUMENTS}/${id}/status`, { body }), `the status ${status}`);
      const date = at(await detailsOf(account, id), "date_completed");
      return date === null ? null : typeof date;
    };
    return [await dateAfter(2), await dateAfter(12)];
  },
  "delete.second": async (account) => {
    const id = await account.draft();
    required(await account.call("DELETE", `${DOCUMENTS}/${id}`), "the first delete");
    return (await account.call("DELETE", `${DOCUMENTS}/${id}`)).status;
  },
  "details.right_after_create": async (account) => {
    if (account.service.pacing.perMinute < 2)
      throw new Undecided("The details must follow the creation at once. Use --calls-per-minute 2 or more.");
    await account.service.pacing.room(2);
    const id = idOf(required(await account.upload(), "the upload"));
    return (await account.call("GET", `${DOCUMENTS}/${id}/details`)).status;
  },
  "details.role_of_uploads": async (account) =>
    at(await detailsOf(account, await account.sharedDraft()), "recipients", 0, "role"),
  "download.before_completion": async (account) =>
    outcomeOf(await account.call("GET", `${DOCUMENTS}/${(await account.sent()).id}/download`, { isFile: true })),
  "field_tags.undeclared": async (account) =>
    account.processed(idOf(required(await account.upload({ fields: {} }, { text: "{t:Client:city}" }), "the upload"))),
  /** The id and the merge field of the field differ. */
  "fields.keys": async (account) => {
    const id = await account.draft();
    const field = { type: "text", field_id: "docdouble_probe_id", merge_field: "docdouble probe name", layout: LAYOUT };
    required(await addFields(account, id, [field]), "a field");
    const answer = await fill(account, id, field.field_id);
    if (answer.status === 400 && answer.text.includes(field.field_id)) return false;
    required(answer, "a value by field_id");
    const made = listAt(await detailsOf(account, id), "fields").find((one) => at(one, "field_id") === field.field_id);
    if (made === undefined) throw new Undecided("The details do not show the field with its field_id.");
    return at(made, "value") === "docdouble probe";
  },
  "fields.unknown_key_update": async (account) => outcomeOf(await fill(account, await account.draft(), "docdouble probe"), [400]),
  "recipients.same_email": async (account) => {
    const made = await account.upload({ recipients: [account.me("Client"), account.me("Director")] });
    if (made.status >= 300) return [made.status, /recipient|email/i.test(made.text)];
    const id = idOf(made);
    await account.processed(id);
    return (await recipientsOf(account, id)).length;
  },
  "revert.draft": async (account) => outcomeOf(await revert(account, await account.draft())),
  "revert.error": async (account) => {
    const broken = smallPdf("broken").subarray(0, 40);
    const id = idOf(required(await account.upload({}, { bytes: broken }), "a broken file"));
    return [await account.processed(id), outcomeOf(await revert(account, id))];
  },
  "sandbox.foreign_recipients": async (account) => {
    if (account.facts.kind === "production") throw new Undecided("Only a sandbox key can show it. Probe with a sandbox key.");
    // A key that may send to nobody answers 403 too.
    await account.sharedSent();
    const outsider = { ...account.me("Client"), email: account.newEmail() };
    return (await account.send(await account.draft({ recipients: [outsider] }))).status;
  },
  "sections.recipients": async (account) => {
    const form = new FormData();
    form.append("file", new File([new Uint8Array(smallPdf("A section."))], "section.pdf", { type: "application/pdf" }));
    form.append("data", JSON.stringify({ name: "docdouble section" }));
    const id = await account.draft();
    return outcomeOf(await account.call("POST", `${DOCUMENTS}/${id}/sections/uploads?upload`, { form }), [400]);
  },
  "send.recipient_id": async (account) => typeof at((await account.sent()).answer.json, "recipients", 0, "id"),
  "send.unassigned_signatures": async (account) => {
    const id = await account.draft();
    required(await addFields(account, id, [{ type: "signature", layout: LAYOUT }]), "a signature without a recipient");
    return outcomeOf(await account.send(id), [400]);
  },
  "send.without_recipients": async (account) => outcomeOf(await account.send(await account.draft({ recipients: [] }))),
  "update.outside_draft": async (account) => {
    const { id } = await account.sent();
    return (await account.call("PATCH", `${DOCUMENTS}/${id}`, { body: { name: account.newName() } })).status;
  },
} as const satisfies Record<string, Script>;
