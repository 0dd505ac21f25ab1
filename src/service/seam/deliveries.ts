/** Webhook subscriptions, as the engine sees them. */
import { recordAttempt, subscriberOf, subscriptionView } from "../nouns/webhooks/subscriptions.ts";
import type { World } from "../kit/world.ts";

export const deliveries = {
  headers: {
    "content-type": "application/json",
    accept: "*/*",
    // Source: recorded deliveries.
    "accept-encoding": "gzip",
    "user-agent": "PandaDoc Webhooks",
  },
  idHeader: "x-pandadoc-webhook-event-id",
  retries: "webhook.retry_schedule",
  subscriber: subscriberOf,
  subscriberStatus({ store }: World, id: string): string | undefined {
    const row = store.subscriptions.get(id);
    return row && subscriptionView.of(row).status;
  },
  attempted: recordAttempt,
  hasSubscribers: ({ store }: World): boolean => store.subscriptions.size > 0,
  isListening: ({ store }: World): boolean => store.subscriptions.all().some((one) => one.active && !one.deactivated),
};
