import { isObject, parseJson } from "../../compare/exchange.ts";
import { type Account, idOf, required } from "../account.ts";
import { type Answer, at, shown } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { listIn, outcomeOf, type Script, shownInTime } from "./script.ts";

const CONTACTS = "/public/v1/contacts";
const DOCUMENTS = "/public/v1/documents";
const EVENTS = "/public/v1/webhook-events";
/** No name contains it. */
const NO_TEXT = "docdoubleProbeNoSuchXX";
const TRIGGER = "document_state_changed";
/** RFC 2606 reserves `.invalid`, so no delivery arrives anywhere. */
const DEAD_TARGET = "https://docdouble-probe.invalid/";

export const keyAsBearer: (key: string) => Script = (key) => async (account) =>
  outcomeOf(await account.call("GET", `${DOCUMENTS}?count=1`, { authorization: `Bearer ${key}`, expects: [401] }), [401, 403]);

function subscribe(account: Account, url: string, active: boolean): Promise<Answer> {
  const name = account.newName();
  const body = { name, url, active, triggers: [TRIGGER], payload: [] };
  return account.create("webhook subscription", name, "/public/v1/webhook-subscriptions", { body });
}

/** The service keeps what it tried to deliver, so a script needs no receiver. */
async function deliveredData(account: Account, status: string, act: () => Promise<unknown>): Promise<unknown> {
  required(await subscribe(account, DEAD_TARGET, true), "a subscription");
  await act();
  const seen = new Set<string>();
  return shownInTime(account, "a delivery to an address at which nobody listens", async () => {
    await account.service.pacing.wait(10_000);
    const events = listIn(await account.call("GET", `${EVENTS}?count=20&page=1&type=${TRIGGER}`), "the webhook history", "items");
    for (const id of events.map((one) => at(one, "uuid"))) {
      if (typeof id !== "string" || seen.has(id)) continue;
      seen.add(id);
      const sent = at((await account.call("GET", `${EVENTS}/${encodeURIComponent(id)}`)).json, "request_body");
      const data = [typeof sent === "string" ? parseJson(sent) : sent].flat().map((one) => at(one, "data"));
      const isOwn = (one: unknown) => isObject(one) && one.status === status && String(one.name).includes(account.facts.run);
      const own = data.find(isOwn);
      if (own !== undefined) return own;
    }
    return undefined;
  });
}

export const requestScripts = {
  "audit_trail.access": async (account) =>
    (await account.call("GET", `/public/v2/documents/${await account.sharedDraft()}/audit-trail`)).status,
  "contacts.known_email": async (account) => {
    const email = account.newEmail();
    const create = (first_name: string) => account.create("contact", email, CONTACTS, { body: { email, first_name } });
    const [first, second] = [required(await create("First"), "a contact"), await create("Second")];
    return second.status < 300 ? idOf(first) === idOf(second) : outcomeOf(second);
  },
  "errors.list_paths": async (account) => {
    const made = await account.upload({
      recipients: [account.me("Client"), { email: account.brokenEmail(), role: "Director" }],
    });
    const detail = at(made.json, "detail") ?? made.json;
    const isFlat = isObject(detail) && Object.keys(detail).some((name) => /^recipients[[.]1/.test(name));
    return [made.status, at(detail, "recipients", 1, "email") !== undefined, isFlat];
  },
  "json.types": async (account) => {
    const email = account.newEmail();
    const made = await account.create("contact", email, CONTACTS, { body: { email, first_name: 7 } });
    return made.status < 300 ? String(at(made.json, "first_name")) : made.status;
  },
  "list.date_sent": async (account) => {
    const id = await account.sharedDraft();
    const item = await shownInTime(account, "the document in the list", async () =>
      listIn(await account.call("GET", `${DOCUMENTS}?id=${id}`), "the list").find((one) => at(one, "id") === id),
    );
    return "date_sent" in (item as object);
  },
  "list.repeated_status": async (account) => {
    const id = decodeURIComponent(await account.draft());
    const list = (statuses: string) =>
      account.call("GET", `${DOCUMENTS}?${statuses}&q=${encodeURIComponent(account.facts.run)}&count=50`);
    const hasDraft = (answer: Answer) => listIn(answer, "the list").some((one) => at(one, "id") === id);
    await shownInTime(account, "the new draft", async () => hasDraft(await list("status=0")));
    if (hasDraft(await list("status=2"))) throw new Undecided("The list of completed documents shows a draft.");
    const answer = await list("status=0&status=2");
    return answer.status < 300 ? hasDraft(answer) : answer.status;
  },
  "query.empty_values": async (account) => [
    (await account.call("GET", `${DOCUMENTS}?page=`)).status,
    (await account.call("GET", `${DOCUMENTS}?q=`)).status,
  ],
  /** A part of a word of the name is in no other name, so only the order of the words can hide the template. */
  "templates.search": async (account) => {
    const { run } = account.facts;
    const template = decodeURIComponent(await account.template());
    const finds = async (q: string) => {
      const answer = await account.call("GET", `/public/v1/templates?q=${encodeURIComponent(q)}`);
      return listIn(answer, "the search").some((one) => at(one, "id") === template);
    };
    await shownInTime(account, "the new template", () => finds(`probe ${run}`));
    if (await finds(NO_TEXT)) throw new Undecided("The service ignores the filter: another text finds the template too.");
    return finds(`${run} docdouble`);
  },
  "webhook.https_only": async (account) => {
    const plain = outcomeOf(await subscribe(account, "http://localhost:9/docdouble-probe", false));
    if (plain !== "refused") return plain;
    const secure = await subscribe(account, "https://localhost:9/docdouble-probe", false);
    if (secure.status < 300) return plain;
    throw new Undecided(`The service refuses local targets, with https too: ${shown(secure)}`);
  },
  "webhook.shared_link": async (account) => {
    const link = at(await deliveredData(account, "document.sent", () => account.sent()), "recipients", 0, "shared_link");
    return link === "" ? link : typeof link;
  },
  "webhook.zero_total": async (account) =>
    at(await deliveredData(account, "document.draft", () => account.draft()), "grand_total", "amount"),
} as const satisfies Record<string, Script>;

/** Calls per minute that the limits of the service allow to one operation. */
const SANDBOX_LIMIT = 10;
const PRODUCTION_LIMIT = 100;
const ENOUGH_CALLS = 2 * PRODUCTION_LIMIT + 1;

/**
 * Returns the reading itself. Only a pace above the limit can show the limit. A new minute of the service may begin between the calls, which
 * doubles what passes. Other clients with the key make it less.
 */
export const rateLimitProfile = async (account: Account): Promise<string> => {
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
