import * as z from "zod";
import type { Schema } from "../../../engine/core/operation.ts";
import { lazy } from "../../../engine/core/operation.ts";
import { assignee, dateTime, fieldMembers, person } from "../documents/answers.ts";
import type { EventName } from "../documents/status-machine.ts";
import { EVENTS, STATUSES } from "../documents/status-machine.ts";
import { pricing } from "../pricing/tables.ts";

/** What the service sends to webhooks: one list of events per delivery. */

const recipientMembers = () => ({
  id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string(),
  recipient_type: z.enum(["signer", "CC", "approver"]),
  has_completed: z.boolean(),
  role: z.string(),
  roles: z.array(z.string()),
  signing_order: z.number().int().nullable(),
  contact_id: z.string(),
  shared_link: z.string(),
});

const eventRecipient = lazy(() =>
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("recipient"), ...recipientMembers() }),
    z.strictObject({
      type: z.literal("recipient_group"),
      ...recipientMembers(),
      name: z.string(),
      members: z.array(
        z.strictObject({ id: z.string(), email: z.string().nullable(), first_name: z.string(), last_name: z.string() }),
      ),
    }),
  ]),
);

const product = () =>
  z.strictObject({
    sku: z.string(),
    name: z.string(),
    description: z.string(),
    price: z.string(),
    qty: z.number(),
    subtotal: z.string(),
    discount: z.strictObject({ type: z.string(), value: z.string() }),
    custom_fields: z.record(z.string(), z.unknown()),
    custom_columns: z.record(z.string(), z.unknown()),
  });

const failure = () => z.strictObject({ type: z.string(), detail: z.string() });

/** A subscription asks for `metadata`, `tokens`, `fields`, `products` and `pricing`. */
const documentData = lazy(() => {
  const { is_filled: _, ...fields } = fieldMembers();
  return z.strictObject({
    id: z.string(),
    name: z.string(),
    date_created: dateTime(),
    date_modified: dateTime(),
    date_completed: dateTime().nullable(),
    expiration_date: dateTime().nullable(),
    autonumbering_sequence_name: z.string().nullable(),
    created_by: person(),
    sent_by: person().nullable(),
    tags: z.array(z.string()),
    status: z.enum([...STATUSES, "document.deleted"]),
    recipients: z.array(eventRecipient()),
    grand_total: z.strictObject({ amount: z.string(), currency: z.string() }),
    template: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
    version: z.string(),
    linked_objects: z.array(
      z.strictObject({ id: z.string(), provider: z.string(), entity_type: z.string(), entity_id: z.string() }),
    ),
    metadata: z.record(z.string(), z.string()).optional(),
    tokens: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
    fields: z.array(z.strictObject({ ...fields, assignee: z.string(), assigned_to: assignee() })).optional(),
    products: z.array(product()).optional(),
    pricing: pricing().optional(),
    action_by: z.strictObject({ id: z.string(), email: z.string(), first_name: z.string(), last_name: z.string() }).optional(),
    action_date: dateTime().optional(),
    error: failure().optional(),
    section: z.strictObject({ uuid: z.string(), name: z.string() }).optional(),
  });
});

const storedMembers = () => ({
  id: z.string(),
  name: z.string(),
  date_created: dateTime(),
  date_modified: dateTime(),
  created_by: person(),
  metadata: z.record(z.string(), z.string()),
  tags: z.array(z.string()),
  version: z.string(),
});

const templateData = lazy(() => z.strictObject(storedMembers()));

const itemData = lazy(() => z.strictObject({ ...storedMembers(), status: z.string(), error: failure().optional() }));

export interface EventPayload {
  /** What the event is about: a name for the schema of its data. */
  about: "Document" | "Template" | "ContentLibraryItem";
  /** When the service sends it. */
  does: string;
  data: Schema;
}

const SENT: Readonly<Record<EventName, string>> = {
  recipient_completed: "A recipient completed their part of a document.",
  document_updated: "A document went back to draft, so that somebody can edit it.",
  document_deleted: "Somebody deleted a document.",
  document_state_changed: "A document has another status.",
  document_creation_failed: "The service could not process a new document.",
  document_completed_pdf_ready: "The file of a completed document is ready.",
  document_section_added: "A document has another section.",
  quote_updated: "Somebody changed a quote of a document.",
  template_created: "A template is ready.",
  template_updated: "Somebody changed a template.",
  template_deleted: "Somebody deleted a template.",
  content_library_item_created: "A content library item is ready.",
  content_library_item_creation_failed: "The service could not process a new content library item.",
  document_created: "A new document is ready.",
  document_completed: "A document is completed.",
};

export const payloads = Object.fromEntries(
  EVENTS.map((event): [EventName, EventPayload] => [
    event,
    {
      does: SENT[event],
      ...(event.startsWith("template_")
        ? { about: "Template", data: templateData }
        : event.startsWith("content_library_item_")
          ? { about: "ContentLibraryItem", data: itemData }
          : { about: "Document", data: documentData }),
    },
  ]),
) as Readonly<Record<EventName, EventPayload>>;
