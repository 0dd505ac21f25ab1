import { forbidden, invalid, notFound } from "../../../engine/core/errors.ts";
import { byCreation } from "../../../engine/core/lists.ts";
import type { Subscriber } from "../../../engine/jobs/outbox.ts";
import type { DeliveryRow } from "../../../engine/jobs/rows.ts";
import { PRIVATE_HOST } from "../../kit/inputs.ts";
import { flag, list, maybe, oneOf, text, view } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import type { DocumentRow } from "../documents/row.ts";
import type { DocumentEvent, EventName } from "../documents/status-machine.ts";
import { EVENTS } from "../documents/status-machine.ts";
import type { PayloadKind, SubscriptionRow } from "./row.ts";
import { PAYLOAD_KINDS } from "./row.ts";
import { documentEvent } from "./payloads.ts";
import type { SubscriptionInput, SubscriptionPatch } from "./operations.ts";

/** spec: Limits, Webhook subscriptions. */
export const SUBSCRIPTIONS_MAX = 300;
const WEEK_MS = 7 * 24 * 3_600_000;

export function subscribe(world: World, input: SubscriptionInput): SubscriptionRow {
  const existing = listSubscriptions(world);
  if (existing.length >= SUBSCRIPTIONS_MAX) throw forbidden(`the workspace has ${SUBSCRIPTIONS_MAX} subscriptions already`);
  checkUrl(world, input.url);
  return world.store.subscriptions.put({
    id: world.ids.uuid(),
    name: input.name,
    url: input.url,
    active: input.active,
    deactivated: false,
    payload: withoutDuplicates(input.payload ?? null),
    triggers: withoutDuplicates(input.triggers),
    workspace_id: world.caller.workspace_id,
    shared_key: world.ids.short(),
    old_key: null,
    date_created: world.clock.now(),
    internal: { failing_since: null },
  });
}

/** assumed: webhook.repeated_triggers. */
function withoutDuplicates<T>(list: T[] | null): T[] | null {
  return list && [...new Set(list)];
}

export function listSubscriptions(world: World): SubscriptionRow[] {
  return world.store.subscriptions
    .all()
    .filter((row) => row.workspace_id === world.caller.workspace_id)
    .sort(byCreation);
}

export function requireSubscription(world: World, id: string): SubscriptionRow {
  const row = world.store.subscriptions.get(id);
  if (!row || row.workspace_id !== world.caller.workspace_id) throw notFound(`no webhook subscription ${id}`);
  return row;
}

export function changeSubscription(world: World, id: string, input: SubscriptionPatch): SubscriptionRow {
  const row = requireSubscription(world, id);
  if (input.url !== undefined) checkUrl(world, input.url);
  return world.store.subscriptions.put({
    ...row,
    name: input.name ?? row.name,
    url: input.url ?? row.url,
    active: input.active ?? row.active,
    // assumed: webhook.reactivation.
    deactivated: input.active === true ? false : row.deactivated,
    payload: input.payload === undefined ? row.payload : withoutDuplicates(input.payload),
    triggers: input.triggers === undefined ? row.triggers : withoutDuplicates(input.triggers),
    internal: input.active === true ? { failing_since: null } : row.internal,
  });
}

export function unsubscribe(world: World, id: string): void {
  world.store.subscriptions.delete(requireSubscription(world, id).id);
}

export function changeSharedKey(world: World, id: string): SubscriptionRow {
  const row = requireSubscription(world, id);
  return world.store.subscriptions.put({ ...row, old_key: row.shared_key, shared_key: world.ids.short() });
}

export const subscriptionView = view<SubscriptionRow>()({
  uuid: [text, (row) => row.id],
  name: text,
  url: text,
  // assumed: webhook.deactivated_active.
  active: [flag, (row) => row.active && !row.deactivated],
  // Source: every official example shows a list. assumed: webhook.empty_payload.
  payload: [list(oneOf(PAYLOAD_KINDS)), (row) => row.payload ?? []],
  triggers: maybe(list(oneOf(EVENTS))),
  workspace_id: text,
  shared_key: text,
  status: [oneOf(["ACTIVE", "INACTIVE", "DEACTIVATED"]), statusOf],
});

function statusOf(row: SubscriptionRow) {
  if (row.deactivated) return "DEACTIVATED";
  return row.active ? "ACTIVE" : "INACTIVE";
}

/** spec: only HTTPS is supported. Private hosts may use http, so that tests can listen; `webhook.https_only` refuses them. */
function checkUrl(world: World, url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "https:") return;
  const isPrivate = parsed?.protocol === "http:" && PRIVATE_HOST.test(parsed.hostname);
  if (isPrivate && world.decide("webhook.https_only") === "off") return;
  throw invalid({ url: ["Enter a valid URL."] }, "use https; http works only on this machine or in a private network");
}

/** Each attempt asks anew, so a retry has the present address and key. assumed: webhook.retry_key. */
export function subscriberOf(world: World, id: string): Subscriber | undefined {
  const row = world.store.subscriptions.get(id);
  return row && { url: row.url, key: row.shared_key, oldKey: row.old_key, accepts: row.active && !row.deactivated };
}

/** spec: 410 deactivates the subscription at once. A week of failures does too. */
export function recordAttempt(world: World, delivery: DeliveryRow): void {
  const row = world.store.subscriptions.get(delivery.subscriber);
  const attempt = delivery.attempts.at(-1);
  if (!row || !attempt) return;
  const failed = attempt.status === null || attempt.status >= 400;
  const failing_since = failed ? (row.internal.failing_since ?? attempt.at) : null;
  const isOver = attempt.status === 410 || (failing_since !== null && world.clock.now() - failing_since >= WEEK_MS);
  if (!isOver && failing_since === row.internal.failing_since) return;
  world.store.subscriptions.put({ ...row, deactivated: row.deactivated || isOver, internal: { failing_since } });
}

export function emit(world: World, event: DocumentEvent, document: DocumentRow): void {
  world.emitHappening({ name: event, subject: document.id });
  emitData(world, event, document, (kinds) => documentEvent.of(document, { world, event, kinds }));
}

export function subscribersTo(world: World, event: EventName, workspace_id: string): SubscriptionRow[] {
  return world.store.subscriptions
    .all()
    .filter(
      (row) => row.active && !row.deactivated && row.triggers?.includes(event) === true && row.workspace_id === workspace_id,
    );
}

/** Sends an event to its subscribers. `data` shows what the subject is now, so it is asked only if somebody subscribes. */
export function emitData(
  world: World,
  event: EventName,
  subject: { id: string; status: string; workspace_id: string },
  data: (kinds: readonly PayloadKind[]) => unknown,
  subscribers: readonly SubscriptionRow[] = subscribersTo(world, event, subject.workspace_id),
): DeliveryRow[] {
  const bodies = new Map<string, string>();
  return subscribers.map((row) => {
    const kinds = kindsOf(row);
    const key = kinds.join();
    const body = bodies.get(key) ?? JSON.stringify([{ event, data: data(kinds) }]);
    bodies.set(key, body);
    return enqueue(world, row, event, subject, body);
  });
}

export function kindsOf({ payload }: SubscriptionRow): PayloadKind[] {
  return [...(payload ?? [])].sort();
}

export function enqueue(
  world: World,
  { id, name, url }: SubscriptionRow,
  event: EventName,
  subject: { id: string; status: string | null },
  body: string,
): DeliveryRow {
  return world.outbox.enqueue({
    id: world.ids.uuid(),
    event,
    event_id: world.ids.uuid(),
    subject: subject.id,
    status: subject.status,
    subscriber: id,
    subscriber_name: name,
    url,
    body,
  });
}
