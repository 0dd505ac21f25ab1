/**
 * Measures deliveries per second to a receiver on this machine, and the time of an API call meanwhile. `npm run bench` includes it, and
 * `npx tsx bench/webhooks.ts` runs it alone. docdouble and its load share one process, so that a blocked event loop delays the calls.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSandbox } from "../src/sandbox.ts";

const SUBSCRIPTIONS = 1000;
const PER_WORKSPACE = 250;
const EVENTS = 10_000;
const IDLE_CALLS = 300;

export interface WebhookFigures {
  subscriptions: number;
  events: number;
  perSecond: number;
  mostOpen: number;
  /** Time of a status call, without and with deliveries at the same time. */
  idle: Latency;
  busy: Latency;
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

  const status = async (): Promise<number> => {
    const begun = performance.now();
    const headers = { authorization: `API-Key ${sandbox.apiKey}` };
    await (await fetch(`${sandbox.url}/public/v1/documents/${id}`, { headers })).text();
    return performance.now() - begun;
  };
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

  await sandbox.close();
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
  return {
    subscriptions: SUBSCRIPTIONS,
    events: EVENTS,
    perSecond: EVENTS / seconds,
    mostOpen: counts.mostOpen,
    idle: latency(idle),
    busy: latency(busy),
  };
}

function latency(times: number[]): Latency {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median_ms: at(0.5), p99_ms: at(0.99) };
}

/** The figures as a sentence and a Markdown table. */
export function webhookTable(figures: WebhookFigures): string {
  const { subscriptions, events, perSecond, mostOpen, idle, busy } = figures;
  const count = (value: number) => Math.round(value).toLocaleString("en");
  const times = ({ median_ms, p99_ms }: Latency) => `${median_ms.toFixed(1)} ms | ${p99_ms.toFixed(1)} ms`;
  return [
    `${count(events)} events to ${count(subscriptions)} subscriptions: ${count(perSecond)} deliveries/s over at most ${mostOpen} connections.`,
    "",
    "| a document's status | median | p99 |",
    "|---|---|---|",
    `| idle | ${times(idle)} |`,
    `| during the deliveries | ${times(busy)} |`,
  ].join("\n");
}

if (process.argv[1]?.endsWith("webhooks.ts")) process.stdout.write(`${webhookTable(await measureWebhooks())}\n`);
