import { type Account, idOf, required } from "../account.ts";
import { type Answer, at, listAt } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { answerEach, answers, CONTACTS, DOCUMENTS, ITEMS, LOGS, malformed, NO_ID, NO_UUID, stated } from "./checks.ts";
import type { Story } from "./story.ts";

const EVENTS = "/public/v1/webhook-events";
const LINKED = `${DOCUMENTS}/linked-objects`;
const LISTED = 50;

function sameLists(first: string, second: string): Story {
  return async (account) => {
    const expected = required(await account.call("GET", first), "the first list");
    const answer = await account.call("GET", second);
    return stated(answer.status === 200 && answer.text === expected.text, answer);
  };
}

/** A list in the order of a date. @throws Undecided for a list that shows no order */
export function oldestFirst(target: string): Story {
  return async (account) => {
    const answer = required(await account.call("GET", target), "the list");
    const dates = listAt(answer.json, "results").map((one) => String(at(one, "date_created")));
    if (new Set(dates).size < 2) throw new Undecided("The list has no two entries with different dates, so it shows no order.");
    return stated(isAscending(dates), answer);
  };
}

function isAscending(texts: readonly string[]): boolean {
  return texts.every((text, i) => i === 0 || (texts[i - 1] as string) <= text);
}

function hasId(answer: Answer, id: string): boolean {
  return answer.status === 200 && listAt(answer.json, "results").some((one) => at(one, "id") === id);
}

const searchText: Story = async (account) => {
  const made = required(await account.upload(), "the upload");
  const part = encodeURIComponent(`PROBE ${account.facts.run.toUpperCase()}`);
  const answer = await account.call("GET", `${DOCUMENTS}?q=${part}&count=${LISTED}`);
  return stated(hasId(answer, idOf(made)), answer);
};

const contactsOrder: Story = async (account) => {
  const email = account.newEmail();
  const made = required(await account.create("contact", email, CONTACTS, { body: { email } }), "a contact");
  const found = await account.call("GET", `${CONTACTS}?email=${encodeURIComponent(email.toUpperCase())}`);
  if (!hasId(found, idOf(made))) return stated(false, found);
  const answer = required(await account.call("GET", CONTACTS), "the list of contacts");
  const emails = listAt(answer.json, "results").map((one) => at(one, "email"));
  if (emails.length < 2) throw new Undecided("The account has fewer than two contacts.");
  const named = emails.filter((one) => typeof one === "string" && one !== "").map((one) => String(one).toLowerCase());
  const isNamedFirst = emails.slice(0, named.length).every((one) => Boolean(one));
  return stated(isNamedFirst && isAscending(named), answer);
};

const logSearch: Story = async (account) => {
  const word = `DocDouble${account.facts.run}`;
  await account.call("GET", `${CONTACTS}?email=${word}@example.com`);
  const answer = await account.call("GET", `${LOGS}?search=${word.toUpperCase()}&count=1`);
  return stated(listAt(answer.json, "results").length === 1 && answer.status === 200, answer);
};

const logged = async (account: Parameters<Story>[0], path: string): Promise<Answer> => {
  const list = required(await account.call("GET", `${LOGS}?count=${LISTED}`), "the list of logs");
  const entry = listAt(list.json, "results").find((one) => String(at(one, "url")).includes(path));
  if (entry === undefined) throw new Undecided("The log does not show the call yet.");
  return account.call("GET", `${LOGS}/${encodeURIComponent(String(at(entry, "id")))}`);
};

const logQuery: Story = async (account) => {
  await account.call("GET", `${DOCUMENTS}?count=1&q=a&tag=b&tag=c`);
  const answer = await logged(account, DOCUMENTS);
  const query = at(answer.json, "query_params_object");
  return stated(answer.status === 200 && at(query, "q") === "a" && listAt(query, "tag").length === 2, answer);
};

const hiddenKey =
  (key: string): Story =>
  async (account) => {
    await account.call("GET", `${DOCUMENTS}?count=1`);
    const answer = await logged(account, DOCUMENTS);
    const hasRequest = at(answer.json, "method") !== undefined;
    // The answer shows the start of a body only, so the key never reaches the report.
    if (answer.text.includes(key)) return "The log shows the key.";
    return stated(answer.status === 200 && hasRequest, answer);
  };

const noJson = malformed("contact", CONTACTS, "no JSON", "application/json");

const logBody: Story = async (account) => {
  await noJson(account);
  const answer = await logged(account, CONTACTS);
  const body = at(answer.json, "request_body");
  return stated(answer.status === 200 && JSON.stringify(body) === "{}", answer);
};

async function placesOf(account: Account, order: string, ids: readonly string[]): Promise<[Answer, string]> {
  const query = new URLSearchParams({ q: `docdouble probe ${account.facts.run}`, order_by: order, count: String(LISTED) });
  const answer = required(await account.call("GET", `${DOCUMENTS}?${query}`), "the list");
  const listed = listAt(answer.json, "results").map((one) => at(one, "id"));
  const places = listed.filter((id) => ids.includes(String(id)));
  if (places.length !== ids.length) throw new Undecided(`The list shows ${places.length} of ${ids.length} new documents.`);
  return [answer, places.join()];
}

const missingValuesLast: Story = async (account) => {
  const ids = [await account.sharedSent(), await account.sharedDraft()];
  const [first, ascending] = await placesOf(account, "date_sent", ids);
  if (ascending !== ids.join()) return stated(false, first);
  const [answer, descending] = await placesOf(account, "-date_sent", ids);
  return stated(descending === ids.join(), answer);
};

