import * as z from "zod";
import { iso, isoOrNull } from "../../../engine/core/clock.ts";
import type { View } from "../../../engine/core/kept-views.ts";
import { KeptViews } from "../../../engine/core/kept-views.ts";
import type { Reading } from "../../assumptions/switches.ts";
import { as, flag, maybe, oneOf, optional, text, view } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import type { FieldRow } from "../content/row.ts";
import { FIELD_TYPES, isMarkField } from "../content/row.ts";
import { personOf, userView } from "../members/members.ts";
import type { RecipientRow } from "../people/inputs.ts";
import { grandTotal, hasOtherCurrency, toPricing } from "../pricing/tables.ts";
import { toApproval } from "./approvals.ts";
import { assignee } from "./answers.ts";
import type { DocumentRow } from "./row.ts";
import { linkView, linksOf } from "./row.ts";
import type { DocumentStatus } from "./status-machine.ts";
import { ALLOWED_IN } from "./status-machine.ts";

/** spec: when the disclosure is disabled, the other members are null. */
export function disclosureOf(world: World, document: DocumentRow) {
  const disclosure = world.store.workspaces.get(document.workspace_id)?.settings.esign_disclosure;
  return disclosure
    ? { is_enabled: true, company_name: disclosure.company_name, esign_disclosure_text: disclosure.esign_disclosure_text }
    : { is_enabled: false, company_name: null, esign_disclosure_text: null };
}

export function toListItem(document: DocumentRow) {
  return {
    id: document.id,
    name: document.name,
    status: document.status,
    date_created: iso(document.date_created),
    date_modified: iso(document.date_modified),
    date_completed: isoOrNull(document.date_completed),
    expiration_date: isoOrNull(document.expiration_date),
    version: document.version,
  };
}

function toDatedItem(document: DocumentRow) {
  return { ...toListItem(document), date_sent: isoOrNull(document.date_sent) };
}

/** By the reading of `list.date_sent`. */
const LIST_ITEMS = { present: new KeptViews(toDatedItem), absent: new KeptViews(toListItem) };

type DateSent = keyof typeof LIST_ITEMS;
type ListView = View<{ results: (ReturnType<typeof toListItem> & { date_sent?: string | null })[] }>;

/** Clients poll lists. Equal answers in a row share one text, also in the journal. */
let latestList: { documents: readonly DocumentRow[]; dateSent: DateSent; view: ListView } | undefined;

/** assumed: list.date_sent. */
export function listView(documents: readonly DocumentRow[], dateSent: DateSent): ListView {
  if (latestList?.dateSent === dateSent && hasSameRows(latestList.documents, documents)) return latestList.view;
  const items = documents.map((document) => LIST_ITEMS[dateSent].of(document));
  const view = {
    body: { results: items.map(({ body }) => body) },
    json: `{"results":[${items.map(({ json }) => json).join(",")}]}`,
  };
  latestList = { documents, dateSent, view };
  return view;
}

/** A change replaces a row, so the same rows have the same content. */
function hasSameRows(one: readonly DocumentRow[], other: readonly DocumentRow[]): boolean {
  return one.length === other.length && one.every((row, i) => row === other[i]);
}

function toStatus(document: DocumentRow) {
  return { ...toListItem(document), uuid: document.id };
}

const statuses = new KeptViews(toStatus);

export function statusView(document: DocumentRow): View<ReturnType<typeof toStatus>> {
  return statuses.of(document);
}

export function toCreated(world: World, document: DocumentRow, info_message: string) {
  return {
    id: document.id,
    name: document.name,
    status: document.status,
    date_created: iso(document.date_created),
    date_modified: iso(document.date_modified),
    expiration_date: isoOrNull(document.expiration_date),
    version: document.version,
    uuid: document.id,
    links: [{ rel: "status", href: `${world.settings.publicUrl}/public/v1/documents/${document.id}`, type: "GET" }],
    info_message,
  };
}

export function toReverted(document: DocumentRow) {
  const { date_completed: _, ...reverted } = toListItem(document);
  return { ...reverted, version: document.version ?? "2" };
}

type Addressed = { readonly settings: Pick<World["settings"], "publicUrl"> };

export function sharedLink(world: Addressed, token: string): string {
  return `${world.settings.publicUrl}/document/${token}`;
}

/** assumed: send.recipient_id. */
function toSentId(world: World, { id }: RecipientRow): string | number {
  return world.decide("send.recipient_id") === "integer" ? integerOf(id) : id;
}

/** FNV-1a as a positive integer of 31 bits. */
function integerOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 1) + 1;
}

