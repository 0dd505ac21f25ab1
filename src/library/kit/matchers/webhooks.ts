import { droppedIn } from "../tenant-of.ts";
import { parseLeniently } from "../../../engine/core/text.ts";
import { SIGNINGS } from "../../../engine/jobs/delivery-types.ts";
import type { EventName } from "../../file-types.ts";
import type { Delivery, Handles, Inbox, ReceivedEvent } from "../../types.ts";
import { isObject, misses } from "./compare.ts";
import { type Kind, requireConditions, requireOneOf, requireWord, verdictOf } from "./verdict.ts";
import { requireInbox, requireSandbox } from "./subject.ts";
import type { Delivered, InboxEvent, Times, Verdict } from "./types.ts";
import { words } from "../../../service/words.ts";

const STATES = ["pending", "delivered", "failed", "dropped"];
const SIGNATURES = ["valid", "invalid", "missing"];
const DELIVERED: Readonly<Record<Exclude<keyof Delivered, keyof Times>, Kind>> = {
  document_id: "a text",
  status: "a text",
  state: "a text",
  signature: "a text",
  attempts: "a number",
  url: "a text",
  data: "anything",
};
const RECEIVED: Readonly<Record<Exclude<keyof InboxEvent, keyof Times>, Kind>> = {
  document_id: "a text",
  status: "a text",
  name: "a text",
  recipient: "a text",
  signature: "a text",
  duplicate: "true or false",
  data: "anything",
};

export function delivered(sandbox: Handles, event: EventName, expected: Delivered = {}): Verdict {
  requireSandbox(sandbox);
  requireOneOf(event, words.events, "event");
  requireConditions(expected, DELIVERED);
  const { document_id, status, state = "delivered", signature, attempts, url, data, ...limits } = expected;
  requireWord(status, words.statuses, "status");
  requireOneOf(state, STATES, "state");
  requireWord(signature, SIGNINGS, "signature");
  const all = sandbox.webhooks.deliveries();
  const same = all.filter((row) => row.event === event);
  return verdictOf<Delivery>({
    limits,
    noun: ["delivery", "deliveries"],
    wanted: `of ${event} (${[...(typeof status === "string" ? [status] : []), state].join(", ")})`,
    candidates: same.length > 0 ? same : all,
    misses: (row) => [
      ...misses("event", event, row.event),
      ...(document_id === undefined ? [] : misses("document_id", document_id, row.subject)),
      ...(status === undefined ? [] : misses("status", status, row.status)),
      ...misses("state", state, row.state),
      ...(signature === undefined ? [] : misses("signature", signature, row.attempts.at(-1)?.signed)),
      ...(attempts === undefined ? [] : misses("attempts", attempts, row.attempts.length)),
      ...(url === undefined ? [] : misses("url", url, row.url)),
      ...(data === undefined ? [] : misses("data", data, dataOf(row))),
    ],
    describe: describeDelivery,
    dropped: droppedIn(sandbox, "deliveries"),
    none: "there were no deliveries. Subscribe with webhooks.subscribe or webhooks.receiver before the event",
    hint: () =>
      all.some((row) => row.state === "pending")
        ? "Some deliveries are pending: call `await sandbox.clock.settle()` first, or advance the clock for a retry."
        : undefined,
  });
}

function describeDelivery({ event, subject, status, url, state, attempts }: Delivery): string {
  return `${event}${status === null ? "" : ` (${status})`} of ${subject} to ${url}: ${state}, attempts ${attempts.map((one) => one.status ?? one.error).join(", ") || "none"}`;
}

function dataOf({ event, subject, body }: Delivery): unknown {
  const events = [parseLeniently(body)].flat().filter(isObject);
  const found = events.find((one) => one.event === event && isObject(one.data) && one.data.id === subject);
  return (found ?? events[0])?.data;
}

export function receivedEvent(inbox: Inbox, event: EventName, expected: InboxEvent = {}): Verdict {
  requireInbox(inbox);
  requireOneOf(event, words.events, "event");
  requireConditions(expected, RECEIVED);
  const { document_id, status, name, recipient, signature, duplicate, data, ...limits } = expected;
  requireWord(status, words.statuses, "status");
  requireWord(signature, SIGNATURES, "signature");
  if (!inbox.subscription.events.includes(event))
    throw new TypeError(`the receiver does not subscribe to ${event}; it subscribes to ${inbox.subscription.events.join(", ")}`);
  const same = inbox.received.filter((one) => one.event === event);
  return verdictOf<ReceivedEvent>({
    limits,
    noun: ["event", "events"],
    wanted: `${event}${typeof status === "string" ? ` (${status})` : ""}`,
    candidates: same.length > 0 ? same : inbox.received,
    misses: (one) => [
      ...misses("event", event, one.event),
      ...(document_id === undefined ? [] : misses("document_id", document_id, one.data.id)),
      ...(status === undefined ? [] : misses("status", status, one.data.status)),
      ...(name === undefined ? [] : misses("name", name, one.data.name)),
      ...(recipient === undefined ? [] : misses("recipient", recipient, one.data.action_by?.email)),
      ...(signature === undefined ? [] : misses("signature", signature, one.signature)),
      ...(duplicate === undefined ? [] : misses("duplicate", duplicate, one.duplicate)),
      ...(data === undefined ? [] : misses("data", data, one.data)),
    ],
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
