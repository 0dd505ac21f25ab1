import { iso } from "../../../engine/core/clock.ts";
import { type Account, idOf, required } from "../account.ts";
import { type Answer, at, instantAt, listAt } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import {
  answerEach,
  answers,
  CONTACTS,
  DOCUMENTS,
  ITEMS,
  LOGS,
  malformed,
  NO_ID,
  NO_UUID,
  requireFilter,
  shownInTime,
  stated,
} from "./checks.ts";
import type { Story } from "./story.ts";

const EVENTS = "/public/v1/webhook-events";
const LINKED = `${DOCUMENTS}/linked-objects`;
const LISTED = 50;
const LOG_ENTRIES_MAX = 5;
/** A log may round its times to minutes. */
const OLD_AFTER_MS = 65_000;

/** Other users of the account may change the list. @throws Undecided for an empty list */
export function sameLists(first: string, second: string, member: string): Story {
  return async (account) => {
    const idsIn = ({ json }: Answer) => listAt(json, member).map((one) => at(one, "uuid"));
    const read = async () => idsIn(required(await account.call("GET", first), "the first list")).join();
    const expected = await read();
    if (expected === "") throw new Undecided("The list is empty, so it shows no difference.");
    const answer = await account.call("GET", second);
    const isSame = answer.status === 200 && idsIn(answer).join() === expected;
    if (!isSame && (await read()) !== expected) throw new Undecided("The list changed between two calls.");
    return stated(isSame, answer);
  };
}

/** A list in the order of a date. @throws Undecided for a list that shows no order */
export function oldestFirst(target: string): Story {
  return async (account) => {
    const answer = required(await account.call("GET", target), "the list");
    const dates = listAt(answer.json, "results").map((one) => instantAt(one, "date_created"));
    if (dates.includes(undefined)) throw new Undecided("The list has an entry without a date, so it shows no order.");
    if (new Set(dates).size < 2) throw new Undecided("The list has no two entries with different dates, so it shows no order.");
    return stated(
      isAscending(dates as number[], (a, b) => a <= b),
      answer,
    );
  };
}

function isAscending<T>(values: readonly T[], isOrdered: (a: T, b: T) => boolean): boolean {
  return values.every((value, i) => i === 0 || isOrdered(values[i - 1] as T, value));
}

/** Languages differ in the place of signs. */
const DICTIONARY = new Intl.Collator("en", { ignorePunctuation: true });
function isOrderedText(a: string, b: string): boolean {
  return a <= b || DICTIONARY.compare(a, b) <= 0;
}

/** @throws Undecided for a success without a list, because nothing is missing from it */
function hasId(answer: Answer, id: string): boolean {
  if (answer.status !== 200) return false;
  requireList(at(answer.json, "results"));
  return listAt(answer.json, "results").some((one) => at(one, "id") === id);
}

function requireList(value: unknown): void {
  if (!Array.isArray(value)) throw new Undecided("The answer holds no list, so it does not show what is missing.");
}

const searchText: Story = async (account) => {
  const name = account.newName();
  const made = required(await account.upload({ name }), "the upload");
  const search = (text: string) => account.call("GET", `${DOCUMENTS}?q=${encodeURIComponent(text)}&count=${LISTED}`);
  await requireFilter(account, "the new document", name, async (text) =>
    hasId(required(await search(text), "the search"), idOf(made)),
  );
  const answer = await search(`PROBE ${account.facts.run.toUpperCase()}`);
  return stated(hasId(answer, idOf(made)), answer);
};

