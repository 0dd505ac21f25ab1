import * as z from "zod";
import { ApiError, badRequest } from "../../engine/core/errors.ts";
import { DELIVERY_STATES } from "../../engine/jobs/delivery-types.ts";
import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { verbGroup } from "../../engine/verbs/define.ts";
import { emitData, enqueue, requireSubscription, subscribersTo } from "../nouns/webhooks/subscriptions.ts";
import type { Tenant, World } from "../kit/world.ts";
import type { TriggerInput } from "../nouns/webhooks/operations.ts";
import { triggerInput } from "../nouns/webhooks/operations.ts";
import type { SubscriptionRow } from "../nouns/webhooks/row.ts";
import { verb } from "./operation.ts";
import { occasionOf } from "./occasions.ts";

/**
 * Sends the event about the newest document, template or library item that fits, as the real change sends it. Without a fitting one it
 * makes the real change, which causes the event. Returns a promise only while the images of a new document load.
 * @throws 404, 400, 409 without a subscription
 */
function trigger(tenant: Tenant, input: TriggerInput, { mayWait = true } = {}): DeliveryRow[] | Promise<DeliveryRow[]> {
  const { event, document_id, data, subscription } = input;
  const { store, world } = tenant;
  const occasion = occasionOf(event);
  const send = (id: string) =>
    store.transaction(() => {
      const subject = occasion.require(world, id);
      const subscribers = subscribersOf(world, input, subject.workspace_id);
      return emitData(world, event, subject, (kinds) => ({ ...subject.data(kinds), ...data }), subscribers);
    });
  if (document_id !== undefined) return send(document_id);
  if (data !== undefined) return store.transaction(() => sendData(world, input, data));
  const fitting = occasion.newest(tenant);
  if (fitting) return send(fitting.id);
  // Without a subscription, this refuses before anything exists.
  subscribersOf(world, input);
  const { id, ready } = occasion.make(tenant);
  if (ready && !mayWait) {
    ready.catch(() => {});
    store.transaction(() => store.documents.delete(id));
    const why = "the images of a new document take time to load: make it with documents.create(), and pass document_id";
    throw badRequest(`No document fits ${event}: ${why}`);
  }
  const finish = () => {
    const sent = store.deliveries
      .where("subject", id)
      .filter((row) => row.event === event && (subscription === undefined || row.subscriber === subscription));
    // The change may have caused the event several times. The last one is about the status that fits.
    const latest = [...new Map(sent.map((row) => [row.subscriber, row])).values()];
    return latest.length > 0 ? latest : send(id);
  };
  return ready ? ready.then(finish) : finish();
}

export function triggerAtOnce(tenant: Tenant, input: TriggerInput): DeliveryRow[] {
  return trigger(tenant, input, { mayWait: false }) as DeliveryRow[];
}

function sendData(world: World, input: TriggerInput, data: Record<string, unknown>): DeliveryRow[] {
  const subject = { id: typeof data.id === "string" ? data.id : "", status: null };
  const body = JSON.stringify([{ event: input.event, data }]);
  return subscribersOf(world, input).map((row) => enqueue(world, row, input.event, subject, body));
}

function subscribersOf(
  world: World,
  { event, subscription }: Pick<TriggerInput, "event" | "subscription">,
  workspace_id = world.caller.workspace_id,
): SubscriptionRow[] {
  if (subscription !== undefined) return [requireSubscription(world, subscription)];
  const subscribers = subscribersTo(world, event, workspace_id);
  if (subscribers.length > 0) return subscribers;
  const detail = `No active subscription asked for ${event}. Subscribe first: npx docdouble listen --forward http://localhost:3000/hook`;
  throw new ApiError("conflict", detail, { body: { type: "docdouble_conflict", detail } });
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
    does: "Sends an event to all its subscribers, as the real change does: about the newest document, template or content library item that fits it, or about the one with the id `document_id`. If none fits, it makes the real change.",
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
  }),
]);
