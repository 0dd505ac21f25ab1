/** Subscriptions, for the library. */
import { isSubscribed, triggerEvent } from "../domain/webhooks/history.ts";
import { subscribe } from "../domain/webhooks/subscriptions.ts";
import { PAYLOAD_KINDS } from "../model/webhooks/rows.ts";

export const webhooks = { subscribe, isSubscribed, trigger: triggerEvent, payloadKinds: PAYLOAD_KINDS };
