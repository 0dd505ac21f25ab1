import { parseInstant } from "../../../engine/core/clock.ts";
import { DAY_MS } from "../../../engine/core/time-limits.ts";
import { type Account, idOf, required } from "../account.ts";
import { type Answer, at, listAt, shown } from "../service.ts";
import { smallPdf } from "../small-pdf.ts";
import { Undecided } from "../story-errors.ts";
import { DOCUMENTS, isRefusal, stated } from "./checks.ts";
import type { Story } from "./story.ts";

const BETA_DOCUMENTS = "/public/beta/documents";
const LOOKS_AFTER_S = [2, 5, 10, 20, 40, 60];
/** Names of extracted values that the vendor's staff published. */
const EXTRACTED = [
  "Counterparty name",
  "Counterparty address",
  "Counterparty signer name",
  "Internal party legal name",
  "Internal signer name",
  "Agreement date",
  "Audit rights",
  "Exclusivity",
  "HIPAA / BAA",
  "Include SLA",
  "Most favored customer",
  "Data processing addendum incorporated",
  "Includes logo rights",
  "Include special terms",
  "Has referenced documents",
];

function read(account: Account, document: string, what: string): Promise<Answer> {
  return account.call("GET", `${BETA_DOCUMENTS}/${document}/${what}`);
}

async function made(account: Account, look: () => Promise<Answer>): Promise<Answer> {
  for (const seconds of LOOKS_AFTER_S) {
    const answer = await look();
    if (answer.status !== 202) return answer;
    await account.service.pacing.wait(seconds * 1000);
  }
  throw new Undecided(`The service still answered 202 after ${LOOKS_AFTER_S.length} looks.`);
}

async function summary(account: Account, document: string, type: string): Promise<{ answer: Answer; text: string }> {
  const answer = required(await made(account, () => read(account, document, `summary?type=${type}`)), "a summary");
  return { answer, text: String(at(answer.json, "summary") ?? "") };
}

/** Each longer summary contains the shorter one. */
const summaryWording: Story = async (account) => {
  const id = await account.sharedDraft();
  let shorter = "docdouble probe";
  for (const type of ["headline", "xshort", "short"]) {
    const { answer, text } = await summary(account, id, type);
    if (!text.includes(shorter)) return stated(false, answer);
    shorter = text;
  }
  const { answer, text } = await summary(account, id, "detailed");
  return stated(text.includes(shorter), answer);
};

const failedDocument: Story = async (account) => {
  // Without the feature, every document would answer 404.
  required(await read(account, await account.sharedDraft(), "content?format=plaintext"), "the text of a draft");
  const broken = smallPdf("broken").subarray(0, 40);
  const id = idOf(required(await account.upload({}, { bytes: broken }), "a broken file"));
  const status = await account.processed(id);
  if (status !== "document.error") throw new Undecided(`A broken file became ${status}, not document.error.`);
  const content = await read(account, id, "content?format=plaintext");
  if (!isRefusal(content, 404)) return stated(false, content);
  const answer = await read(account, id, "summary?type=short");
  return stated(isRefusal(answer, 404), answer);
};

async function completed(account: Account): Promise<string> {
  const { id } = await account.sent();
  await complete(account, id);
  return id;
}

async function complete(account: Account, id: string): Promise<void> {
  const body = { status: 2, notify_recipients: false, note: "docdouble probe" };
  required(await account.call("PATCH", `${DOCUMENTS}/${id}/status`, { body }), "completing the document");
}

/** The account may lack the feature. */
function withFeature(answer: Answer): Answer {
  if (answer.status === 403 || answer.status === 404) throw new Undecided(`The account has no extraction: ${shown(answer)}`);
  return answer;
}

const extraction: Story = async (account) => {
  const { id } = await account.sent();
  const before = withFeature(await read(account, id, "ai-metadata"));
  if (!isRefusal(before, 409)) return stated(false, before);
  await complete(account, id);
  required(await made(account, () => account.call("GET", `${DOCUMENTS}/${id}/download`, { isFile: true })), "the PDF");
  const answer = await read(account, id, "ai-metadata");
  return stated(answer.status === 200 && Array.isArray(at(answer.json, "results")), answer);
};

const metadataFields: Story = async (account) => {
  const id = await completed(account);
  const answer = withFeature(await made(account, () => read(account, id, "ai-metadata")));
  const keys = listAt(answer.json, "results").map((one) => String(at(one, "key")));
  return stated(answer.status === 200 && keys.length > 0 && keys.every((one) => EXTRACTED.includes(one)), answer);
};

async function found(account: Account, document: string, query: string): Promise<{ answer: Answer; one: unknown }> {
  for (const seconds of LOOKS_AFTER_S) {
    const answer = required(await account.call("GET", `${BETA_DOCUMENTS}/search?q=${encodeURIComponent(query)}`), "the search");
    if (!Array.isArray(at(answer.json, "results"))) throw new Undecided(`The search gave no list: ${shown(answer)}`);
    const one = listAt(answer.json, "results").find((each) => at(each, "document_id") === decodeURIComponent(document));
    if (one !== undefined) return { answer, one };
    await account.service.pacing.wait(seconds * 1000);
  }
  throw new Undecided(`The search did not find a new document in ${LOOKS_AFTER_S.length} looks.`);
}

const searchRootFolder: Story = async (account) => {
  const { answer, one } = await found(account, await account.sharedDraft(), account.facts.run);
  return stated(at(one, "folder", "id") === "", answer);
};

const searchConsistency: Story = async (account) => {
  const id = await account.draft();
  const answer = required(await account.call("GET", `${BETA_DOCUMENTS}/search?q=${account.facts.run}`), "the search");
  const ids = listAt(answer.json, "results").map((one) => at(one, "document_id"));
  return stated(ids.includes(decodeURIComponent(id)), answer);
};

/** The answer shows how the service understood the words. */
const searchTimeSpans: Story = async (account) => {
  const answer = required(await account.call("GET", `${BETA_DOCUMENTS}/search?q=this+week`), "the search");
  const intent = listAt(answer.json, "intent");
  const dates = intent.map((one) => /^(\d{4}-\d{2}-\d{2})\b/.exec(String(at(one, "value")))?.[1]);
  const place = dates.findIndex((one) => one !== undefined);
  if (place < 0) throw new Undecided(`The answer shows no date of the time span: ${shown(answer)}`);
  return stated(/creat/i.test(String(at(intent[place], "field"))) && isMonday(dates[place] as string), answer);
};

function isMonday(date: string): boolean {
  // 1970-01-01 was a Thursday.
  return ((parseInstant(date) ?? 0) / DAY_MS) % 7 === 4;
}

export const insightStories = {
  "insights.extraction": extraction,
  "insights.failed_document": failedDocument,
  "insights.metadata_fields": metadataFields,
  "insights.summary_wording": summaryWording,
  "search.consistency": searchConsistency,
  "search.root_folder": searchRootFolder,
  "search.time_spans": searchTimeSpans,
} as const;
