/** Subscriptions, for the library. */
import { subscribe } from "../domain/webhooks/subscriptions.ts";
import { PAYLOAD_KINDS } from "../model/webhooks/rows.ts";

export const webhooks = { subscribe, payloadKinds: PAYLOAD_KINDS };
