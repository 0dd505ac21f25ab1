import { type Account, idOf, required } from "../account.ts";
import { plain } from "../marks.ts";
import { type Answer, at, instantAt, listAt } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { answers, DOCUMENTS, NO_ID, SUBSCRIPTIONS, shownInTime, stated } from "./checks.ts";
import type { Story } from "./story.ts";

const V2_DOCUMENTS = "/public/v2/documents";
const BETA_DOCUMENTS = "/public/beta/documents";
const SMALL = { position: { offset_x: 72, offset_y: 72, anchor_point: "topleft" }, style: { width: 120, height: 40 } };
/** The upload, a look, the call of the story, and a second look. */
const UPLOADED_CALLS = 4;
const TOO_MANY_DAYS = 100_000_000;
const CRM = { provider: "docdouble-probe", entity_type: "deal", entity_id: "1" };

function onDraft(method: string, path: string, body?: object, root = DOCUMENTS): (account: Account) => Promise<Answer> {
  return async (account) => account.call(method, `${root}/${await account.sharedDraft()}${path}`, { body });
}

function onSent(method: string, path: string): (account: Account) => Promise<Answer> {
  return async (account) => account.call(method, `${DOCUMENTS}/${await account.sharedSent()}${path}`);
}

function detailsOf(account: Account, id: string): Promise<Answer> {
  return account.call("GET", `${DOCUMENTS}/${id}/details`);
}

/** Waits, so that the change shows in dates. Returns the details before and after. */
async function updated(account: Account, body: object, data: object = {}): Promise<[Answer, Answer]> {
  const id = await account.draft(data);
  const before = required(await detailsOf(account, id), "the details");
  await account.service.pacing.wait(2000);
  required(await account.call("PATCH", `${DOCUMENTS}/${id}`, { body }), "the update");
  return [before, await detailsOf(account, id)];
}

const updateEmpty: Story = async (account) => {
  const [before, after] = await updated(account, {});
  return stated(
    after.status === 200 && instantAt(after.json, "date_modified") === instantAt(before.json, "date_modified"),
    after,
  );
};

const updateContentDate: Story = async (account) => {
  const [before, after] = await updated(account, { tags: ["probe"] });
  const isSame = (name: string) => instantAt(after.json, name) === instantAt(before.json, name);
  return stated(after.status === 200 && !isSame("date_modified") && isSame("content_date_modified"), after);
};

const updateTagsAndMetadata: Story = async (account) => {
  const [, after] = await updated(account, { tags: ["new"], metadata: { new: "2" } }, { tags: ["old"], metadata: { old: "1" } });
  const { json } = after;
  const hasBoth = at(json, "metadata", "old") === "1" && at(json, "metadata", "new") === "2";
  return stated(after.status === 200 && hasBoth && listAt(json, "tags").join() === "new", after);
};

const scalarValues: Story = async (account) => {
  const id = await account.draft({ metadata: { number: 7, flag: true } });
  const answer = await detailsOf(account, id);
  const isText = (name: string) => typeof at(answer.json, "metadata", name) === "string";
  return stated(answer.status === 200 && isText("number") && isText("flag"), answer);
};

/** A document that the service still processes. @throws Undecided when the service was faster */
async function uploadedJustNow(account: Account): Promise<string> {
  if (account.service.pacing.perMinute < UPLOADED_CALLS)
    throw new Undecided(`The next calls must follow the creation at once. Use --calls-per-minute ${UPLOADED_CALLS} or more.`);
  await account.service.pacing.room(UPLOADED_CALLS);
  const id = idOf(required(await account.upload(), "the upload"));
  await requireUploaded(account, id);
  return id;
}

/** @throws Undecided when the service has processed the document */
async function requireUploaded(account: Account, id: string): Promise<void> {
  const status = at((await account.call("GET", `${DOCUMENTS}/${id}`)).json, "status");
  if (status !== "document.uploaded")
    throw new Undecided(`The service processed the document too fast: it already had the status ${status}.`);
}

