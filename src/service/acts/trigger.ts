import * as z from "zod";
import { badRequest } from "../../engine/core/errors.ts";
import { DELIVERY_STATES } from "../../engine/jobs/delivery-types.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { verbGroup } from "../../engine/verbs/define.ts";
import type { DocumentStatus, EventName } from "../model/documents/status-machine.ts";
import { subscribersOf, triggerEvent } from "../domain/webhooks/history.ts";
import { type TriggerInput, triggerInput } from "../model/webhooks/inputs.ts";
import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import type { Tenant } from "../model/tenant.ts";
import { beginInStatus } from "./document-in-status.ts";
import { newestFirst } from "./documents.ts";
import { verb } from "./operation.ts";

/** The service sends these events only in these statuses; the usual status comes first. Other events fit any status. */
const STATUSES_OF: Readonly<Partial<Record<EventName, readonly [DocumentStatus, ...DocumentStatus[]]>>> = {
  recipient_completed: ["document.completed", "document.paid"],
  document_completed: ["document.completed", "document.paid"],
  document_completed_pdf_ready: ["document.completed", "document.paid"],
  document_creation_failed: ["document.error"],
};

const NEW_STATUS_OF: Readonly<Partial<Record<EventName, DocumentStatus>>> = { document_state_changed: "document.sent" };

/**
 * Sends the event about the newest document in a fitting status, or creates such a document. Creation may cause the event, so it is then
 * not sent again. Returns a promise only while the images of a new document load. @throws 404, 400, 409 without a subscription
 */
function trigger(tenant: Tenant, input: TriggerInput, { mayWait = true } = {}): DeliveryRow[] | Promise<DeliveryRow[]> {
  const { event, document_id, data, subscription } = input;
  const { store, world } = tenant;
  const send = (id: string | undefined) =>
    store.transaction(() => triggerEvent(world, { ...input, ...(id === undefined ? {} : { document_id: id }) }));
  if (document_id !== undefined || data !== undefined) return send(document_id);
  const statuses = STATUSES_OF[event];
  const fitting = newestFirst(tenant).find(
    (row) =>
      row.internal.deleted_at === null &&
      row.workspace_id === world.caller.workspace_id &&
      (statuses === undefined || statuses.includes(row.status)),
  );
  if (fitting) return send(fitting.id);
  // Without a subscription, this refuses before a document exists.
  subscribersOf(world, input);
  const { id, ready } = beginInStatus(tenant, { status: statuses?.[0] ?? NEW_STATUS_OF[event] ?? "document.draft" });
  if (ready && !mayWait) {
    ready.catch(() => {});
    store.transaction(() => store.documents.delete(id));
    const why = "the images of a new document take time to load: make it with documents.create(), and pass document_id";
    throw badRequest(`No document fits ${event}`, { why });
  }
  const finish = () => {
    const sent = store.deliveries
      .where("subject", id)
      .filter((row) => row.event === event && (subscription === undefined || row.subscriber === subscription));
    return sent.length > 0 ? sent : send(id);
  };
  return ready ? ready.then(finish) : finish();
}

const deliveryLine = () =>
  z.strictObject({
    id: z.string(),
    event: z.string(),
    event_id: z.string().describe("duplicates share it"),
    document_id: z.string().nullable(),
    subscription: z.string(),
    url: z.string(),
    state: z.enum(DELIVERY_STATES),
    body: z.unknown(),
  });

export const triggerVerbs = verbGroup("Admin: webhook events", { tool: "agents act on documents, which causes events" }, [
  verb({
    name: "webhooks.trigger",
    does: "Sends an event to all its subscribers, about the newest document that fits it, or about `document_id`. If no document fits, it first creates one in a suitable status.",
    input: triggerInput,
    run: ({ tenant }, input) => trigger(tenant, input),
    admin: {
      id: "adminTriggerWebhook",
      route: "POST /__admin/webhooks/trigger",
      status: 202,
      answer: () => z.strictObject({ deliveries: z.array(deliveryLine()) }),
      errors: [404, 409],
      example: { body: { event: "document_completed", document_id: "$document" } },
      show: (rows) => ({
        deliveries: rows.map((row) => ({
          id: row.id,
          event: row.event,
          event_id: row.event_id,
          document_id: row.subject || null,
          subscription: row.subscriber,
          url: redactText(row.url),
          state: row.state,
          body: JSON.parse(redactText(row.body)) as unknown,
        })),
      }),
    },
    methods: {
      "webhooks.trigger": {
        changes: true,
        takes: [
          { name: "the event", is: 'is one such as "document_updated"', member: "event" },
          { name: "the options", is: "are an object such as { document_id }", optional: true },
        ],
        run: ({ tenant }, event: EventName, options: Omit<TriggerInput, "event"> = {}) =>
          trigger(tenant, { event, ...options }, { mayWait: false }),
        gives: (rows) => rows,
      },
    },
  }),
]);
