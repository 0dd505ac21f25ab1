/** What the matchers of mails, deliveries, events and documents take. Calls stand in `requests.ts`. */
import { parseLeniently } from "../../../engine/core/text.ts";
import { SIGNINGS } from "../../../engine/jobs/delivery-types.ts";
import { words } from "../../../service/words.ts";
import type { EventName } from "../../file-types.ts";
import type { Delivery, Email, Handles, Inbox, ReceivedEvent, SandboxDocument } from "../../types.ts";
import { droppedIn } from "../tenant-of.ts";
import { isObject, join, type Miss, misses, testOf } from "./compare.ts";
import { type Conditions, requireOneOf, search } from "./search.ts";
import { requireInbox, requireSandbox } from "./subject.ts";
import type { Delivered, ExpectedDocument, InboxEvent, Mailed, Verdict, Wanted } from "./types.ts";

const MAILED: Conditions<Email> = {
  subject: ["a text", (mail) => mail.subject],
  text: ["a text", (mail) => mail.text],
  kind: [words.mailKinds, (mail) => mail.kind],
  channel: [["email", "sms"], (mail) => mail.channel],
  document_id: ["a text", (mail) => mail.document_id],
  to_name: ["a text", (mail) => mail.to_name],
  link: ["a text or null", (mail) => mail.link],
};

export function mailed(sandbox: Handles, to: Wanted<string>, expected: Mailed = {}): Verdict {
  requireSandbox(sandbox);
  if (typeof to !== "string" && !testOf(to)) throw new TypeError(`the first argument is an address such as "pat@client.example"`);
  // The service ignores the case of an address.
  const isSame = (actual: string) => (typeof to === "string" ? actual.toLowerCase() === to.toLowerCase() : testOf(to)?.(actual));
  return search<Email>({
    noun: ["mail", "mails"],
    wanted: typeof to === "string" ? `to ${to}` : "that fit",
    rows: sandbox.emails.all(),
    conditions: MAILED,
    expected,
    alsoMisses: (mail) => (isSame(mail.to) ? [] : [{ path: "to", expected: to, actual: mail.to }]),
    describe: ({ to: address, kind, subject }) => `${kind} to ${address}: ${JSON.stringify(subject)}`,
    none: "the sandbox sent no mails",
    dropped: droppedIn(sandbox, "emails"),
  });
}

const DELIVERED: Conditions<Delivery> = {
  document_id: ["a text", (row) => row.subject],
  status: [words.statuses, (row) => row.status],
  state: [["pending", "delivered", "failed", "dropped"], (row) => row.state],
  signature: [SIGNINGS, (row) => row.attempts.at(-1)?.signed],
  attempts: ["a number", (row) => row.attempts.length],
  url: ["a text", (row) => row.url],
  data: ["anything", dataOf],
};

export function delivered(sandbox: Handles, event: EventName, expected: Delivered = {}): Verdict {
  requireSandbox(sandbox);
  requireOneOf(event, words.events, "event");
  const all = sandbox.webhooks.deliveries();
  const same = all.filter((row) => row.event === event);
  const wish: Delivered = isObject(expected) ? { state: "delivered", ...expected } : expected;
  return search<Delivery>({
    noun: ["delivery", "deliveries"],
    wanted: `of ${event} (${[wish?.status, wish?.state].filter((one) => typeof one === "string").join(", ")})`,
    rows: same.length > 0 ? same : all,
    conditions: DELIVERED,
    expected: wish,
    alsoMisses: (row) => misses("event", event, row.event),
    describe: ({ status, subject, url, state, attempts, event: name }) =>
      `${name}${status === null ? "" : ` (${status})`} of ${subject} to ${url}: ${state}, attempts ${attempts.map((one) => one.status ?? one.error).join(", ") || "none"}`,
    none: "there were no deliveries. Subscribe with webhooks.subscribe or webhooks.receiver before the event",
    hint: () =>
      all.some((row) => row.state === "pending")
        ? "Some deliveries are pending: call `await sandbox.clock.settle()` first, or advance the clock for a retry."
        : undefined,
    dropped: droppedIn(sandbox, "deliveries"),
  });
}

function dataOf({ event, subject, body }: Delivery): unknown {
  const events = [parseLeniently(body)].flat().filter(isObject);
  const found = events.find((one) => one.event === event && isObject(one.data) && one.data.id === subject);
  return (found ?? events[0])?.data;
}