const revertUploaded: Story = async (account) => {
  const id = await uploadedJustNow(account);
  const answer = await account.call("POST", `${DOCUMENTS}/${id}/draft`);
  const isDraft = answer.status === 200 && at(answer.json, "status") === "document.draft";
  if (!isDraft) await requireUploaded(account, id);
  return stated(isDraft, answer);
};

const fieldWithoutValue: Story = async (account) => {
  const id = await account.draft({ fields: { docdouble_probe: {} } });
  const answer = await account.call("GET", `${DOCUMENTS}/${id}`);
  return stated(answer.status === 200 && at(answer.json, "status") === "document.draft", answer);
};

function fieldOn(page: number): object {
  return { fields: [{ type: "text", layout: { page, ...SMALL } }] };
}

/** Two fields on page 0 and page 1 must lie on one page. */
const pageNumbers: Story = async (account) => {
  const id = await account.draft();
  const first = required(await account.call("POST", `${DOCUMENTS}/${id}/fields`, { body: fieldOn(1) }), "a field");
  const zero = await account.call("POST", `${DOCUMENTS}/${id}/fields`, { body: fieldOn(0) });
  const pageOf = (answer: Answer) => at(answer.json, "fields", 0, "layout", "page");
  return stated(zero.status < 300 && pageOf(zero) !== undefined && pageOf(zero) === pageOf(first), zero);
};

const defaultFieldName: Story = async (account) => {
  const id = await account.draft();
  const made = await account.call("POST", `${DOCUMENTS}/${id}/fields`, { body: fieldOn(1) });
  return stated(made.status < 300 && at(made.json, "fields", 0, "name") === "Text", made);
};

const linkFault: Story = async (account) => {
  const id = await account.draft();
  required(await account.call("POST", `${DOCUMENTS}/${id}/linked-objects`, { body: CRM }), "the first link");
  const answer = await account.call("POST", `${DOCUMENTS}/${id}/linked-objects`, { body: { ...CRM, entity_id: "2" } });
  const [text] = listAt(answer.json, "detail", "provider");
  return stated(answer.status === 400 && text === "The document is already linked to this provider.", answer);
};

const linkTemplate: Story = async (account) => {
  const id = await account.draft();
  const object = { ...CRM, entity_id: account.facts.run };
  required(await account.call("POST", `${DOCUMENTS}/${id}/linked-objects`, { body: object }), "a link");
  const answer = await shownInTime(account, "the link", async () => {
    const listed = await account.call("GET", `${DOCUMENTS}/linked-objects?${new URLSearchParams(object)}`);
    return listed.status !== 200 || at(listed.json, 0) !== undefined ? listed : undefined;
  });
  return stated(answer.status === 200 && at(answer.json, 0, "template_id") === "", answer);
};

const silentReminders: Story = async (account) => {
  const answer = await account.call("GET", `${DOCUMENTS}/${await account.sharedSent()}/auto-reminders`);
  return stated(answer.status === 200 && at(answer.json, "enabled") === false, answer);
};

function remind(account: Account, id: string, recipient_id: unknown, message: string): Promise<Answer> {
  const body = { reminders: [{ recipient_id, email_customization: { message } }] };
  return account.call("POST", `${DOCUMENTS}/${id}/send-reminder`, { body });
}

const maliciousLinks: Story = async (account) => {
  const id = await account.draft();
  const details = required(await detailsOf(account, id), "the details");
  const signer = at(details.json, "recipients", 0, "id");
  const signature = { type: "signature", layout: { page: 1, ...SMALL }, assigned_to: signer };
  required(await account.call("POST", `${DOCUMENTS}/${id}/fields`, { body: { fields: [signature] } }), "a signature");
  required(await account.send(id), "sending");
  const answer = await remind(account, id, signer, "javascript:alert(1)");
  return stated(answer.status === 200 && /malicious links/.test(answer.text), answer);
};

