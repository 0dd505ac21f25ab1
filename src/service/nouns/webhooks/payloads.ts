/** What the service sends to webhooks about a document. */
import {
  always,
  byType,
  flag,
  free,
  list,
  maybe,
  micros,
  number,
  oneOf,
  optional,
  text,
  texts,
  view,
  whole,
} from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import { BROKEN, failureView } from "../content/file-content.ts";
import type { FieldRow } from "../content/row.ts";
import { historyOf } from "../documents/history.ts";
import type { DocumentRow } from "../documents/row.ts";
import { eventLinkView, linksOf } from "../documents/row.ts";
import type { DocumentEvent } from "../documents/status-machine.ts";
import { STATUSES, isBeforeViewed } from "../documents/status-machine.ts";
import { FIELD_HEAD, FIELD_TAIL, assigneeKind, currencyOf, sharedLink, toAssignee } from "../documents/view.ts";
import { personOf, personView } from "../members/members.ts";
import type { GroupMember, RecipientRow } from "../people/inputs.ts";
import { currentSigners, findParticipant, participantOf } from "../people/participants.ts";
import type { Participant } from "../people/recipients.ts";
import { money } from "../pricing/money.ts";
import type { PricingItem } from "../pricing/row.ts";
import { grandTotal, itemTotals, pricingKind, toPricing } from "../pricing/tables.ts";
import type { PayloadKind } from "./row.ts";

/** The event, and what the subscription asks for. */
interface Occasion {
  world: World;
  event: DocumentEvent;
  kinds: readonly PayloadKind[];
}

type Addressee = RecipientRow & { link: string };

const recipientMembers = {
  id: text,
  first_name: text,
  last_name: text,
  email: maybe(text),
  phone: [text, ({ phone }: Addressee) => phone ?? ""],
  recipient_type: oneOf(["signer", "CC", "approver"]),
  has_completed: flag,
  role: [text, () => ""],
  roles: list(text),
  signing_order: maybe(whole),
  contact_id: text,
  shared_link: [text, ({ link }: Addressee) => link],
} as const;

const recipient = view<Addressee>()({ type: always("recipient"), ...recipientMembers });

const member = view<GroupMember>()({ id: text, email: maybe(text), first_name: text, last_name: text });

const recipientGroup = view<Addressee>()({
  type: always("recipient_group"),
  ...recipientMembers,
  name: [text, ({ name }) => name ?? ""],
  members: list(member),
});

const discount = view<PricingItem["discount"]>()({
  type: [text, (one) => one?.type ?? "percent"],
  value: [text, (one) => one?.value ?? "0"],
});

const product = view<PricingItem & { currency: string }>()({
  sku: text,
  name: text,
  description: text,
  price: text,
  qty: [number, ({ qty }) => Number(qty)],
  subtotal: [text, (item) => money(itemTotals(item).subtotal, item.currency)],
  discount,
  custom_fields: free,
  custom_columns: free,
});

const field = view<FieldRow & { document: DocumentRow }>()({
  ...FIELD_HEAD,
  // assumed: webhook.field_assignee.
  assignee: [text, ({ document, recipient_id }) => document.recipients.find((one) => one.id === recipient_id)?.email ?? ""],
  assigned_to: [assigneeKind, ({ document, recipient_id }) => toAssignee(document, recipient_id)],
  field_id: text,
  merge_field: optional(maybe(text)),
  type: FIELD_TAIL.type,
});

const total = view<{ amount: string; currency: string }>()({ amount: text, currency: text });
const template = view<NonNullable<DocumentRow["template"]>>()({ id: text, name: text });
const token = view<DocumentRow["tokens"][number]>()({ name: text, value: text });
const actor = view<Pick<GroupMember, "id" | "first_name" | "last_name"> & { email: string }>()({
  id: text,
  email: text,
  first_name: text,
  last_name: text,
});
const section = view<{ uuid: string; name: string }>()({ uuid: text, name: text });

/** `data` of a document's event. A subscription asks for `metadata`, `tokens`, `fields`, `products` and `pricing`. */
export const documentEvent = view<DocumentRow, Occasion>()({
  id: text,
  name: text,
  date_created: micros,
  date_modified: micros,
  date_completed: maybe(micros),
  expiration_date: maybe(micros),
  autonumbering_sequence_name: [maybe(text), () => null],
  created_by: [personView, (row, { world }) => personOf(world, row.created_by)],
  sent_by: [maybe(personView), (row, { world }) => (row.sent_by === null ? null : personOf(world, row.sent_by))],
  tags: list(text),
  status: oneOf([...STATUSES, "document.deleted"]),
  recipients: [list(byType({ recipient, recipient_group: recipientGroup })), addresseesOf],
  grand_total: [total, (row, { world }) => totalOf(world, row)],
  template: maybe(template),
  version: [text, ({ version }) => version ?? "2"],
  linked_objects: [list(eventLinkView), ({ id }, { world }) => linksOf(world, id)],
  metadata: [optional(texts), ({ metadata }, { kinds }) => (kinds.includes("metadata") ? metadata : undefined)],
  tokens: [optional(list(token)), ({ tokens }, { kinds }) => (kinds.includes("tokens") ? tokens : undefined)],
  fields: [
    optional(list(field)),
    (document, { kinds }) => (kinds.includes("fields") ? document.fields.map((one) => ({ ...one, document })) : undefined),
  ],
  products: [optional(list(product)), (row, { kinds }) => (kinds.includes("products") ? productsOf(row) : undefined)],
  pricing: [
    optional(pricingKind),
    // assumed: webhook.quote_event.
    (row, { world, event, kinds }) =>
      kinds.includes("pricing") || event === "quote_updated" ? toPricing(row, currencyOf(world, row)) : undefined,
  ],
  // assumed: webhook.action_by.
  action_by: [optional(actor), (row, on) => actionOf(row, on)?.by],
  action_date: [optional(micros), (row, on) => actionOf(row, on)?.at],
  // assumed: webhook.error_member.
  error: [
    optional(failureView),
    ({ internal }, { event }) => (event === "document_creation_failed" ? (internal.failure ?? NO_FAILURE) : undefined),
  ],
  // assumed: webhook.section_member.
  section: [
    optional(section),
    ({ id }, { world, event }) => (event === "document_section_added" ? newestSection(world, id) : undefined),
  ],
});

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

function actionOf(document: DocumentRow, { world, event }: Occasion) {
  const participant = event === "recipient_completed" ? latestSigner(world, document) : undefined;
  if (!participant) return undefined;
  const who = participant.member ?? participant.recipient;
  return { by: { ...who, email: who.email ?? "" }, at: who.signature_date ?? world.clock.now() };
}

/** Source: recorded deliveries and the official example write a zero total as `0.00`, and others without trailing zeros. */
function totalOf(world: World, document: DocumentRow) {
  const shown = grandTotal(document, currencyOf(world, document), world.reading("details.grand_total"));
  return world.reading("webhook.zero_total") === "cents" && shown.amount === "0" ? { ...shown, amount: "0.00" } : shown;
}

/** Source: recorded deliveries of drafts and sent documents have an empty link. assumed: webhook.shared_link. */
function addresseesOf(document: DocumentRow, { world }: Occasion): Addressee[] {
  const isEmpty = world.reading("webhook.shared_link") === "empty" && isBeforeViewed(document.status);
  return document.recipients.map((one) => ({ ...one, link: isEmpty ? "" : sharedLink(world, one.internal.link_token) }));
}

function productsOf({ pricing_tables }: DocumentRow) {
  return pricing_tables.flatMap(({ items, currency }) => items.map((item) => ({ ...item, currency })));
}
