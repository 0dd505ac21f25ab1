/**
 * A receiver of webhooks as careful users write it. It refuses unsigned deliveries, handles each event id once, and never replaces a
 * newer state of a document with an older one.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface News {
  id: string;
  status: string;
  date_modified: string;
}

export interface Hearing {
  /** The shared key of the subscription. */
  key: string;
  /** Number of deliveries that still fail. */
  fails: number;
  seen: Set<string>;
  /** The newest state of each document, by document id. */
  news: Map<string, News>;
}

export interface Ears {
  /** Opens a URL for the webhooks of one client. `hearing` records what they contain. */
  open(name: string, fails: number): { url: string; hearing: Hearing };
  close(): Promise<void>;
}

export async function listen(): Promise<Ears> {
  const all = new Map<string, Hearing>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://receiver");
    const hearing = all.get(pathname.slice(1));
    response.writeHead(hearing === undefined ? 410 : hear(hearing, raw, searchParams.get("signature"), request.headers)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    open(name, fails) {
      const hearing: Hearing = { key: "", fails, seen: new Set(), news: new Map() };
      all.set(name, hearing);
      return { url: `http://127.0.0.1:${port}/${name}`, hearing };
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const LIFE = ["document.uploaded", "document.draft", "document.sent", "document.viewed"];

/** At the same instant, the later status of a document's life is newer. A status outside of `LIFE` ends the life. */
function isNewer(news: News, before: News): boolean {
  if (news.date_modified !== before.date_modified) return news.date_modified > before.date_modified;
  const age = ({ status }: News) => (LIFE.includes(status) ? LIFE.indexOf(status) : LIFE.length);
  return age(news) >= age(before);
}

function hear(hearing: Hearing, raw: Buffer, signature: string | null, headers: NodeJS.Dict<string | string[]>): number {
  if (hearing.fails > 0) {
    hearing.fails--;
    return 503;
  }
  const wanted = Buffer.from(createHmac("sha256", hearing.key).update(raw).digest("hex"));
  const given = Buffer.from(signature ?? "");
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 401;
  const eventId = String(headers["x-pandadoc-webhook-event-id"]);
  if (hearing.seen.has(eventId)) return 200;
  hearing.seen.add(eventId);
  for (const { data } of JSON.parse(raw.toString()) as { data: News }[]) {
    const before = hearing.news.get(data.id);
    if (!before || isNewer(data, before)) hearing.news.set(data.id, data);
  }
  return 200;
}