const contactsOrder: Story = async (account) => {
  const email = account.newEmail();
  const made = required(await account.create("contact", email, CONTACTS, { body: { email } }), "a contact");
  const search = (text: string) => account.call("GET", `${CONTACTS}?email=${encodeURIComponent(text)}`);
  await requireFilter(account, "the new contact", email, async (text) =>
    hasId(required(await search(text), "the search"), idOf(made)),
  );
  const found = await search(email.toUpperCase());
  if (!hasId(found, idOf(made))) return stated(false, found);
  const answer = required(await account.call("GET", CONTACTS), "the list of contacts");
  const emails = listAt(answer.json, "results").map((one) => at(one, "email"));
  if (emails.length < 2) throw new Undecided("The account has fewer than two contacts.");
  const named = emails.filter((one) => typeof one === "string" && one !== "").map((one) => String(one).toLowerCase());
  const isNamedFirst = emails.slice(0, named.length).every((one) => Boolean(one));
  return stated(isNamedFirst && isAscending(named, isOrderedText), answer);
};

/** A call that no other client makes, because its path contains the word. Nothing has this id. */
function callWith(account: Account, word: string, query = ""): Promise<Answer> {
  return account.call("GET", `${CONTACTS}/${word}${query}`);
}

function searchLog(account: Account, text: string, query = ""): Promise<Answer> {
  return account.call("GET", `${LOGS}?search=${encodeURIComponent(text)}&count=${LISTED}${query}`);
}

const logSearch: Story = async (account) => {
  const [word, value] = [`DocDouble${account.facts.run}`, `Search${account.facts.run}`];
  await callWith(account, word, `?email=${value}`);
  const id = await loggedId(account, word);
  if (hasId(required(await searchLog(account, NO_ID), "the search"), id)) throw new Undecided("The log ignores the search.");
  const byPath = await searchLog(account, word.toUpperCase());
  if (!hasId(byPath, id)) return stated(false, byPath);
  const byQuery = await searchLog(account, value.toUpperCase());
  return stated(hasId(byQuery, id), byQuery);
};

/** The id of the call in the log, which may lag behind. @throws Undecided */
function loggedId(account: Account, word: string): Promise<string> {
  return shownInTime(account, "the call in the log", async () => {
    const list = required(await searchLog(account, word), "the list of logs");
    const id = at(
      listAt(list.json, "results").find((one) => String(at(one, "url")).includes(word)),
      "id",
    );
    return typeof id === "string" ? id : undefined;
  });
}

/** What the log says about the call whose entry contains the word. Other clients may call the same path. @throws Undecided */
function logged(account: Account, path: string, word: string): Promise<Answer> {
  return shownInTime(account, "the call in the log", async () => {
    const list = required(await account.call("GET", `${LOGS}?count=${LISTED}`), "the list of logs");
    const entries = listAt(list.json, "results").filter((one) => String(at(one, "url")).includes(path));
    for (const entry of entries.slice(0, LOG_ENTRIES_MAX)) {
      const answer = await account.call("GET", `${LOGS}/${encodeURIComponent(String(at(entry, "id")))}`);
      if (answer.text.includes(word)) return answer;
    }
    return undefined;
  });
}

const logQuery: Story = async (account) => {
  const word = `query${account.facts.run}`;
  await callWith(account, word, "?q=a&tag=b&tag=c");
  const answer = await logged(account, `${CONTACTS}/${word}`, word);
  const query = at(answer.json, "query_params_object");
  return stated(answer.status === 200 && at(query, "q") === "a" && listAt(query, "tag").length === 2, answer);
};

const hiddenKey: Story = async (account) => {
  const word = `key${account.facts.run}`;
  await callWith(account, word);
  const answer = await logged(account, `${CONTACTS}/${word}`, word);
  const hasRequest = at(answer.json, "method") !== undefined;
  if (answer.withoutKey() !== answer.text) return "The log shows the key.";
  return stated(answer.status === 200 && hasRequest, answer);
};

const logBody: Story = async (account) => {
  const word = `body${account.facts.run}`;
  await malformed("contact", `${CONTACTS}?docdouble=${word}`, "no JSON", "application/json")(account);
  const answer = await logged(account, CONTACTS, word);
  const body = at(answer.json, "request_body");
  return stated(answer.status === 200 && JSON.stringify(body) === "{}", answer);
};

