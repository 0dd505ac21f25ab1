/** Starts servers as separate processes, and loads them. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { leaveCertificatesToNpm } from "../test/support/certificates.ts";

export const CONNECTIONS = 32;
export const HEADERS = { authorization: "API-Key docdouble-key", "content-type": "application/json" };

/** The id of a realistic template: two recipients, ten fields and a pricing table. */
const TEMPLATE = "BenchTemplatexxxxxxxxx";
export const CREATE = JSON.stringify({
  name: "Offer",
  template_uuid: TEMPLATE,
  recipients: [
    { email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" },
    { email: "kim@client.example", first_name: "Kim", last_name: "Ode", role: "Director" },
  ],
});

leaveCertificatesToNpm();

const folder = mkdtempSync(join(tmpdir(), "docdouble-bench-"));

/** Writes the built-in fixtures with this template to a file. Returns the path of the file. */
export function benchFixtures(): string {
  const file = join(folder, "fixtures.json");
  const fixtures = JSON.parse(readFileSync("fixtures/default.json", "utf8")) as { templates: Record<string, unknown>[] };
  const of = (id: string) => fixtures.templates.find((one) => one.id === id) as Record<string, unknown>;
  const fields = Array.from({ length: 10 }, (_, i) => ({
    name: `Field${i}`,
    type: i < 8 ? "text" : "signature",
    role: i % 2 === 0 ? "Client" : "Director",
  }));
  const { pricing_tables, tokens } = of("TemplatePricingxxxxxxx");
  const { roles } = of("TemplateTwoSignersxxxx");
  fixtures.templates.push({ id: TEMPLATE, name: "Bench", roles, tokens, fields, pricing_tables });
  writeFileSync(file, JSON.stringify(fixtures));
  return file;
}

export const DOCDOUBLE_ARGS = ["dist/cli.cjs", "start", "--port", "0", "--seed", "7", "--log", "silent", "--clock", "frozen"];

/** The built library. */
export const { createSandbox } = (await import(
  new URL("../dist/index.js", import.meta.url).href
)) as typeof import("../src/index.ts");
export type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

/** A whole number from 0 to below `end`. */
export type Chance = (end: number) => number;

/** A generator of random numbers that a seed repeats (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed;
  return (end) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
}

export interface Server {
  url: string;
  process: ChildProcess;
  /** Ms from spawn to the first answer. */
  firstAnswer_ms: number;
}

/** Starts `node ...args`, and resolves after the first answer to `path`. */
export async function start(args: readonly string[], path: string): Promise<Server> {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const url = await addressOf(child);
  await (await fetch(url + path, { headers: HEADERS })).text();
  return { url, process: child, firstAnswer_ms: performance.now() - begun };
}

/** The address that a server prints. @throws when the server ends before that */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${child.spawnargs.join(" ")} ended with ${code} before it was ready`)));
    let text = "";
    child.stdout?.on("data", (more: Buffer) => {
      text += more;
      const found = /listening on (\S+)/.exec(text);
      if (found) resolve(found[1] as string);
    });
  });
}

/** The next start finds no compiled code, as after an installation. */
export function removeCompiled(): void {
  for (const name of readdirSync("dist")) if (name.endsWith(".compiled")) rmSync(`dist/${name}`);
}

export async function stop(server: Server): Promise<void> {
  const ended = new Promise((resolve) => server.process.once("exit", resolve));
  server.process.kill("SIGTERM");
  await ended;
}

/** Resident memory in MiB. On other systems than Linux: NaN. */
export function resident({ process: child }: Server): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

export interface Load {
  /** Answers per second. */
  perSecond: number;
  p99_ms: number;
}

/** Loads a server over many connections, until the time is over or all calls are made. @throws when a call fails */
export async function load(
  url: string,
  method: string,
  body: string | undefined,
  duration_ms: number,
  calls = Number.POSITIVE_INFINITY,
  headers = HEADERS,
): Promise<Load> {
  const workerData = { url, method, body, headers, connections: CONNECTIONS, duration_ms, calls };
  const worker = new Worker(new URL("./load.mjs", import.meta.url), { workerData });
  const { failures, ...load } = await new Promise<Load & { failures: number }>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  if (failures > 0) throw new Error(`${failures} calls of ${method} ${url} failed`);
  return load;
}

/** Creates a document, and moves the clock until it is a draft. Returns its id. */
export async function makeDraft(double: Server): Promise<string> {
  const post = async (path: string, body: string) => {
    const answer = await fetch(double.url + path, { method: "POST", headers: HEADERS, body });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };
  const { id } = await post("/public/v1/documents", CREATE);
  await post("/__admin/clock/advance", '{"by":"10s"}');
  return id;
}

/** Writes docdouble's answers to a status call and a details call to a file, for the ideal server. Returns the path of the file. */
export async function sampleOf(double: Server, id: string): Promise<string> {
  const get = async (path: string) =>
    (await fetch(`${double.url}/public/v1/documents/${id}${path}`, { headers: HEADERS })).json();
  const file = join(folder, "sample.json");
  writeFileSync(file, JSON.stringify({ status: await get(""), details: await get("/details") }));
  return file;
}

/** Makes calls one after another. Returns the processor time per call, in microseconds. */
export async function cpuPerCall(calls: number, send: () => Promise<Response>): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) await (await send()).text();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