const RECEIVED: Conditions<ReceivedEvent> = {
  document_id: ["a text", ({ data }) => data.id],
  status: [words.statuses, ({ data }) => data.status],
  name: ["a text", ({ data }) => data.name],
  recipient: ["a text", ({ data }) => data.action_by?.email],
  signature: [["valid", "invalid", "missing"], (one) => one.signature],
  duplicate: ["true or false", (one) => one.duplicate],
  data: ["anything", (one) => one.data],
};

export function receivedEvent(inbox: Inbox, event: EventName, expected: InboxEvent = {}): Verdict {
  requireInbox(inbox);
  requireOneOf(event, words.events, "event");
  if (!inbox.subscription.events.includes(event))
    throw new TypeError(`the receiver does not subscribe to ${event}; it subscribes to ${inbox.subscription.events.join(", ")}`);
  const same = inbox.received.filter((one) => one.event === event);
  return search<ReceivedEvent>({
    noun: ["event", "events"],
    wanted: `${event}${typeof expected?.status === "string" ? ` (${expected.status})` : ""}`,
    rows: same.length > 0 ? same : inbox.received,
    conditions: RECEIVED,
    expected,
    alsoMisses: (one) => misses("event", event, one.event),
    describe: describeEvent,
    none: "the receiver accepted no events",
    hint: () =>
      inbox.refused.length > 0
        ? `It refused:\n${inbox.refused.map((one) => `  ${describeEvent(one)}, answered ${one.status} (signature ${one.signature})`).join("\n")}`
        : "Deliveries take a moment: `await inbox.next(event)` waits for one.",
  });
}

function describeEvent({ event, data, duplicate }: ReceivedEvent): string {
  return `${event}${data.status === undefined ? "" : ` (${data.status})`} of ${data.id}${duplicate ? ", a duplicate" : ""}`;
}

const DOCUMENT: Conditions<SandboxDocument> = {
  id: ["a text", (row) => row.id],
  name: ["a text", (row) => row.name],
  status: [words.statuses, (row) => row.status],
  template: ["a text", (row) => row.template, ofTemplate],
  recipients: ["a list", (row) => row.recipients, among],
  fields: ["a map", valuesOf, byName],
  metadata: ["a map", (row) => row.metadata, byName],
  tokens: ["a map", ({ tokens }) => Object.fromEntries(tokens.map(({ name, value }) => [name, value])), byName],
  tags: ["a list", (row) => row.tags, among],
};

export function hasDocument(sandbox: Handles, expected: ExpectedDocument = {}): Verdict {
  requireSandbox(sandbox);
  const all = sandbox.documents.all();
  const { id, name, status } = expected ?? {};
  const withId = id === undefined ? [] : all.filter((one) => misses("id", id, one.id).length === 0);
  const named = [id, name === undefined ? undefined : JSON.stringify(name), status].filter((one) => typeof one === "string");
  return search<SandboxDocument>({
    noun: ["document", "documents"],
    wanted: named.join(", ") || "that fit",
    rows: withId.length > 0 ? withId : all,
    conditions: DOCUMENT,
    expected,
    describe: (one) => `${JSON.stringify(one.name)} (${one.status}, ${one.id})`,
    none: "the sandbox has no documents",
  });
}

/** Its id or its name. */
function ofTemplate(wanted: unknown, template: SandboxDocument["template"], path: string): Miss[] {
  return misses(path, wanted, template?.id).length === 0 ? [] : misses(path, wanted, template?.name);
}

function valuesOf({ fields }: SandboxDocument): Record<string, unknown> {
  const entries = fields.flatMap(({ name, field_id, value }) => [[field_id, value] as const, [name, value] as const]);
  return Object.fromEntries(entries.filter(([name]) => name !== ""));
}

function byName(wanted: unknown, actual: Record<string, unknown>, path: string): Miss[] {
  if (testOf(wanted) || !isObject(wanted)) return misses(path, wanted, actual);
  return Object.entries(wanted).flatMap(([name, value]) => misses(join(path, name), value, actual[name]));
}

/** Each wanted member must be among the actual members. A miss names the nearest member. */
function among(wanted: unknown, actual: readonly unknown[], path: string): Miss[] {
  if (!Array.isArray(wanted)) return misses(path, wanted, actual);
  const free = new Set(actual);
  return wanted.flatMap((one, i) => {
    const judged = [...free].map((candidate) => ({ candidate, found: misses(`${path}[${i}]`, one, candidate) }));
    const [best] = judged.sort((a, b) => a.found.length - b.found.length);
    if (!best) return [{ path: `${path}[${i}]`, expected: one, actual: undefined }];
    free.delete(best.candidate);
    return best.found;
  });
}
