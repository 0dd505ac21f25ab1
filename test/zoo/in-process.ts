/** Runs an integration of the zoo against a sandbox in this process, without a socket. */
import { intercept } from "../../src/intercept.ts";
import type { Sandbox } from "../../src/library/types.ts";
import { CLIENTS, type ClientName } from "./pairs.ts";
import type { Place, View } from "./place.ts";

export const HOST = "api.pandadoc.com";

/** The official client and axios call an intercepted host. */
export function placeIn(sandbox: Sandbox): Place {
  return {
    url: `https://${HOST}`,
    apiKey: sandbox.apiKey,
    fetch,
    async receive(handle) {
      const inbox = await sandbox.webhooks.receiver({
        events: ["document_state_changed"],
        handler: async (request) => {
          const post = {
            raw: await request.text(),
            signature: new URL(request.url).searchParams.get("signature"),
            eventId: request.headers.get("x-pandadoc-webhook-event-id") ?? "",
          };
          return new Response(null, { status: await handle(post) });
        },
      });
      return { key: inbox.subscription.sharedKey, close: () => inbox.close() };
    },
  };
}

export async function runInProcess(sandbox: Sandbox, client: ClientName, gap?: string): Promise<View> {
  const stop = intercept(sandbox, { hosts: [HOST] });
  try {
    return await CLIENTS[client](placeIn(sandbox), gap);
  } finally {
    stop();
  }
}
