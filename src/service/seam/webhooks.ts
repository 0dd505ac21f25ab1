/** Subscriptions, for receivers of the library. */
import { subscribeTo, subscriptionWish } from "../acts/seeds.ts";

export const webhooks = { subscribe: subscribeTo, wish: subscriptionWish };
