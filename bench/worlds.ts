/**
 * Measures worlds without a socket: a new sandbox, a thousand tenants, the memory of a document, and a whole story. The story takes a
 * document with two signers from creation to completion. A receiver in this process takes its webhooks.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Figure } from "./figures.ts";
import { benchFixtures, CREATE, createSandbox, cpuPerCall, HEADERS, median, type Sandbox } from "./servers.ts";

const TENANTS = 1000;
const DOCUMENTS = 5000;
const RUNS = 60;
const WARM_UP = 40;
const CALLS_PER_ROUND = 500;
/** The events that the story subscribes to. A story causes eight deliveries. */
const TRIGGERS = ["document_state_changed", "recipient_completed", "document_completed_pdf_ready", "document_created"];

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Memory of live objects in bytes. */
function heap(): number {
  for (let i = 0; i < 3; i++) collect();
  return process.memoryUsage().heapUsed;
}

async function call(sandbox: Sandbox, method: string, path: string, body?: string): Promise<{ id: string }> {
  const answer = await sandbox.fetch(path, { method, headers: HEADERS, ...(body === undefined ? {} : { body }) });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.status === 204 ? { id: "" } : ((await answer.json()) as { id: string });
}

async function freshSandbox(): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < WARM_UP + RUNS; i++) {
    const begun = performance.now();
    const sandbox = await createSandbox({ seed: i, clock: "frozen" });
    await sandbox.close();
    times.push(performance.now() - begun);
  }
  return median(times.slice(WARM_UP));
}

/** The median processor time per call, in microseconds. */
async function inProcess(kind: "status" | "create"): Promise<number> {
  await using sandbox = await createSandbox({ seed: 1, clock: "frozen", fixtures: benchFixtures() });
  const { id } = await call(sandbox, "POST", "/public/v1/documents", CREATE);
  await sandbox.clock.advance("10s");
  const send =
    kind === "create"
      ? () => sandbox.fetch("/public/v1/documents", { method: "POST", headers: HEADERS, body: CREATE })
      : () => sandbox.fetch(`/public/v1/documents/${id}`, { headers: HEADERS });
  const round = () => cpuPerCall(CALLS_PER_ROUND, send);
  for (let i = 0; i < 4; i++) await round();
  const rounds: number[] = [];
  for (let i = 0; i < 9; i++) rounds.push(await round());
  return median(rounds);
}

/** Memory in MB that a thousand more tenants take. */
async function manyTenants(): Promise<number> {
  await using sandbox = await createSandbox({ seed: 1, clock: "frozen" });
  const open = (key: string) => sandbox.fetch("/public/v1/templates?count=1", { headers: { authorization: `API-Key ${key}` } });
  await open("test-0");
  const before = heap();
  for (let i = 1; i <= TENANTS; i++) await open(`test-${i}`);
  return (heap() - before) / 1e6;
}

/** `held`: bytes of live objects per document, without its journal entries. `json`: bytes of its details as JSON. */
async function documentSize(): Promise<{ held: number; json: number }> {
  await using sandbox = await createSandbox({ seed: 1, clock: "frozen", fixtures: benchFixtures() });
  const { id } = await call(sandbox, "POST", "/public/v1/documents", CREATE);
  await sandbox.clock.advance("10s");
  const json = JSON.stringify(await call(sandbox, "GET", `/public/v1/documents/${id}/details`)).length;
  sandbox.journal.clear();
  const before = heap();
  for (let i = 0; i < DOCUMENTS; i++) await call(sandbox, "POST", "/public/v1/documents", CREATE);
  await sandbox.clock.advance("10s");
  sandbox.journal.clear();
  return { held: (heap() - before) / DOCUMENTS, json };
}

/** The median time of a story in ms, and the number of webhooks per story. */
async function story(): Promise<{ ms: number; webhooks: number }> {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      received++;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const sandbox = await createSandbox({ seed: 1, clock: "frozen", fixtures: benchFixtures() });
  await call(sandbox, "POST", "/public/v1/webhook-subscriptions", JSON.stringify({ name: "All", url, triggers: TRIGGERS }));
  const times: number[] = [];
  for (let i = 0; i < WARM_UP + RUNS; i++) {
    const begun = performance.now();
    const { id } = await call(sandbox, "POST", "/public/v1/documents", CREATE);
    await sandbox.clock.advance("5s");
    await call(sandbox, "POST", `/public/v1/documents/${id}/send`, "{}");
    sandbox.documents.simulate(id, "sign", { recipient: "pat@client.example" });
    sandbox.documents.simulate(id, "sign", { recipient: "kim@client.example" });
    await sandbox.clock.advance("5s");
    if (sandbox.documents.get(id)?.status !== "document.completed") throw new Error("the story did not end well");
    times.push(performance.now() - begun);
  }
  await sandbox.close();
  server.close();
  server.closeAllConnections();
  return { ms: median(times.slice(WARM_UP)), webhooks: received / times.length };
}

export async function measureWorlds(): Promise<Figure[]> {
  const most = (what: string, ours: number, unit: string, name: string, value: number, ratio = 1): Figure => ({
    what,
    ours,
    limit: { name, value },
    unit,
    goal: { at: "most", ratio },
  });
  const told = await story();
  const { held, json } = await documentSize();
  return [
    most("a status call in this process", await inProcess("status"), "µs", "goal", 30),
    most("a create in this process", await inProcess("create"), "µs", "goal", 80),
    most("a fresh sandbox with its seed, opened and closed", await freshSandbox(), "ms", "goal", 0.5),
    most(`${TENANTS.toLocaleString("en")} tenants more`, await manyTenants(), "MB", "goal", 100),
    most(`a whole story: two signers, ${told.webhooks} webhooks`, told.ms, "ms", "goal", 10),
    most("memory of a document", held / 1000, "KB", "its JSON", json / 1000, 2),
  ];
}
