import { iso, isoOrNull } from "../../../engine/core/clock.ts";
import { forbidden, invalid, notFound } from "../../../engine/core/errors.ts";
import { byCreation } from "../../../engine/core/lists.ts";
import type { Subscriber } from "../../../engine/jobs/outbox.ts";
import type { DeliveryRow } from "../../../engine/jobs/rows.ts";
import { PRIVATE_HOST } from "../../kit/inputs.ts";
import type { World } from "../../kit/world.ts";
import { BROKEN } from "../content/file-content.ts";
import { historyOf } from "../documents/history.ts";
import type { DocumentRow } from "../documents/row.ts";
import { linksOf, toEventLink } from "../documents/row.ts";
import type { DocumentEvent, EventName } from "../documents/status-machine.ts";
import { isBeforeViewed } from "../documents/status-machine.ts";
import { currencyOf, sharedLink, toAssignee, toFieldValue } from "../documents/view.ts";
import { toPerson } from "../members/members.ts";
import type { RecipientRow } from "../people/inputs.ts";
import type { Participant } from "../people/recipients.ts";
import { currentSigners, findParticipant, participantOf } from "../people/participants.ts";
import { money } from "../pricing/money.ts";
import { grandTotal, itemTotals, toPricing } from "../pricing/tables.ts";
import type { PayloadKind, SubscriptionRow } from "./history.ts";
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

export function toSubscription(row: SubscriptionRow) {
  return {
    uuid: row.id,
    name: row.name,
    url: row.url,
    // assumed: webhook.deactivated_active.
    active: row.active && !row.deactivated,
    // Source: every official example shows a list. assumed: webhook.empty_payload.
    payload: row.payload ?? [],
    triggers: row.triggers,
    workspace_id: row.workspace_id,
    shared_key: row.shared_key,
    status: row.deactivated ? ("DEACTIVATED" as const) : row.active ? ("ACTIVE" as const) : ("INACTIVE" as const),
  };
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
  emitData(world, event, document, (kinds) => toEventData(world, event, document, kinds));
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

export function toEventData(world: World, event: DocumentEvent, document: DocumentRow, kinds: readonly PayloadKind[]) {
  const currency = currencyOf(world, document);
  const has = (kind: PayloadKind) => kinds.includes(kind);
  return {
    id: document.id,
    name: document.name,
    date_created: iso(document.date_created),
    date_modified: iso(document.date_modified),
    date_completed: isoOrNull(document.date_completed),
    expiration_date: isoOrNull(document.expiration_date),
    autonumbering_sequence_name: null,
    created_by: toPerson(world, document.created_by),
    sent_by: document.sent_by ? toPerson(world, document.sent_by) : null,
    tags: document.tags,
    status: document.status,
    recipients: document.recipients.map((recipient) => toEventRecipient(world, document, recipient)),
    grand_total: toEventTotal(world, grandTotal(document, currency, world.reading("details.grand_total"))),
    template: document.template,
    version: document.version ?? "2",
    linked_objects: linksOf(world, document.id).map(toEventLink),
    metadata: has("metadata") ? document.metadata : undefined,
    tokens: has("tokens") ? document.tokens : undefined,
    fields: has("fields") ? document.fields.map((field) => toEventField(document, field)) : undefined,
    products: has("products") ? toProducts(document) : undefined,
    // assumed: webhook.quote_event.
    pricing: has("pricing") || event === "quote_updated" ? toPricing(document, currency) : undefined,
    ...(event === "recipient_completed" && toAction(world, document)),
    // assumed: webhook.error_member.
    error: event === "document_creation_failed" ? (document.internal.failure ?? NO_FAILURE) : undefined,
    // assumed: webhook.section_member.
    section: event === "document_section_added" ? newestSection(world, document.id) : undefined,
  };
}

const NO_FAILURE = { type: "processing", detail: BROKEN };

export function newestSection(world: World, documentId: string): { uuid: string; name: string } | undefined {
  const section = world.store.sections.where("document", documentId).findLast((one) => !one.deleted);
  return section && { uuid: section.id, name: section.name };
}

/** Who completed a part last. Before that, whose turn it is. */
function latestSigner(world: World, document: DocumentRow): Participant | undefined {
  const signed = historyOf(world, document.id).flatMap(({ event }) =>
    event.kind === "act" && event.act === "sign" && event.who ? (findParticipant(document, event.who.id) ?? []) : [],
  );
  const latest = signed.findLast(({ recipient, member }) => (member ?? recipient).signature_date != null);
  const [next] = currentSigners(document);
  return latest ?? (next && participantOf(next));
}

/** assumed: webhook.action_by. */
function toAction(world: World, document: DocumentRow) {
  const participant = latestSigner(world, document);
  if (!participant) return {};
  const { recipient, member } = participant;
  const { id, email, first_name, last_name } = member ?? recipient;
  return {
    action_by: { id, email: email ?? "", first_name, last_name },
    action_date: iso((member ?? recipient).signature_date ?? world.clock.now()),
  };
}

/** Source: recorded deliveries and the official example write a zero total as `0.00`, and others without trailing zeros. */
function toEventTotal(world: World, total: { amount: string; currency: string }) {
  const hasCents = world.reading("webhook.zero_total") === "cents";
  return hasCents && total.amount === "0" ? { ...total, amount: "0.00" } : total;
}

function hasEmptyLink(world: World, document: DocumentRow): boolean {
  return world.reading("webhook.shared_link") === "empty" && isBeforeViewed(document.status);
}

function toEventRecipient(world: World, document: DocumentRow, recipient: RecipientRow) {
  return {
    type: recipient.type,
    id: recipient.id,
    first_name: recipient.first_name,
    last_name: recipient.last_name,
    email: recipient.email,
    phone: recipient.phone ?? "",
    recipient_type: recipient.recipient_type,
    has_completed: recipient.has_completed,
    role: "",
    roles: recipient.roles,
    signing_order: recipient.signing_order,
    contact_id: recipient.contact_id,
    // Source: recorded deliveries of drafts and sent documents have an empty link. assumed: webhook.shared_link.
    shared_link: hasEmptyLink(world, document) ? "" : sharedLink(world, recipient.internal.link_token),
    ...(recipient.type === "recipient_group" && {
      name: recipient.name,
      members: recipient.members.map(({ id, email, first_name, last_name }) => ({ id, email, first_name, last_name })),
    }),
  };
}

/** assumed: webhook.field_assignee. */
function toEventField(document: DocumentRow, field: DocumentRow["fields"][number]) {
  const recipient = document.recipients.find((one) => one.id === field.recipient_id);
  return {
    uuid: field.uuid,
    name: field.name,
    title: field.title,
    placeholder: field.placeholder,
    value: toFieldValue(field),
    assignee: recipient?.email ?? "",
    assigned_to: toAssignee(document, field.recipient_id),
    field_id: field.field_id,
    merge_field: field.merge_field,
    type: field.type,
  };
}

function toProducts(document: DocumentRow) {
  return document.pricing_tables.flatMap((table) =>
    table.items.map((item) => ({
      sku: item.sku,
      name: item.name,
      description: item.description,
      price: item.price,
      qty: Number(item.qty),
      subtotal: money(itemTotals(item).subtotal, table.currency),
      discount: { type: item.discount?.type ?? "percent", value: item.discount?.value ?? "0" },
      custom_fields: item.custom_fields,
      custom_columns: item.custom_columns,
    })),
  );
}
