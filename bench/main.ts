/**
 * Throughput, start and memory of the built package beside a bare server on the same machine in the same run: `npm run bench`.
 * With `--write` the figures go into docs/performance.md. Nothing here is a test: figures depend on the machine.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { Worker } from "node:worker_threads";
import { listTable, measureLists } from "./list.ts";
import { measureWebhooks, webhookTable } from "./webhooks.ts";

const CONNECTIONS = 32;
const DURATION_MS = 4000;
const WARM_UP_MS = 1500;
const STARTS = 5;
const DOCUMENTS = 10_000;
const headers = { authorization: "API-Key docdouble-key", "content-type": "application/json" };
const CREATE = JSON.stringify({
  name: "Offer",
  template_uuid: "TemplateOneSignerxxxxx",
  recipients: [{ email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" }],
});
const DOUBLE = ["dist/cli.js", "start", "--port", "0", "--seed", "7", "--clock", "frozen", "--log", "silent"];

interface Server {
  url: string;
  process: ChildProcess;
  /** Ms from spawn to the first answer. */
  firstAnswer_ms: number;
}

async function start(args: readonly string[], path: string): Promise<Server> {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${args[0]} ended with ${code}`)));
    child.stdout.on("data", (text: Buffer) => {
      const found = /listening on (\S+)/.exec(text.toString());
      if (found) resolve(found[1] as string);
    });
  });
  await (await fetch(url + path, { headers })).text();
  return { url, process: child, firstAnswer_ms: performance.now() - begun };
}

async function stop(server: Server): Promise<void> {
  const ended = new Promise((resolve) => server.process.once("exit", resolve));
  server.process.kill("SIGTERM");
  await ended;
}

async function load(url: string, method: string, body: string | undefined, duration_ms: number): Promise<number> {
  const workerData = { url, method, body, headers, connections: CONNECTIONS, duration_ms };
  const worker = new Worker(new URL("./load.mjs", import.meta.url), { workerData });
  const { perSecond, failures } = await new Promise<{ perSecond: number; failures: number }>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  if (failures > 0) throw new Error(`${failures} calls of ${method} ${url} failed`);
  return perSecond;
}

async function throughput(server: Server, method: string, path: string, body?: string): Promise<number> {
  await load(server.url + path, method, body, WARM_UP_MS);
  return load(server.url + path, method, body, DURATION_MS);
}

/** The same call against docdouble and against a bare server that answers the same bytes. */
async function compare(name: string, method: string, path: string, body?: string): Promise<string> {
  const double = await start(DOUBLE, "/__admin/health");
  const created = await fetch(`${double.url}/public/v1/documents`, { method: "POST", headers, body: CREATE });
  const { id } = (await created.json()) as { id: string };
  const target = path.replace("$id", id);
  const sample = await fetch(double.url + target, { method, headers, ...(body === undefined ? {} : { body }) });
  const bare = await start(["bench/bare.mjs", String(sample.status), await sample.text()], "/");
  const [ours, theirs] = [await throughput(double, method, target, body), await throughput(bare, method, target, body)];
  await Promise.all([stop(double), stop(bare)]);
  return row(name, ours, theirs, "calls/s", theirs / ours);
}

async function startTime(): Promise<string> {
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let i = 0; i < STARTS; i++) {
    const double = await start(DOUBLE, "/public/v1/documents");
    const bare = await start(["bench/bare.mjs"], "/");
    times.ours.push(double.firstAnswer_ms);
    times.theirs.push(bare.firstAnswer_ms);
    await Promise.all([stop(double), stop(bare)]);
  }
  const [ours, theirs] = [median(times.ours), median(times.theirs)];
  return row("spawn to first answer", ours, theirs, "ms", ours / theirs);
}

async function memory(): Promise<string> {
  const double = await start(DOUBLE, "/__admin/health");
  const bare = await start(["bench/bare.mjs"], "/");
  for (let i = 0; i < DOCUMENTS; i += CONNECTIONS)
    await Promise.all(
      Array.from({ length: Math.min(CONNECTIONS, DOCUMENTS - i) }, async () =>
        (await fetch(`${double.url}/public/v1/documents`, { method: "POST", headers, body: CREATE })).text(),
      ),
    );
  const [ours, theirs] = [resident(double), resident(bare)];
  await Promise.all([stop(double), stop(bare)]);
  return row(`resident memory, ${DOCUMENTS.toLocaleString("en")} documents`, ours, theirs, "MiB", ours / theirs);
}

/** Resident MiB; Linux only, elsewhere not a number. */
function resident({ process: child }: Server): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function row(name: string, ours: number, theirs: number, unit: string, ratio: number): string {
  return `| ${name} | ${Math.round(ours).toLocaleString("en")} ${unit} | ${Math.round(theirs).toLocaleString("en")} ${unit} | ${ratio.toFixed(1)} |`;
}

const table = [
  "| what | docdouble | bare node:http | times as much |",
  "|---|---|---|---|",
  await compare("get a document's status", "GET", "/public/v1/documents/$id"),
  await compare("create a document", "POST", "/public/v1/documents", CREATE),
  await startTime(),
  await memory(),
].join("\n");
const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${process.platform}`;
const webhooks = webhookTable(await measureWebhooks());
const lists = listTable(await measureLists());
process.stdout.write(`${machine}\n${table}\n\n${webhooks}\n\n${lists}\n`);
if (process.argv.includes("--write")) writeFileSync("docs/performance.md", page());

function page(): string {
  return `# Performance

Measured by \`npm run bench -- --write\` on ${new Date().toISOString().slice(0, 10)}: ${machine}.

${table}

The last column is the cost: bare throughput by ours, our start and memory by the bare server's.

## Webhooks

${webhooks}

Here docdouble, the receiver, and the caller that asks again and again are one process, so what blocks it shows in the times.

## Pages of the list

A page of 50 out of as many documents, by filter: the median of a whole request without a socket. "Found" is how many the page held.

${lists}

The size of the workspace hardly shows, whatever the filter: each becomes bits, one for each document, and a kept list is walked past
what they leave out. Where the smallest world finds fewer, its page is the shorter one to write. The first page by an order and the
first search by text make what they need: of 100,000 documents a tenth of a second and about two seconds.

## Method

The built package and a bare \`node:http\` server that answers the same bytes run as processes of their own, one after the other
under load. The load generator is a worker thread with ${CONNECTIONS} keep-alive connections, each sending its next request when the last is
answered, for ${DURATION_MS / 1000} s after ${WARM_UP_MS / 1000} s of warming up. It shares the processors with the server, so the figures are low for both. Starts are
the median of ${STARTS}, from spawn to a first answer (a list of documents; for the bare server an empty answer). Memory is VmRSS after
${DOCUMENTS.toLocaleString("en")} documents, with their requests in the journal. Nothing is asserted: a busy machine gives other figures.
`;
}
