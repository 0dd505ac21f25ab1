/** The process form: `node zoo.cjs CLIENT [GAP]`. Reads DOCDOUBLE_URL and DOCDOUBLE_API_KEY, and receives webhooks on loopback. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Api } from "./api.ts";
import type { Place } from "./place.ts";

const { DOCDOUBLE_URL: url = "", DOCDOUBLE_API_KEY: apiKey = "" } = process.env;

const place: Place = {
  url,
  apiKey,
  fetch,
  async receive(handle) {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const status = await handle({
        raw: Buffer.concat(chunks).toString("utf8"),
        signature: new URL(request.url ?? "/", "http://receiver").searchParams.get("signature"),
        eventId: String(request.headers["x-pandadoc-webhook-event-id"] ?? ""),
      });
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const subscription = { name: "Zoo", url: `http://127.0.0.1:${port}/`, triggers: ["document_state_changed"] };
    const api = new Api(place);
    // A second subscription would bring each event twice.
    const known = async () =>
      (await api.call("GET", "/webhook-subscriptions")).body.items.find((one: { url: string }) => one.url === subscription.url);
    const { body } = await api.call("POST", "/webhook-subscriptions", subscription, known);
    return {
      key: body.shared_key,
      close: async () => {
        server.close();
        server.closeAllConnections();
      },
    };
  },
};

const [client = "", gap] = process.argv.slice(2);
/** Only two clients need a library. Loading both libraries would take longer than a run. */
const clients: Readonly<Record<string, () => Promise<(place: Place, gap?: string) => Promise<unknown>>>> = {
  bookings: async () => (await import("./clients/bookings.ts")).bookings,
  contracts: async () => (await import("./clients/contracts.ts")).contracts,
  offers: async () => (await import("./clients/offers.ts")).offers,
  orders: async () => (await import("./clients/orders.ts")).orders,
  receivers: async () => (await import("./clients/receivers.ts")).receivers,
  team: async () => (await import("./clients/team.ts")).team,
  tidy: async () => (await import("./clients/tidy.ts")).tidy,
};
const run = await clients[client]?.();
console.log(JSON.stringify(await run?.(place, gap)));