const remindNobody: Story = async (account) => {
  const id = await account.sharedSent();
  const details = required(await detailsOf(account, id), "the details");
  const answer = await remind(account, id, at(details.json, "recipients", 0, "id"), "docdouble probe");
  return stated(answer.status === 200 && answer.text.includes("Can't send reminder to CC recipient"), answer);
};

const exportUploaded: Story = async (account) => {
  const id = await uploadedJustNow(account);
  const answer = await account.call("POST", `${BETA_DOCUMENTS}/${id}/docx-export-tasks`);
  if (answer.status < 300) await requireUploaded(account, id);
  return stated(answer.status === 400 && answer.text.includes("The document is not processed yet"), answer);
};

const manualMatrix: Story = async (account) => {
  const id = await account.draft();
  const answer = await account.call("PATCH", `${DOCUMENTS}/${id}/status`, { body: { status: 11, notify_recipients: false } });
  return stated(answer.status === 409 && at(answer.json, "status") === "document.draft", answer);
};

/** A template shows no approval, so the name of a template must say that it has one. */
const approvalSteps: Story = async (account) => {
  const found = required(await account.call("GET", "/public/v1/templates?q=approval&count=1"), "the search for a template");
  const template = at(
    listAt(found.json, "results").find((one) => plain(at(one, "name")).includes("approval")),
    "id",
  );
  if (template === undefined)
    throw new Undecided(
      "No template has “approval” in its name. Give this name to a template with an approval, then probe again.",
    );
  const answer = await detailsOf(account, await account.draftFrom(String(template)));
  const approval = at(answer.json, "approval_execution");
  if (answer.status === 200 && approval === null)
    throw new Undecided("The template with “approval” in its name has no approval.");
  return stated(answer.status === 200 && at(approval, "steps", 0, "group") !== undefined, answer);
};

const classicVersion: Story = async (account) => {
  const id = idOf(required(await account.upload({}, { query: "&editor_ver=ev1" }), "the upload"));
  await account.processed(id);
  const answer = await detailsOf(account, id);
  const version = at(answer.json, "version");
  if (version === "2") throw new Undecided("The account made the document in the new editor. It may lack the classic editor.");
  return stated(answer.status === 200 && version === "1", answer);
};

const paidWithoutApp: Story = async (account) => {
  const id = await account.draft();
  const answer = await account.call("PATCH", `${DOCUMENTS}/${id}/status`, { body: { status: 10, notify_recipients: false } });
  if (answer.status < 300) throw new Undecided("The service accepted the change. The account may have a payment app.");
  return stated(answer.status === 409 && at(answer.json, "status") === "document.draft", answer);
};

const repeatedTriggers: Story = async (account) => {
  const made = await subscribe(account, ["document_state_changed", "document_state_changed"]);
  return stated(made.status === 201 && listAt(made.json, "triggers").join() === "document_state_changed", made);
};

const emptyPayload: Story = async (account) => {
  const made = required(await subscribe(account, ["document_state_changed"]), "a subscription");
  const answer = await account.call("GET", `${SUBSCRIPTIONS}/${encodeURIComponent(String(at(made.json, "uuid")))}`);
  const payload = at(answer.json, "payload");
  return stated(answer.status === 200 && Array.isArray(payload) && payload.length === 0, answer);
};

function subscribe(account: Account, triggers: string[]): Promise<Answer> {
  const name = account.newName();
  const body = { name, url: account.facts.deadTarget, active: false, triggers, payload: [] };
  return account.create("webhook subscription", name, SUBSCRIPTIONS, { body });
}

const fileName: Story = async (account) => {
  const id = await account.draft({ name: `${account.newName()} ü` });
  const answer = await account.call("GET", `${DOCUMENTS}/${id}/download`, { isFile: true });
  const disposition = answer.headers["content-disposition"] ?? "";
  const isBoth = /filename="?[\x20-\x7e]+/.test(disposition) && /filename\*=UTF-8''/i.test(disposition);
  if (answer.status !== 200 || isBoth) return stated(answer.status === 200, answer);
  return `200 content-disposition: ${disposition}`;
};