const stableOrder: Story = async (account) => {
  const ids = [await account.sharedDraft(), await account.draft()];
  const [, ascending] = await placesOf(account, "status", ids);
  const [answer, descending] = await placesOf(account, "-status", ids);
  return stated(ascending === descending, answer);
};

/** Both ends of the window are the instant of one call. */
const logWindow: Story = async (account) => {
  const word = `window${account.facts.run}`;
  await account.call("GET", `${CONTACTS}/${word}`);
  const search = `${LOGS}?search=${word}&count=${LISTED}`;
  const list = required(await account.call("GET", search), "the list of logs");
  const [id, time] = [at(list.json, "results", 0, "id"), at(list.json, "results", 0, "request_time")];
  if (typeof id !== "string" || typeof time !== "string") throw new Undecided("The log does not show the call yet.");
  // The log writes its times without a zone.
  const instant = encodeURIComponent(/Z$|[+-]\d\d:?\d\d$/.test(time) ? time : `${time}Z`);
  const since = await account.call("GET", `${search}&since=${instant}`);
  if (!hasId(since, id)) return stated(false, since);
  const to = await account.call("GET", `${search}&to=${instant}`);
  return stated(hasId(to, id), to);
};

const membersOrder = oldestFirst("/public/v1/members");

async function linked(account: Account, object: object): Promise<string> {
  const id = await account.draft();
  required(await account.call("POST", `${DOCUMENTS}/${id}/linked-objects`, { body: object }), "a link");
  return decodeURIComponent(id);
}

function objectOf(account: Account, entity_type: string): { object: object; list: (query: string) => Promise<Answer> } {
  const object = { provider: "docdouble-probe", entity_type, entity_id: account.facts.run };
  return { object, list: (query) => account.call("GET", `${LINKED}?${new URLSearchParams(object)}&${query}`) };
}

function idsIn({ json }: Answer): unknown[] {
  return Array.isArray(json) ? json.map((one) => at(one, "id")) : [];
}

const linksOrder: Story = async (account) => {
  const { object, list } = objectOf(account, "order");
  const first = await linked(account, object);
  const second = await linked(account, object);
  const answer = await list("order_by=docdouble");
  return stated(answer.status === 200 && idsIn(answer).join() === [second, first].join(), answer);
};

const linksOwners: Story = async (account) => {
  const { object, list } = objectOf(account, "owner");
  const id = await linked(account, object);
  const me = required(await account.call("GET", "/public/v1/members/current"), "the owner of the key");
  const of = (owner: unknown) => list(`owner_ids=${encodeURIComponent(String(owner))}`);
  const nobody = await of(NO_ID);
  if (nobody.status === 200 && idsIn(nobody).length > 0) throw new Undecided("The service ignores the filter by owner.");
  const byMembership = await of(at(me.json, "membership_id"));
  if (!idsIn(byMembership).includes(id)) return stated(false, byMembership);
  const byUser = await of(at(me.json, "user_id"));
  return stated(byUser.status === 200 && idsIn(byUser).includes(id), byUser);
};

const listDateSent: Story = async (account) => {
  const id = await account.sharedDraft();
  const answer = required(await account.call("GET", `${DOCUMENTS}?id=${id}`), "the list");
  const [item] = listAt(answer.json, "results");
  if (typeof item !== "object" || item === null) throw new Undecided("The list does not show the document yet.");
  return "date_sent" in item ? "present" : "absent";
};

export const listStories = {
  "catalog.not_found": answerEach(
    [["GET", `${ITEMS}/${NO_UUID}`], { status: 404, body: { code: "not_found", details: [] } }],
    [["DELETE", `${ITEMS}/${NO_UUID}`], { status: 404, body: { code: "not_found", details: [] } }],
  ),
  "catalog.page_size": answers(["GET", `${ITEMS}/search?per_page=101`], {
    status: 400,
    body: { code: "bad_request", details: [{ pointer: "/per_page" }] },
  }),
  "contacts.order": contactsOrder,
  "documents.missing_values_last": missingValuesLast,
  "crm_links.order": linksOrder,
  "crm_links.owners": linksOwners,
  "documents.search_text": searchText,
  "documents.stable_order": stableOrder,
  "list.date_sent": listDateSent,
  "folders.empty_parent": sameLists(`${DOCUMENTS}/folders?count=10`, `${DOCUMENTS}/folders?count=10&parent_uuid=`),
  "logs.body": logBody,
  "logs.query": logQuery,
  "logs.relative_times": answerEach(
    [["GET", `${CONTACTS}?count=1`], { status: 200, body: {} }],
    [["GET", `${LOGS}?since=-1h&count=1`], { status: 200, body: { results: [{}] } }],
    [["GET", `${LOGS}?since=-59m&count=1`], { status: 200, body: { results: [{}] } }],
    [["GET", `${LOGS}?since=-3000s&count=1`], { status: 200, body: { results: [{}] } }],
  ),
  "logs.search": logSearch,
  "logs.window": logWindow,
  "members.order": membersOrder,
  "logs.time_text": answers(["GET", `${LOGS}?since=docdouble`], {
    status: 400,
    body: { detail: { since: ["Enter a valid date/time."] } },
  }),
  "templates.list_order": oldestFirst(`/public/v1/templates?count=${LISTED}`),
  "webhook.history_pages": sameLists(`${EVENTS}?count=5&page=1`, `${EVENTS}?count=5&page=0`),
  "webhook.unknown_event": answers(["GET", `${EVENTS}/${NO_UUID}`], {
    status: 404,
    body: { type: "request_error", detail: "Not found" },
  }),
} as const;

export { hiddenKey };
