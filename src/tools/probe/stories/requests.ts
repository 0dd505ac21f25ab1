import { isObject } from "../../compare/exchange.ts";
import { idOf, required } from "../account.ts";
import { type Answer, at, listAt, shown } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { byStatus, type Story, shownInTime, undecided } from "./story.ts";

const CONTACTS = "/public/v1/contacts";
const DOCUMENTS = "/public/v1/documents";
/** No name contains it. */
const NO_TEXT = "docdoubleProbeNoSuchXX";
/** Calls per minute that the limits of the service allow to one operation. */
const SANDBOX_LIMIT = 10;
const PRODUCTION_LIMIT = 100;
const ENOUGH_CALLS = 2 * PRODUCTION_LIMIT + 1;

const keyAsBearer: (key: string) => Story = (key) => async (account) => {
  const input = { authorization: `Bearer ${key}`, expects: [401] };
  return byStatus(await account.call("GET", `${DOCUMENTS}?count=1`, input), { 200: "accept", 401: "refuse", 403: "refuse" });
};

const contactsKnownEmail: Story = async (account) => {
  const email = account.newEmail();
  const create = (first_name: string) => account.create("contact", email, CONTACTS, { body: { email, first_name } });
  const first = required(await create("First"), "a contact");
  const second = await create("Second");
  if (second.status === 400 || second.status === 409) return "refuse";
  if (second.status >= 300) undecided(second);
  return idOf(first) === idOf(second) ? "update" : "duplicate";
};

const errorsListPaths: Story = async (account) => {
  const recipients = [account.me("Client"), { email: account.brokenEmail(), role: "Director" }];
  const made = await account.upload({ recipients });
  if (made.status !== 400) throw new Undecided(`A malformed email address answered ${shown(made)}`);
  const detail = at(made.json, "detail") ?? made.json;
  if (isObject(detail)) {
    const inside = at(detail, "recipients", 1);
    if (isObject(inside) && inside.email !== undefined) return "nested";
    if (Object.keys(detail).some((name) => /^recipients[[.]1/.test(name))) return "flat";
  }
  throw new Undecided(`The refusal names no place in the list: ${shown(made)}`);
};

const jsonTypes: Story = async (account) => {
  const email = account.newEmail();
  const made = await account.create("contact", email, CONTACTS, { body: { email, first_name: 7 } });
  if (made.status === 400) return "strict";
  return String(at(required(made, "a contact").json, "first_name")) === "7" ? "lenient" : unclear(made.text);
};

function unclear(text: string): never {
  throw new Undecided(`The contact was created with another first name: ${text}`);
}

const auditTrailAccess: Story = async (account) => {
  const answer = await account.call("GET", `/public/v2/documents/${await account.sharedDraft()}/audit-trail`);
  return byStatus(answer, { 200: "given", 403: "refuse" });
};

const listRepeatedStatus: Story = async (account) => {
  const id = decodeURIComponent(await account.draft());
  const list = (statuses: string) =>
    account.call("GET", `${DOCUMENTS}?${statuses}&q=${encodeURIComponent(account.facts.run)}&count=50`);
  const hasDraft = (answer: Answer) => {
    const results = at(answer.json, "results");
    return Array.isArray(results) ? results.some((one) => at(one, "id") === id) : undecided(answer);
  };
  const lists = async (statuses: string) => hasDraft(required(await list(statuses), "the list"));
  await shownInTime(account, "the new draft", () => lists("status=0"));
  if (await lists("status=2")) throw new Undecided("The list of completed documents shows a draft.");
  const answer = await list("status=0&status=2");
  if (answer.status === 400) return "refuse";
  if (hasDraft(required(answer, "the list"))) return "any_of";
  throw new Undecided(`The list lacks a draft: ${shown(answer)}`);
};

const listDateSent: Story = async (account) => {
  const id = await account.sharedDraft();
  const item = await shownInTime(account, "the document in the list", async () => {
    const answer = required(await account.call("GET", `${DOCUMENTS}?id=${id}`), "the list");
    return listAt(answer.json, "results").find((one) => at(one, "id") === id);
  });
  return "date_sent" in (item as object) ? "present" : "absent";
};

/** A part of a word of the name is in no other name, so only the order of the words can hide the template. */
const templatesSearch: Story = async (account) => {
  const run = account.facts.run;
  const template = decodeURIComponent(await account.template());
  const finds = async (q: string) => {
    const answer = required(await account.call("GET", `/public/v1/templates?q=${encodeURIComponent(q)}`), "the search");
    const results = at(answer.json, "results");
    return Array.isArray(results) ? results.some((one) => at(one, "id") === template) : undecided(answer);
  };
  await shownInTime(account, "the new template", () => finds(`probe ${run}`));
  if (await finds(NO_TEXT)) throw new Undecided("The service ignores the filter: another text finds the template too.");
  return (await finds(`${run} docdouble`)) ? "fuzzy" : "name";
};

const queryEmptyValues: Story = async (account) => {
  const [number, text] = [await account.call("GET", `${DOCUMENTS}?page=`), await account.call("GET", `${DOCUMENTS}?q=`)];
  const statuses = `${number.status} ${text.status}`;
  const readings: Record<string, string> = { "400 200": "check", "400 400": "refuse", "200 200": "ignore" };
  const reading = readings[statuses];
  if (reading === undefined) throw new Undecided(`An empty number and an empty text answered ${statuses}.`);
  return reading;
};

/**
 * Only a pace above the limit can show the limit. A new minute of the service may begin between the calls, which doubles what passes.
 * Other clients with the key make it less.
 */
const rateLimitProfile: Story = async (account) => {
  const { pacing } = account.service;
  if (pacing.perMinute <= SANDBOX_LIMIT)
    throw new Undecided(
      `The pace of ${pacing.perMinute} calls a minute never meets a limit. --calls-per-minute ${ENOUGH_CALLS} does, and exhausts the limit for a minute.`,
    );
  const calls = Math.min(pacing.perMinute, ENOUGH_CALLS);
  // Earlier calls, such as those of the first try, must not count.
  await pacing.room(pacing.perMinute);
  const start = pacing.now();
  for (let passed = 0; passed < calls; passed++) {
    const { status } = await account.call("GET", `${CONTACTS}?count=1`, { expects: [429] });
    if (status !== 429) continue;
    if (passed >= SANDBOX_LIMIT && passed <= 2 * SANDBOX_LIMIT) return "sandbox";
    if (passed >= PRODUCTION_LIMIT) return "production";
    throw new Undecided(`The limit came after ${passed} calls, which fits no profile. Other clients may use the key.`);
  }
  const seconds = Math.ceil((pacing.now() - start) / 1000);
  if (seconds >= 60)
    throw new Undecided(`The service took ${seconds} s for ${calls} calls, too long to meet a limit per minute.`);
  if (calls === ENOUGH_CALLS) return "none";
  throw new Undecided(`${calls} calls in a minute met no limit. Only --calls-per-minute ${ENOUGH_CALLS} tells more.`);
};

export const requestStories = {
  "audit_trail.access": auditTrailAccess,
  "contacts.known_email": contactsKnownEmail,
  "errors.list_paths": errorsListPaths,
  "json.types": jsonTypes,
  "list.date_sent": listDateSent,
  "list.repeated_status": listRepeatedStatus,
  "query.empty_values": queryEmptyValues,
  "templates.search": templatesSearch,
} as const;

export { keyAsBearer, rateLimitProfile };
