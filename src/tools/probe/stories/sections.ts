/** Sections need no clean-up, because deleting a document deletes them. */
import { type Account, required } from "../account.ts";
import { type Answer, at, listAt, shown } from "../service.ts";
import { smallPdf } from "../small-pdf.ts";
import { Undecided } from "../story-errors.ts";
import { DOCUMENTS, isRefusal, stated } from "./checks.ts";
import type { Story } from "./story.ts";

const UPLOADED = "document_sections_upload.UPLOADED";
const PROCESSED = "document_sections_upload.PROCESSED";
const LOOKS_AFTER_S = [5, 10, 20, 40, 60];
const FILE_NAME = "docdouble section";

function sectionsOf(document: string): string {
  return `${DOCUMENTS}/${document}/sections`;
}

function upload(account: Account, document: string, file: { bytes: Buffer; query?: string; fields?: object }): Promise<Answer> {
  const form = new FormData();
  form.append("file", new File([new Uint8Array(file.bytes)], `${FILE_NAME}.pdf`, { type: "application/pdf" }));
  form.append("data", JSON.stringify({ recipients: [account.me("Client")], fields: file.fields ?? {} }));
  return account.call("POST", `${sectionsOf(document)}/uploads?upload${file.query ?? ""}`, { form });
}

function uploadIdOf({ json }: Answer): string {
  return encodeURIComponent(String(at(json, "uuid")));
}

async function ended(account: Account, document: string, made: Answer): Promise<Answer> {
  for (const seconds of LOOKS_AFTER_S) {
    await account.service.pacing.wait(seconds * 1000);
    const target = `${sectionsOf(document)}/uploads/${uploadIdOf(made)}`;
    const answer = required(await account.call("GET", target), "the state of a section");
    // The official pages write this status in both cases.
    if (String(at(answer.json, "status")).toUpperCase() !== UPLOADED.toUpperCase()) return answer;
  }
  throw new Undecided(`The section was still processed after ${LOOKS_AFTER_S.length} looks.`);
}

async function added(account: Account, document: string): Promise<string> {
  const made = required(await upload(account, document, { bytes: smallPdf("A section.") }), "a section");
  const answer = await ended(account, document, made);
  const id = listAt(answer.json, "section_uuids")[0] ?? listAt(answer.json, "sections_uuids")[0];
  if (typeof id !== "string") throw new Undecided(`The upload of a section made none: ${shown(answer)}`);
  return encodeURIComponent(id);
}

const defaultName: Story = async (account) => {
  const id = await account.draftForParts();
  const section = await added(account, id);
  const answer = await account.call("GET", `${sectionsOf(id)}/${section}`);
  return stated(answer.status === 200 && at(answer.json, "name") === FILE_NAME, answer);
};

const deleteOutsideDraft: Story = async (account) => {
  const id = await account.draft();
  const list = required(await account.call("GET", sectionsOf(id)), "the list of sections");
  const uuid = at(list.json, "results", 0, "uuid");
  if (typeof uuid !== "string") throw new Undecided(`The list shows no section of a new document: ${shown(list)}`);
  const only = encodeURIComponent(uuid);
  const last = await account.call("DELETE", `${sectionsOf(id)}/${only}`);
  if (!isRefusal(last, 400)) return stated(false, last);
  // With two sections, only the status can be the reason of the refusal.
  const section = await added(account, id);
  required(await account.send(id), "sending");
  const answer = await account.call("DELETE", `${sectionsOf(id)}/${section}`);
  return stated(isRefusal(answer, 400), answer);
};

const failedUpload: Story = async (account) => {
  const id = await account.draftForParts();
  const broken = smallPdf("broken").subarray(0, 40);
  const made = required(await upload(account, id, { bytes: broken }), "a section of a broken file");
  const answer = await ended(account, id, made);
  if (String(at(answer.json, "status")).toUpperCase() === PROCESSED.toUpperCase())
    throw new Undecided(`A broken file became a section: ${shown(answer)}`);
  const text = at(answer.json, "info_message");
  return stated(typeof text === "string" && /\w/.test(text), answer);
};

/** A field tag becomes a field, whose name must end with the id of the upload. */
const fieldNames: Story = async (account) => {
  const id = await account.draft();
  const file = { bytes: smallPdf("{t:Client:city}"), query: "&merge_field_scope=upload", fields: { city: {} } };
  const made = required(await upload(account, id, file), "a section with a field");
  const end = await ended(account, id, made);
  if (String(at(end.json, "status")).toUpperCase() !== PROCESSED.toUpperCase())
    throw new Undecided(`The section was not processed: ${shown(end)}`);
  const details = required(await account.call("GET", `${DOCUMENTS}/${id}/details`), "the details");
  const names = listAt(details.json, "fields").map((one) => at(one, "merge_field"));
  if (names.length === 0) throw new Undecided("The service made no field of the field tag.");
  return names.join() === `city_${at(made.json, "uuid")}` ? "as_stated" : `fields with the names ${names.join(", ")}`;
};

const templateAndUrl: Story = async (account) => {
  const template = await account.once("template", () => account.template());
  const id = await account.draftForParts();
  const body = { template_uuid: decodeURIComponent(template), url: `${account.facts.deadTarget}probe.pdf`, recipients: [] };
  const made = await account.call("POST", `${sectionsOf(id)}/uploads`, { body });
  if (made.status === 400 && /url|template_uuid/i.test(made.text)) return stated(false, made);
  const answer = await ended(account, id, required(made, "a section of a template and a URL"));
  // Nobody listens at the URL, so only the template can be processed.
  return stated(String(at(answer.json, "status")).toUpperCase() === PROCESSED.toUpperCase(), answer);
};

/** Needs a template with an image, which only the editor can make. */
const templateImages: Story = async (account) => {
  const templates = await account.ownTemplates();
  const template = templates.find((one) => listAt(one, "images").length > 0);
  if (template === undefined) throw new Undecided("No template of the account has an image. Create one, then probe again.");
  const id = await account.draft();
  const body = { template_uuid: at(template, "id"), recipients: [] };
  const made = required(await account.call("POST", `${sectionsOf(id)}/uploads`, { body }), "a section of a template");
  const end = await ended(account, id, made);
  if (String(at(end.json, "status")).toUpperCase() !== PROCESSED.toUpperCase())
    throw new Undecided(`The section was not processed: ${shown(end)}`);
  const details = required(await account.call("GET", `${DOCUMENTS}/${id}/details`), "the details");
  const images = at(details.json, "images");
  return stated(Array.isArray(images) && images.length === 0, details);
};

export const sectionStories = {
  "sections.default_name": defaultName,
  "sections.delete_outside_draft": deleteOutsideDraft,
  "sections.failed_upload": failedUpload,
  "sections.field_names": fieldNames,
  "sections.template_and_url": templateAndUrl,
  "sections.template_images": templateImages,
} as const;
