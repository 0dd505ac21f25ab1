import { type Account, idOf, required } from "../account.ts";
import { type Answer, at } from "../service.ts";
import { smallPdf } from "../small-pdf.ts";
import { Undecided } from "../story-errors.ts";
import { DOCUMENTS, isAsExpected, isRefusal, NO_ID, stated } from "./checks.ts";
import type { Story } from "./story.ts";

const LANGUAGE = "de-DE";
const BOUNDARY = "docdouble-probe-boundary";
const ROLE_TEXT = `Role '${NO_ID}' is not found in recipients.`;

/** The template has another language than the account, so that the document cannot have it by chance. */
const language: Story = async (account) => {
  const template = await account.template();
  const settings = `/public/v2/templates/${template}/settings`;
  required(await account.call("PATCH", settings, { body: { language: LANGUAGE } }), "another language");
  const body = { template_uuid: decodeURIComponent(template), recipients: [] };
  const id = idOf(required(await account.createDocument(body), "a document from the template"));
  await account.processed(id);
  const answer = await account.call("GET", `/public/v2/documents/${id}/settings`);
  return stated(answer.status === 200 && at(answer.json, "language") === LANGUAGE, answer);
};

function upload(account: Account, file: { name: string; type?: string }, data: object = {}): Promise<Answer> {
  const name = account.newName();
  const part = (headers: string[], content: string) => [`--${BOUNDARY}`, ...headers, "", content].join("\r\n");
  const disposition = `Content-Disposition: form-data; name="file"; filename="${file.name}"`;
  const text = [
    part(
      file.type === undefined ? [disposition] : [disposition, `Content-Type: ${file.type}`],
      "# A document of docdouble probe",
    ),
    part(['Content-Disposition: form-data; name="data"'], JSON.stringify({ name, recipients: [account.me("Client")], ...data })),
    `--${BOUNDARY}--\r\n`,
  ].join("\r\n");
  const raw = { text, type: `multipart/form-data; boundary=${BOUNDARY}` };
  return account.create("document", name, `${DOCUMENTS}?upload-markdown`, { raw });
}

const mappingTexts: Story = async (account) => {
  const answer = await upload(account, { name: "probe.md", type: "text/markdown" }, { fields_mapping: { [NO_ID]: [] } });
  return stated(isAsExpected(answer, { status: 400, body: { detail: { fields_mapping: [ROLE_TEXT] } } }), answer);
};

const markdownType: Story = async (account) => {
  const markdown = await upload(account, { name: "probe.md" });
  if (markdown.status >= 300) return stated(false, markdown);
  const other = await upload(account, { name: "probe.docx" });
  return stated(isRefusal(other, 400), other);
};

const failedDetails: Story = async (account) => {
  const broken = smallPdf("broken").subarray(0, 40);
  const id = idOf(required(await account.upload({}, { bytes: broken }), "a broken file"));
  const status = await account.processed(id);
  if (status !== "document.error") throw new Undecided(`A broken file became ${status}, not document.error.`);
  const answer = await account.call("GET", `${DOCUMENTS}/${id}/details`);
  return stated(answer.status === 200 && at(answer.json, "status") === "document.error", answer);
};

export const creationStories = {
  "details.failed_document": failedDetails,
  "create.language": language,
  "create.mapping_texts": mappingTexts,
  "create.markdown_type": markdownType,
} as const;