export function toSent(world: World, document: DocumentRow) {
  return {
    ...toListItem(document),
    version: document.version ?? "2",
    uuid: document.id,
    recipients: document.recipients.map((recipient) => ({
      id: toSentId(world, recipient),
      first_name: recipient.first_name,
      last_name: recipient.last_name,
      recipient_type: recipient.recipient_type,
      email: recipient.email,
      phone: recipient.phone,
      delivery_methods: recipient.delivery_methods,
      signing_order: recipient.signing_order,
      shared_link: sharedLink(world, recipient.internal.link_token),
      type: recipient.type,
    })),
  };
}

export function toRecipient(world: Addressed, recipient: RecipientRow) {
  return recipient.type === "recipient_group" ? toGroup(world, recipient) : toPersonalRecipient(world, recipient);
}

function toGroup(world: Addressed, recipient: RecipientRow) {
  return {
    id: recipient.id,
    recipient_type: recipient.recipient_type,
    has_completed: recipient.has_completed,
    role: recipient.role,
    roles: recipient.roles,
    signing_order: recipient.signing_order,
    name: recipient.name ?? "",
    type: "recipient_group" as const,
    members: recipient.members.map((member) => ({
      id: member.id,
      email: member.email,
      first_name: member.first_name,
      last_name: member.last_name,
      shared_link: sharedLink(world, member.link_token),
      avatar: null,
      signature_date: isoOrNull(member.signature_date),
    })),
  };
}

function toPersonalRecipient(world: Addressed, recipient: RecipientRow) {
  return {
    id: recipient.id,
    recipient_type: recipient.recipient_type,
    has_completed: recipient.has_completed,
    role: recipient.role,
    roles: recipient.roles,
    signing_order: recipient.signing_order,
    first_name: recipient.first_name,
    last_name: recipient.last_name,
    email: recipient.email,
    phone: recipient.phone ?? "",
    delivery_methods: recipient.delivery_methods,
    redirect: recipient.redirect,
    contact_id: recipient.contact_id,
    shared_link: sharedLink(world, recipient.internal.link_token),
    signature_date: isoOrNull(recipient.signature_date),
    verification_settings: recipient.verification_settings,
    avatar: recipient.avatar,
    type: "recipient" as const,
  };
}

/** Source: without a recipient the official examples show empty texts and empty objects. */
export function toAssignee(document: Pick<DocumentRow, "recipients">, recipientId: string | null) {
  const recipient = document.recipients.find((one) => one.id === recipientId);
  if (recipient?.type === "recipient_group") {
    return {
      id: recipient.id,
      name: recipient.name ?? "",
      recipient_type: recipient.recipient_type,
      has_completed: recipient.has_completed,
      roles: recipient.roles,
      signing_order: recipient.signing_order,
      members: recipient.members.map(({ id, email, first_name, last_name }) => ({ id, email, first_name, last_name })),
      type: "recipient_group" as const,
    };
  }
  return {
    id: recipient?.id ?? "",
    first_name: recipient?.first_name ?? "",
    last_name: recipient?.last_name ?? "",
    email: recipient?.email ?? "",
    phone: recipient?.phone ?? "",
    recipient_type: recipient?.recipient_type ?? "",
    has_completed: recipient?.has_completed ?? false,
    role: recipient?.role ?? "",
    roles: recipient?.roles ?? [],
    signing_order: recipient?.signing_order ?? null,
    delivery_methods: recipient?.delivery_methods ?? {},
    redirect: recipient?.redirect ?? {},
    type: "recipient" as const,
  };
}

export const MERGE_TYPES: readonly string[] = ["checkbox", "date", "dropdown", "radio_buttons", "text"];

export function toFieldValue(field: FieldRow): string | boolean | Record<string, unknown> | null {
  if (isMarkField(field)) return {};
  if (field.type === "payment_details") return "";
  if (field.type === "checkbox") return field.value === true;
  if (field.type === "collect_file") return typeof field.value === "object" && field.value !== null ? field.value : {};
  if (field.value === null) return field.type === "date" ? null : "";
  return typeof field.value === "number" ? String(field.value) : field.value;
}

export function isFilled(field: FieldRow): boolean {
  if (field.type === "checkbox") return field.value === true;
  return field.value !== null && field.value !== "" && field.value !== false;
}

type FieldValue = ReturnType<typeof toFieldValue>;

const fieldValue = as<FieldValue>(() => z.union([z.string(), z.boolean(), z.record(z.string(), z.unknown()), z.null()]));

