/** The stories need no receiver: the service keeps what it tried to deliver. */
import { isObject, parseJson } from "../../compare/exchange.ts";
import { type Account, required } from "../account.ts";
import { type Answer, at, instantAt, listAt, shown } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { shownInTime, stated } from "./checks.ts";
import { sameLists } from "./lists.ts";
import { allowedOrRefused, type Story } from "./story.ts";

const SUBSCRIPTIONS = "/public/v1/webhook-subscriptions";
const EVENTS = "/public/v1/webhook-events";
const TRIGGER = "document_state_changed";
const LOOKS = 6;
const LOOK_AFTER_MS = 10_000;
const LISTED = 20;
const HISTORY = `${EVENTS}?count=${LISTED}&page=1&type=${TRIGGER}`;
/** The first repetition may take minutes. */
const REPETITION_LOOKS = 12;
const REPETITION_LOOK_MS = 30_000;

const httpsOnly: Story = async (account) => {
  const plain = await subscribe(account, { url: "http://localhost:9/docdouble-probe", active: false });
  if (allowedOrRefused(plain, "off", "on") === "off") return "off";
  const secure = await subscribe(account, { url: "https://localhost:9/docdouble-probe", active: false });
  if (secure.status < 300) return "on";
  throw new Undecided(`The service refuses local targets, with https too: ${shown(secure)}`);
};

const sharedLink: Story = async (account) => {
  const sent = await deliveredData(account, "document.sent", async () => {
    await account.sent();
  });
  const link = at(sent, "recipients", 0, "shared_link");
  if (typeof link !== "string") throw new Undecided("The delivery carries no shared_link.");
  return link === "" ? "empty" : "link";
};

const zeroTotal: Story = async (account) => {
  const draft = await deliveredData(account, "document.draft", async () => {
    await account.draft();
  });
  const amount = at(draft, "grand_total", "amount");
  if (amount === "0.00") return "cents";
  if (amount === "0") return "plain";
  throw new Undecided(`The delivery has the total ${JSON.stringify(amount) ?? "of no amount"}.`);
};

/** Two subscriptions hear of one event. A repeated delivery changes its entry, and adds none. */
const history: Story = async (account) => {
  const names = [account.newName(), account.newName()];
  for (const name of names)
    required(await subscribe(account, { url: account.facts.deadTarget, active: true, name }), "a subscription");
  const id = decodeURIComponent(await account.draft());
  /** The first entry of each subscription about the document, and its time. */
  const first = new Map<string, { uuid: string; time: number }>();
  const others = new Set<string>();
  for (let look = 0; look < REPETITION_LOOKS; look++) {
    await account.service.pacing.wait(REPETITION_LOOK_MS);
    const list = required(await account.call("GET", HISTORY), "the webhook history");
    for (const entry of listAt(list.json, "items")) {
      const { uuid, name, time } = partsOf(entry);
      if (!names.includes(name) || others.has(uuid)) continue;
      const known = first.get(name);
      if (known?.uuid === uuid) {
        if (time === known.time || first.size < names.length) continue;
        const answer = await detailsOf(account, uuid);
        return stated(answer.status === 200 && at(answer.json, "uuid") === uuid && partsOf(answer.json).time >= time, answer);
      }
      if (!(await detailsOf(account, uuid)).text.includes(id)) others.add(uuid);
      else if (known !== undefined) return stated(false, list);
      else first.set(name, { uuid, time });
    }
  }
  throw new Undecided(`The webhook history shows no repeated delivery after ${REPETITION_LOOKS} looks.`);
};

function partsOf(entry: unknown): { uuid: string; name: string; time: number } {
  return { uuid: String(at(entry, "uuid")), name: String(at(entry, "name")), time: instantAt(entry, "delivery_time") ?? 0 };
}

function detailsOf(account: Account, event: string): Promise<Answer> {
  return account.call("GET", `${EVENTS}/${encodeURIComponent(event)}`);
}

export const webhookStories = {
  "webhook.https_only": httpsOnly,
  "webhook.shared_link": sharedLink,
  "webhook.zero_total": zeroTotal,
} as const;

const historyPages: Story = async (account) => {
  required(await subscribe(account, { url: account.facts.deadTarget, active: true }), "a subscription");
  await account.draft();
  await shownInTime(account, "a delivery in the webhook history", async () => {
    const list = required(await account.call("GET", HISTORY), "the webhook history");
    return listAt(list.json, "items")[0];
  });
  return sameLists(`${EVENTS}?count=5&page=1`, `${EVENTS}?count=5&page=0`, "items")(account);
};

export const historyStories = { "webhook.history": history, "webhook.history_pages": historyPages } as const;

type Subscription = { url: string; active: boolean; name?: string };

function subscribe(account: Account, { url, active, name = account.newName() }: Subscription): Promise<Answer> {
  const body = { name, url, active, triggers: [TRIGGER], payload: [] };
  return account.create("webhook subscription", name, SUBSCRIPTIONS, { body });
}

async function deliveredData(account: Account, status: string, act: () => Promise<void>): Promise<unknown> {
  required(await subscribe(account, { url: account.facts.deadTarget, active: true }), "a subscription");
  await act();
  const seen = new Set<string>();
  for (let look = 0; look < LOOKS; look++) {
    await account.service.pacing.wait(LOOK_AFTER_MS);
    const { json } = required(await account.call("GET", HISTORY), "the webhook history");
    for (const id of listAt(json, "items").map((one) => at(one, "uuid"))) {
      if (typeof id !== "string" || seen.has(id)) continue;
      seen.add(id);
      const data = await dataOf(account, id, status);
      if (data !== undefined) return data;
    }
  }
  throw new Undecided("The webhook history shows no delivery to an address at which nobody listens.");
}

async function dataOf(account: Account, id: string, status: string): Promise<unknown> {
  const { json } = await detailsOf(account, id);
  const body = at(json, "request_body");
  const sent = typeof body === "string" ? parseJson(body) : body;
  return (Array.isArray(sent) ? sent : [sent])
    .map((one) => at(one, "data"))
    .find((data) => isObject(data) && data.status === status && String(data.name).includes(account.facts.run));
}
