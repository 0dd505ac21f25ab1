/** Subscriptions, for receivers of the library, and events on demand. */
import { subscribeTo, subscriptionWish } from "../acts/seeds.ts";
import { triggerAtOnce } from "../acts/trigger.ts";
import { triggerInput } from "../nouns/webhooks/operations.ts";

export const webhooks = {
  subscribe: subscribeTo,
  wish: subscriptionWish,
  /** @throws 400 where the event needs a new document with images */
  trigger: triggerAtOnce,
  triggerWish: triggerInput,
};