export const draftStories = {
  "approvals.steps_shown": approvalSteps,
  "content.scalar_values": scalarValues,
  "create.plain_http_url": answers(
    (account) => account.createDocument({ url: "http://docdouble-probe.invalid/probe.pdf", recipients: [account.me("Client")] }),
    { status: 201, body: { status: "document.uploaded" } },
  ),
  "crm_links.fault_text": linkFault,
  "crm_links.provider_spelling": answers(onDraft("POST", "/linked-objects", { ...CRM, provider: "DocdoubleProbe" }), {
    status: 400,
    body: { detail: { provider: [/\w/] } },
  }),
  "crm_links.template": linkTemplate,
  "documents.classic_version": classicVersion,
  "documents.editing_session_key": answers(
    async (account) =>
      account.call("POST", `${DOCUMENTS}/${await account.sharedDraft()}/editing-sessions`, {
        body: { email: account.facts.email, lifetime: 60 },
      }),
    { status: 201, body: { key: /\w/ } },
  ),
  "documents.manual_matrix": manualMatrix,
  "documents.paid_without_app": paidWithoutApp,
  "download.file_name": fileName,
  "download.invalid_watermark": answers(onSent("GET", "/download?watermark_text=probe&watermark_opacity=7"), {
    status: 400,
    body: { detail: { watermark_opacity: [/\w/] } },
  }),
  "export.wrong_status": exportUploaded,
  "fields.default_names": defaultFieldName,
  "fields.fault_texts": answers(
    onDraft("POST", "/fields", { fields: [{ type: "text", layout: { page: 1, ...SMALL }, assigned_to: NO_ID }] }),
    {
      status: 400,
      body: { detail: { fields: [{ assigned_to: ["Recipient not found."] }] } },
    },
  ),
  "fields.page_numbers": pageNumbers,
  "fields.without_value": fieldWithoutValue,
  "folders.unknown_folder": answers((account) => account.upload({ folder_uuid: NO_ID }), {
    status: 400,
    body: { detail: { folder_uuid: ["Folder not found."] } },
  }),
  "reminders.malicious_links": maliciousLinks,
  "reminders.not_a_signer": remindNobody,
  "reminders.silent": silentReminders,
  "revert.uploaded": revertUploaded,
  "sessions.lifetime": answers(
    async (account) =>
      account.call("POST", `${DOCUMENTS}/${await account.sharedSent()}/session`, {
        body: { recipient: account.signer, lifetime: 0 },
      }),
    { status: 400, body: { detail: { lifetime: [/\w/] } } },
  ),
  "sessions.nothing_to_view": answers(
    async (account) =>
      account.call("POST", `${DOCUMENTS}/${await account.sharedDraft()}/session`, { body: { recipient: account.signer } }),
    { status: 400, body: { detail: "Cannot create session ID for a document in document.draft status" } },
  ),
  "sessions.unknown_recipient": answers(
    async (account) =>
      account.call("POST", `${DOCUMENTS}/${await account.sharedSent()}/session`, { body: { recipient: account.newEmail() } }),
    { status: 400, body: { detail: { recipient: ["There is no associated recipient."] } } },
  ),
  "settings.expiration_maximum": answers(onDraft("PATCH", "/settings", { expires_in: TOO_MANY_DAYS }, V2_DOCUMENTS), {
    status: 400,
    body: { details: [{ pointer: "/expires_in" }] },
  }),
  "settings.fault_text": answers(
    async (account) =>
      account.call("PATCH", `${V2_DOCUMENTS}/${await account.sharedSent()}/settings`, { body: { suggest_edits: true } }),
    { status: 400, body: { details: [{ data: { message: /^Suggest edits can be changed only in/ } }] } },
  ),
  "update.content_date": updateContentDate,
  "update.empty": updateEmpty,
  "update.tags_and_metadata": updateTagsAndMetadata,
  "webhook.empty_payload": emptyPayload,
  "webhook.repeated_triggers": repeatedTriggers,
} as const;