/** How every answer begins a field, and how it ends one. Between them stands who fills it. */
export const FIELD_HEAD = { uuid: text, name: text, title: text, placeholder: text, value: [fieldValue, toFieldValue] } as const;
export const FIELD_TAIL = {
  field_id: text,
  type: oneOf(FIELD_TYPES),
  merge_field: [
    optional(maybe(text)),
    ({ type, merge_field }: FieldRow) => (MERGE_TYPES.includes(type) ? merge_field : undefined),
  ],
  is_filled: [flag, isFilled],
} as const;

type Assignee = ReturnType<typeof toAssignee>;

export const assigneeKind = as(assignee as unknown as () => z.ZodType<Assignee, Assignee>);

export const fieldView = view<FieldRow, Pick<DocumentRow, "recipients">>()({
  ...FIELD_HEAD,
  assigned_to: [assigneeKind, (field, document) => toAssignee(document, field.recipient_id)],
  ...FIELD_TAIL,
});

/** `row`: a document or template. Its workspace counts, and not that of the caller. */
export function currencyOf(world: World, row: { workspace_id: string }): string {
  return world.store.workspaces.get(row.workspace_id)?.settings.currency ?? "USD";
}

export function toLock(world: World, document: DocumentRow) {
  const { lock } = document.internal;
  if (!lock || lock.expires_at <= world.clock.now()) return null;
  return { locked_by_user_id: lock.locked_by_user_id, lock_type: lock.lock_type, expires_at: iso(lock.expires_at) };
}

/** Only in documents of another currency does the assumption decide more than docdouble's own choice. */
function grandTotalReading(world: World, document: DocumentRow): Reading<"details.grand_total"> {
  const isOther = hasOtherCurrency(document, currencyOf(world, document));
  return isOther ? world.decide("details.grand_total") : world.reading("details.grand_total");
}

function toSurroundings(world: World, document: DocumentRow) {
  return {
    settings: { publicUrl: world.settings.publicUrl },
    currency: currencyOf(world, document),
    grand_total: grandTotalReading(world, document),
    created_by: personOf(world, document.created_by),
    sent_by: document.sent_by ? userView.of(personOf(world, document.sent_by)) : null,
    linked_objects: linksOf(world, document.id).map(linkView.of),
    approval_execution: toApproval(world, document),
    lock: toLock(world, document),
    // assumed: details.role_of_uploads.
    hides_roles: document.template === null && world.reading("details.role_of_uploads") === "empty",
  };
}

function toDetails(document: DocumentRow, surroundings: ReturnType<typeof toSurroundings>) {
  const { currency, grand_total, created_by, sent_by, linked_objects, approval_execution, lock, hides_roles } = surroundings;
  const recipients = hides_roles ? document.recipients.map((one) => ({ ...one, role: "" })) : document.recipients;
  const { settings } = document.internal;
  return {
    id: document.id,
    name: document.name,
    autonumbering_sequence_name_prefix: null,
    folder_uuid: document.folder_uuid,
    date_created: iso(document.date_created),
    date_modified: iso(document.date_modified),
    date_completed: isoOrNull(document.date_completed),
    content_date_modified: iso(document.content_date_modified),
    date_sent: isoOrNull(document.date_sent),
    ref_number: document.ref_number,
    created_by,
    template: document.template,
    expiration_date: isoOrNull(document.expiration_date),
    metadata: document.metadata,
    tokens: document.tokens,
    fields: document.fields.map((field) => fieldView.of(field, { recipients })),
    pricing: toPricing(document, currency),
    tables: document.tables.map(({ name }) => ({ name })),
    images: document.images.map(({ name }) => ({ name })),
    texts: document.texts.map(({ name }) => ({ name })),
    tags: document.tags,
    sent_by,
    recipients: recipients.map((recipient) => toRecipient(surroundings, recipient)),
    grand_total: grandTotal(document, currency, grand_total),
    linked_objects,
    status: document.status,
    approval_execution,
    version: document.version ?? "2",
    lock,
    qes_status: settings.qualified_electronic_signature ? qesStatus(document) : null,
  };
}

/** spec: Document details, qes_status appears on completed documents. assumed: details.qes_status. */
function qesStatus({ status, recipients }: DocumentRow): "pending" | "in_progress" | "completed" | null {
  if (SIGNED.includes(status)) return "completed";
  if (!ALLOWED_IN.sign.includes(status)) return null;
  const hasSigned = recipients.some((one) => one.recipient_type === "signer" && one.has_completed);
  return hasSigned ? "in_progress" : "pending";
}

const SIGNED: readonly DocumentStatus[] = ["document.waiting_pay", "document.paid", "document.completed"];

const details = new KeptViews(toDetails);

export function detailsView(world: World, document: DocumentRow): View<ReturnType<typeof toDetails>> {
  const surroundings = toSurroundings(world, document);
  return details.of(document, surroundings, JSON.stringify(surroundings));
}