/** The last look shows that the times work: they leave out what is older. */
const relativeTimes: Story = async (account) => {
  const word = `times${account.facts.run}`;
  await callWith(account, word);
  const id = await loggedId(account, word);
  for (const since of ["-1h", "-59m", "-3000s"]) {
    const answer = await searchLog(account, word, `&since=${since}`);
    if (!hasId(answer, id)) return stated(false, answer);
  }
  await account.service.pacing.wait(OLD_AFTER_MS);
  const answer = await searchLog(account, word, "&since=-2s");
  return stated(answer.status === 200 && !hasId(answer, id), answer);
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

/** Both ends of the window are the instant of one call. First, windows a second beside it must leave the call out. */
const logWindow: Story = async (account) => {
  const word = `window${account.facts.run}`;
  await callWith(account, word);
  const id = await loggedId(account, word);
  const list = required(await searchLog(account, word), "the list of logs");
  const time = instantAt(
    listAt(list.json, "results").find((one) => at(one, "id") === id),
    "request_time",
  );
  if (time === undefined) throw new Undecided("The log shows no time of the call.");
  const within = (end: string, instant: number) => searchLog(account, word, `&${end}=${iso(instant)}`);
  const beside = [await within("since", time + 1000), await within("to", time - 1000)].map((one) => required(one, "the window"));
  if (beside.some((answer) => hasId(answer, id))) throw new Undecided("The log ignores the time, or has another time zone.");
  const since = await within("since", time);
  if (!hasId(since, id)) return stated(false, since);
  const to = await within("to", time);
  if (to.status === 200 && !hasId(to, id))
    throw new Undecided("The log may know the time of the call more exactly than it shows it.");
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

/** @throws Undecided for a success without a list */
function idsIn({ status, json }: Answer): unknown[] {
  if (status === 200) requireList(json);
  return listAt(json).map((one) => at(one, "id"));
}

const linksOrder: Story = async (account) => {
  const { object, list } = objectOf(account, "order");
  const first = await linked(account, object);
  const second = await linked(account, object);
  const answer = await shownInTime(account, "two links", async () => {
    const listed = await list("order_by=docdouble");
    return listed.status !== 200 || idsIn(listed).length === 2 ? listed : undefined;
  });
  return stated(answer.status === 200 && idsIn(answer).join() === [second, first].join(), answer);
};

const linksOwners: Story = async (account) => {
  const { object, list } = objectOf(account, "owner");
  const id = await linked(account, object);
  await shownInTime(account, "the link", async () => idsIn(await list("count=50")).includes(id) || undefined);
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
  const item = await shownInTime(account, "the document in the list", async () => {
    const answer = required(await account.call("GET", `${DOCUMENTS}?id=${id}`), "the list");
    return listAt(answer.json, "results").find((one) => at(one, "id") === decodeURIComponent(id));
  });
  return "date_sent" in (item as object) ? "present" : "absent";
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
  "folders.empty_parent": sameLists(`${DOCUMENTS}/folders?count=10`, `${DOCUMENTS}/folders?count=10&parent_uuid=`, "results"),
  "logs.body": logBody,
  "logs.hidden_key": hiddenKey,
  "logs.query": logQuery,
  "logs.relative_times": relativeTimes,
  "logs.search": logSearch,
  "logs.window": logWindow,
  "members.order": membersOrder,
  "logs.time_text": answers(["GET", `${LOGS}?since=docdouble`], {
    status: 400,
    body: { detail: { since: ["Enter a valid date/time."] } },
  }),
  "templates.list_order": oldestFirst(`/public/v1/templates?count=${LISTED}`),
  "webhook.unknown_event": answers(["GET", `${EVENTS}/${NO_UUID}`], {
    status: 404,
    body: { type: "request_error", detail: "Not found" },
  }),
} as const;
