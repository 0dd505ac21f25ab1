/** Attachments need no clean-up, because deleting a document deletes them. */
import { isJson } from "../../compare/exchange.ts";
import { type Account, required } from "../account.ts";
import { type Answer, at, shown } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { DOCUMENTS, isRefusal, stated } from "./checks.ts";
import { exportedFile } from "./exports.ts";
import type { Story } from "./story.ts";

const FILE_NAME = "docdouble probe.pdf";
/** Long enough for an attempt to reach an address that does not exist. */
const GIVEN_UP_AFTER_MS = 30_000;
/** "Within a few seconds", with a margin. */
const FETCHED_AFTER_MS = 10_000;

function attach(account: Account, document: string, source: string): Promise<Answer> {
  return account.call("POST", `${DOCUMENTS}/${document}/attachments`, { body: { source } });
}

function unreachableUrl(account: Account): string {
  return new URL(encodeURIComponent(FILE_NAME), account.facts.deadTarget).href;
}

const defaultName: Story = async (account) => {
  const id = await account.draftForParts();
  const made = required(await attach(account, id, unreachableUrl(account)), "an attachment by URL");
  return stated(at(made.json, "name") === FILE_NAME, made);
};

function download(account: Account, document: string, made: Answer): Promise<Answer> {
  const attachment = encodeURIComponent(String(at(made.json, "uuid")));
  return account.call("GET", `${DOCUMENTS}/${document}/attachments/${attachment}/download`, { isFile: true });
}

const downloadStatus: Story = async (account) => {
  const { pacing } = account.service;
  if (pacing.perMinute < 2) throw new Undecided("The download must follow at once. Use --calls-per-minute 2 or more.");
  const id = await account.draftForParts();
  await pacing.room(2);
  const made = required(await attach(account, id, unreachableUrl(account)), "an attachment by URL");
  const first = await download(account, id, made);
  if (first.status === 404) throw new Undecided(`The service gave up the file before its download: ${shown(first)}`);
  if (!isRefusal(first, 409)) return stated(false, first);
  await pacing.wait(GIVEN_UP_AFTER_MS);
  const second = await download(account, id, made);
  return stated(isRefusal(second, 404), second);
};

/** The service must reach the file without a key, as it can reach exported files. */
const fetchDuration: Story = async (account) => {
  const id = await account.draftForParts();
  const made = required(await attach(account, id, await exportedFile(account, id)), "an attachment by URL");
  await account.service.pacing.wait(FETCHED_AFTER_MS);
  const answer = await download(account, id, made);
  if (answer.status === 404) throw new Undecided(`The service cannot fetch the file: ${shown(answer)}`);
  return stated(answer.status === 200 && !isJson(answer.headers), answer);
};

export const attachmentStories = {
  "attachments.default_name": defaultName,
  "attachments.download_status": downloadStatus,
  "attachments.fetch_duration": fetchDuration,
} as const;
