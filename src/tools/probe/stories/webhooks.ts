/** The stories need no receiver: the service keeps what it tried to deliver. */
import { isObject, parseJson } from "../../compare/exchange.ts";
import { type Account, required } from "../account.ts";
import { type Answer, at, listAt, shown } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { allowedOrRefused, type Story } from "./story.ts";

const SUBSCRIPTIONS = "/public/v1/webhook-subscriptions";
const EVENTS = "/public/v1/webhook-events";
const TRIGGER = "document_state_changed";
const LOOKS = 6;
const LOOK_AFTER_MS = 10_000;
const LISTED = 20;
const HISTORY = `${EVENTS}?count=${LISTED}&page=1&type=${TRIGGER}`;
/** RFC 2606 reserves `.invalid`, so no delivery arrives anywhere. */
const DEAD_TARGET = "https://docdouble-probe.invalid/";

const httpsOnly: Story = async (account) => {
  const plain = await subscribe(account, "http://localhost:9/docdouble-probe", false);
  if (allowedOrRefused(plain, "off", "on") === "off") return "off";
  const secure = await subscribe(account, "https://localhost:9/docdouble-probe", false);
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

export const webhookStories = {
  "webhook.https_only": httpsOnly,
  "webhook.shared_link": sharedLink,
  "webhook.zero_total": zeroTotal,
} as const;

function subscribe(account: Account, url: string, active: boolean): Promise<Answer> {
  const name = account.newName();
  return account.create("webhook subscription", name, SUBSCRIPTIONS, {
    body: { name, url, active, triggers: [TRIGGER], payload: [] },
  });
}

async function deliveredData(account: Account, status: string, act: () => Promise<void>): Promise<unknown> {
  required(await subscribe(account, DEAD_TARGET, true), "a subscription");
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
  const { json } = await account.call("GET", `${EVENTS}/${encodeURIComponent(id)}`);
  const body = at(json, "request_body");
  const sent = typeof body === "string" ? parseJson(body) : body;
  return (Array.isArray(sent) ? sent : [sent])
    .map((one) => at(one, "data"))
    .find((data) => isObject(data) && data.status === status && String(data.name).includes(account.facts.run));
}
