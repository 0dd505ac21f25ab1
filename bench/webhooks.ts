/**
 * Measures deliveries per second to a receiver on this machine, and the time of an API call meanwhile. `npm run bench` includes it, and
 * `npx tsx bench/webhooks.ts` runs it alone. docdouble and its load share one process, so that a blocked event loop delays the calls.
 */
import { Agent, createServer, request as openRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The built package, as users run it. */
const { createSandbox } = (await import(new URL("../dist/index.js", import.meta.url).href)) as typeof import("../src/index.ts");

const SUBSCRIPTIONS = 1000;
const PER_WORKSPACE = 250;
const EVENTS = 10_000;
const IDLE_CALLS = 300;
/** Posts at the same time, without docdouble. */
const POSTS_AT_ONCE = 16;

export interface WebhookFigures {
  subscriptions: number;
  events: number;
  perSecond: number;
  mostOpen: number;
  /** Time of a status call, without and with deliveries at the same time. */
  idle: Latency;
  busy: Latency;
  /** The same calls to an empty server, while the same process posts as many requests without docdouble. */
  floor: Latency;
}

interface Latency {
  median_ms: number;
  p99_ms: number;
}

/** Starts a receiver that answers 200, and counts deliveries and connections. */
async function startReceiver() {
  const counts = { received: 0, open: 0, mostOpen: 0 };
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      counts.received++;
      response.end();
    });
  });
  server.on("connection", (socket) => {
    counts.mostOpen = Math.max(counts.mostOpen, ++counts.open);
    socket.once("close", () => counts.open--);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, counts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

/** In milliseconds. */
async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await call();
  return performance.now() - begun;
}

async function close(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}

/** Times calls to an empty server, while Node alone posts as often as docdouble does: each post on a new connection. */
async function measureFloor(body: string): Promise<Latency> {
  const { server, counts, url } = await startReceiver();
  const api = createServer((_, response) => response.end(body));
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(api.address() as AddressInfo).port}/`;
  const call = () => timeOf(async () => (await fetch(address)).text());
  for (let i = 0; i < IDLE_CALLS; i++) await call();
  const agent = new Agent({ keepAlive: false });
  const post = () =>
    new Promise<void>((resolve, reject) => {
      const options = { method: "POST", agent, headers: { "content-type": "application/json", "content-length": body.length } };
      const one = openRequest(url, options, (response) => response.resume().once("end", resolve));
      one.once("error", reject).end(body);
    });
  const posting = Array.from({ length: POSTS_AT_ONCE }, async () => {
    for (let i = 0; i < EVENTS / POSTS_AT_ONCE; i++) await post();
  });
  const times: number[] = [];
  while (counts.received < EVENTS) times.push(await call());
  await Promise.all(posting);
  await close(api);
  await close(server);
  return latency(times);
}

/** Each tenant has 250 subscriptions, because a workspace allows 300. An event reaches all subscriptions of its tenant. */
export async function measureWebhooks(): Promise<WebhookFigures> {
  const { server, counts, url } = await startReceiver();
  const sandbox = await createSandbox({ seed: 7, port: 0 });
  const post = async (path: string, key: string, body: object): Promise<{ id: string }> => {
    const headers = { authorization: `API-Key ${key}`, "content-type": "application/json" };
    const answer = await fetch(sandbox.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };
  const keys = Array.from({ length: SUBSCRIPTIONS / PER_WORKSPACE }, (_, i) => `test-${i}`);
  for (const key of keys)
    for (let i = 0; i < PER_WORKSPACE; i++)
      await post("/public/v1/webhook-subscriptions", key, { name: `No ${i}`, url, triggers: ["document_updated"] });
  const { id } = await post("/public/v1/documents", sandbox.apiKey, {
    template_uuid: "TemplateOneSignerxxxxx",
    name: "Offer",
    recipients: [{ email: "pat@client.example", role: "Client" }],
  });

  const headers = { authorization: `API-Key ${sandbox.apiKey}` };
  const read = async () => (await fetch(`${sandbox.url}/public/v1/documents/${id}`, { headers })).text();
  const status = () => timeOf(read);
  for (let i = 0; i < IDLE_CALLS; i++) await status();
  const idle: number[] = [];
  for (let i = 0; i < IDLE_CALLS; i++) idle.push(await status());

  const busy: number[] = [];
  const begun = performance.now();
  const happen = async () => {
    for (let sent = 0; sent < EVENTS; sent += SUBSCRIPTIONS)
      for (const key of keys) {
        sandbox.tenant(key).webhooks.trigger("document_updated", { data: { id: `document-${sent}`, name: "Offer" } });
        await new Promise((resolve) => setImmediate(resolve));
      }
  };
  const happened = happen();
  while (counts.received < EVENTS) busy.push(await status());
  const seconds = (performance.now() - begun) / 1000;
  await happened;

  const body = await read();
  await sandbox.close();
  await close(server);
  return {
    subscriptions: SUBSCRIPTIONS,
    events: EVENTS,
    perSecond: EVENTS / seconds,
    mostOpen: counts.mostOpen,
    idle: latency(idle),
    busy: latency(busy),
    floor: await measureFloor(body),
  };
}

function latency(times: number[]): Latency {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median_ms: at(0.5), p99_ms: at(0.99) };
}

/** The figures as a sentence and a Markdown table. */
export function webhookTable(figures: WebhookFigures): string {
  const { subscriptions, events, perSecond, mostOpen, idle, busy, floor } = figures;
  const count = (value: number) => Math.round(value).toLocaleString("en");
  const times = ({ median_ms, p99_ms }: Latency) => `${median_ms.toFixed(1)} ms | ${p99_ms.toFixed(1)} ms`;
  return [
    `${count(events)} events to ${count(subscriptions)} subscriptions: ${count(perSecond)} deliveries/s over at most ${mostOpen} connections.`,
    "",
    "| a document's status | median | p99 |",
    "|---|---|---|",
    `| idle | ${times(idle)} |`,
    `| during the deliveries | ${times(busy)} |`,
    `| floor: as many posts by Node alone, and calls to an empty server | ${times(floor)} |`,
  ].join("\n");
}

if (process.argv[1]?.endsWith("webhooks.ts")) process.stdout.write(`${webhookTable(await measureWebhooks())}\n`);
