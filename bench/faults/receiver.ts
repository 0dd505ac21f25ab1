/**
 * A receiver of webhooks as careful users write it. It refuses unsigned deliveries, handles each event id once, and never replaces a
 * newer state of a document with an older one.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface DocumentState {
  id: string;
  status: string;
  date_modified: string;
}

export interface ReceivedWebhooks {
  /** The shared key of the subscription. */
  key: string;
  /** Number of deliveries that still fail. */
  fails: number;
  seen: Set<string>;
  /** The newest state of each document, by document id. */
  newest: Map<string, DocumentState>;
}

export interface WebhookReceiver {
  /** Opens a URL for the webhooks of one client. `received` records what they contain. */
  open(name: string, fails: number): { url: string; received: ReceivedWebhooks };
  close(): Promise<void>;
}

export async function startReceiver(): Promise<WebhookReceiver> {
  const all = new Map<string, ReceivedWebhooks>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://receiver");
    const received = all.get(pathname.slice(1));
    response
      .writeHead(received === undefined ? 410 : receive(received, raw, searchParams.get("signature"), request.headers))
      .end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    open(name, fails) {
      const received: ReceivedWebhooks = { key: "", fails, seen: new Set(), newest: new Map() };
      all.set(name, received);
      return { url: `http://127.0.0.1:${port}/${name}`, received };
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const LIFE = ["document.uploaded", "document.draft", "document.sent", "document.viewed"];

/** At the same instant, the later status of a document's life is newer. A status outside of `LIFE` ends the life. */
function isNewer(state: DocumentState, before: DocumentState): boolean {
  if (state.date_modified !== before.date_modified) return state.date_modified > before.date_modified;
  const age = ({ status }: DocumentState) => (LIFE.includes(status) ? LIFE.indexOf(status) : LIFE.length);
  return age(state) >= age(before);
}

function receive(
  received: ReceivedWebhooks,
  raw: Buffer,
  signature: string | null,
  headers: NodeJS.Dict<string | string[]>,
): number {
  if (received.fails > 0) {
    received.fails--;
    return 503;
  }
  const wanted = Buffer.from(createHmac("sha256", received.key).update(raw).digest("hex"));
  const given = Buffer.from(signature ?? "");
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 401;
  const eventId = String(headers["x-pandadoc-webhook-event-id"]);
  if (received.seen.has(eventId)) return 200;
  received.seen.add(eventId);
  for (const { data } of JSON.parse(raw.toString()) as { data: DocumentState }[]) {
    const before = received.newest.get(data.id);
    if (!before || isNewer(data, before)) received.newest.set(data.id, data);
  }
  return 200;
}
