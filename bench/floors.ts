/**
 * Measures the lowest possible cost for the goals that docdouble misses. It compares docdouble with servers that add one required duty
 * after another (`floor-server.ts`). Each table shows which duty already misses the goal.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { Hono } from "hono";
import type { Contest } from "./rates.ts";
import {
  benchFixtures,
  CREATE,
  DOCDOUBLE_ARGS,
  HEADERS,
  load,
  makeDraft,
  median,
  processorTime,
  removeCompiled,
  resident,
  sampleOf,
  type Server,
  start,
  stop,
} from "./servers.ts";
import { type Contestant, suite } from "./suite.ts";

const { createSandbox } = (await import(new URL("../dist/index.js", import.meta.url).href)) as typeof import("../src/index.ts");

export type Duty = "key" | "checks" | "ids" | "template" | "events" | "journal" | "code" | "compiled code";

const WARM_UP_TURNS = 2;
const TURNS = 6;
const STATUS_CALLS = 10_000;
const CREATES = 2500;
/** Time limit of a turn. */
const TURN_MS = 20_000;
const STARTS = 9;
const SUITES = 5;
const IN_PROCESS_CALLS = 3000;

const DOCUMENTS = "/public/v1/documents";

/** The servers of one table, by the names of their rows. */
type Ladder = Readonly<Record<string, Server>>;

interface Measured {
  perSecond: number;
  /** Processor time of all threads, per call. */
  processor_us: number;
  p99_ms: number;
  /** Resident memory after all turns. */
  memory_MiB: number;
}

/** Makes the same number of calls to each server, in turns. Returns the medians of the turns. */
async function inTurns(servers: Ladder, contestOf: (name: string) => Contest, calls: number): Promise<Record<string, Measured>> {
  const rates: Record<string, number[]> = {};
  const p99s: Record<string, number[]> = {};
  const costs: Record<string, number[]> = {};
  for (let turn = 0; turn < WARM_UP_TURNS + TURNS; turn++)
    for (const [name, server] of Object.entries(servers)) {
      const { method, path, body } = contestOf(name);
      const before = processorTime(server);
      const { perSecond, p99_ms } = await load(server.url + path, method, body, TURN_MS, calls);
      if (turn < WARM_UP_TURNS) continue;
      rates[name] = [...(rates[name] ?? []), perSecond];
      p99s[name] = [...(p99s[name] ?? []), p99_ms];
      costs[name] = [...(costs[name] ?? []), (processorTime(server) - before) / calls];
    }
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      {
        perSecond: median(rates[name] ?? []),
        processor_us: median(costs[name] ?? []),
        p99_ms: median(p99s[name] ?? []),
        memory_MiB: resident(server),
      },
    ]),
  );
}

interface Goal {
  /** The row that all others are compared with. */
  of: string;
  at: "least" | "most";
  ratio: number;
}

/** A figure with its ratio, in bold when it misses the goal. */
function cell(value: number, reference: number, unit: string, { at, ratio }: Goal): string {
  const reached = value / reference;
  const isMissed = at === "least" ? reached < ratio : reached > ratio;
  const shown = `${value >= 1000 ? Math.round(value).toLocaleString("en") : value.toFixed(value < 100 ? 1 : 0)}${unit} (${reached.toFixed(2)})`;
  return isMissed ? `**${shown}**` : shown;
}

function rowsOf(columns: Readonly<Record<string, { values: Record<string, number>; unit: string; goal: Goal }>>): string {
  const names = Object.keys(Object.values(columns)[0]?.values ?? {});
  const head = Object.entries(columns).map(
    ([name, { goal }]) => `${name}, ${goal.at === "least" ? "≥" : "≤"} ${goal.ratio} × ${goal.of}`,
  );
  const rows = names.map((name) => {
    const cells = Object.values(columns).map(({ values, unit, goal }) =>
      cell(values[name] ?? Number.NaN, values[goal.of] ?? Number.NaN, unit, goal),
    );
    return `| ${name} | ${cells.join(" | ")} |`;
  });
  return [`| what the server does | ${head.join(" | ")} |`, `|---|${head.map(() => "---|").join("")}`, ...rows].join("\n");
}

function column<Row>(measured: Readonly<Record<string, Row>>, read: (row: Row) => number): Record<string, number> {
  return Object.fromEntries(Object.entries(measured).map(([name, row]) => [name, read(row)]));
}

/** Returns the arguments that start the bundled reference server with these duties. */
type Floor = (...duties: Duty[]) => readonly string[];

async function statusFloors(double: Server, id: string, floor: Floor): Promise<string> {
  const servers: Ladder = {
    hono: await start(["bench/hono.mjs"], "/"),
    "finds the document and answers it": await start(floor(), "/"),
    "checks the key": await start(floor("key"), "/"),
    "checks the parameters": await start(floor("key", "checks"), "/"),
    "keeps the journal": await start(floor("key", "checks", "journal"), "/"),
    docdouble: double,
  };
  const path = `${DOCUMENTS}/${id}`;
  const measured = await inTurns(servers, (name) => ({ method: "GET", path: name === "hono" ? "/" : path }), STATUS_CALLS);
  await stopAll(servers, double);
  const goal: Goal = { of: "hono", at: "least", ratio: 1 };
  return rowsOf({
    "status, calls/s": { values: column(measured, (one) => one.perSecond), unit: "", goal },
    "processor time": { values: column(measured, (one) => one.processor_us), unit: " µs", goal: { ...goal, at: "most" } },
  });
}

async function createFloors(double: Server, sample: string, floor: Floor): Promise<string> {
  const servers: Ladder = {
    ideal: await start(["bench/ideal.mjs", sample], DOCUMENTS),
    "checks the key and the whole body": await start(floor("key", "checks"), "/"),
    "gives recipients, fields and tables ids, and shares the rest": await start(floor("key", "checks", "ids"), "/"),
    "copies the template, so that each document can change": await start(floor("key", "checks", "template"), "/"),
    "plans the conversion, announces events": await start(floor("key", "checks", "template", "events"), "/"),
    "keeps the journal": await start(floor("key", "checks", "template", "events", "journal"), "/"),
    "does all of this, but shares content with the template": await start(
      floor("key", "checks", "ids", "events", "journal"),
      "/",
    ),
    docdouble: double,
  };
  const measured = await inTurns(servers, () => ({ method: "POST", path: DOCUMENTS, body: CREATE }), CREATES);
  await stopAll(servers, double);
  const most: Goal = { of: "ideal", at: "most", ratio: 1 };
  return rowsOf({
    "create, calls/s": {
      values: column(measured, (one) => one.perSecond),
      unit: "",
      goal: { ...most, at: "least", ratio: 1.25 },
    },
    "processor time": { values: column(measured, (one) => one.processor_us), unit: " µs", goal: { ...most, ratio: 0.8 } },
    p99: { values: column(measured, (one) => one.p99_ms), unit: " ms", goal: most },
    memory: { values: column(measured, (one) => one.memory_MiB), unit: " MiB", goal: most },
  });
}

async function stopAll(servers: Ladder, but: Server): Promise<void> {
  await Promise.all(Object.values(servers).map((one) => (one === but ? undefined : stop(one))));
}

/** Time in ms from the start of an empty program to its end. */
function emptyNode(): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve) => spawn(process.execPath, ["-e", "0"]).once("exit", () => resolve(performance.now() - begun)));
}

async function firstAnswer(args: readonly string[], path: string): Promise<number> {
  const server = await start(args, path);
  await stop(server);
  return server.firstAnswer_ms;
}

async function medians(runs: Readonly<Record<string, () => Promise<number>>>, rounds: number): Promise<Record<string, number>> {
  const times: Record<string, number[]> = {};
  for (let round = 0; round <= rounds; round++)
    for (const [name, run] of Object.entries(runs)) {
      const took = await run();
      // The first round warms up the disk.
      if (round > 0) times[name] = [...(times[name] ?? []), took];
    }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}

async function startFloors(floor: Floor): Promise<string> {
  // A start under other flags leaves compiled code that this Node refuses.
  removeCompiled();
  await firstAnswer(DOCDOUBLE_ARGS, DOCUMENTS);
  const hono = () => firstAnswer(["bench/hono.mjs"], "/");
  const later = await medians(
    {
      "an empty Node, until it ends": emptyNode,
      "answers by `node:http`": () => firstAnswer(["bench/bare.mjs"], "/"),
      hono,
      "hono and zod in one bundle": () => firstAnswer(floor(), "/"),
      "also loads docdouble's compiled code, and runs none": () => firstAnswer(floor("compiled code"), "/"),
      docdouble: () => firstAnswer(DOCDOUBLE_ARGS, DOCUMENTS),
    },
    STARTS,
  );
  const first = await medians(
    {
      hono,
      "hono and zod in one bundle": () => firstAnswer(floor(), "/"),
      "also parses docdouble's code, and runs none": () => firstAnswer(floor("code"), "/"),
      docdouble: () => {
        removeCompiled();
        return firstAnswer(DOCDOUBLE_ARGS, DOCUMENTS);
      },
    },
    STARTS,
  );
  const goal: Goal = { of: "hono", at: "most", ratio: 1 };
  return `${rowsOf({ "first answer": { values: later, unit: " ms", goal } })}\n\n${rowsOf({ "first answer after installing": { values: first, unit: " ms", goal: { ...goal, ratio: 1.2 } } })}`;
}

async function suiteFloors(sample: string, fixtures: string, floor: Floor): Promise<string> {
  const contestants: Record<string, Contestant> = {
    ideal: { args: ["bench/ideal.mjs", sample], first: DOCUMENTS },
    "all duties of a create, in one bundle": { args: floor("key", "checks", "template", "events", "journal"), first: "/" },
    "also loads docdouble's compiled code, and runs none": {
      args: floor("key", "checks", "template", "events", "journal", "compiled code"),
      first: "/",
    },
    docdouble: { args: [...DOCDOUBLE_ARGS, "--fixtures", fixtures], first: DOCUMENTS },
  };
  const values = await medians(
    Object.fromEntries(Object.entries(contestants).map(([name, one]) => [name, () => suite(one)])),
    SUITES,
  );
  return rowsOf({ "small suite": { values, unit: " ms", goal: { of: "ideal", at: "most", ratio: 1 } } });
}

/** Makes calls one after another. Returns the median real time per call, in microseconds. */
async function inProcess(send: () => Response | Promise<Response>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < WARM_UP_TURNS + TURNS; turn++) {
    const begun = performance.now();
    for (let i = 0; i < IN_PROCESS_CALLS; i++) await (await send()).text();
    times.push(((performance.now() - begun) * 1000) / IN_PROCESS_CALLS);
  }
  return median(times.slice(WARM_UP_TURNS));
}

async function inProcessFloors(): Promise<string> {
  await using sandbox = await createSandbox({ seed: 1, clock: "frozen", fixtures: benchFixtures() });
  const made = await sandbox.fetch(DOCUMENTS, { method: "POST", headers: HEADERS, body: CREATE });
  const { id } = (await made.json()) as { id: string };
  const text = await (await sandbox.fetch(`${DOCUMENTS}/${id}`, { headers: HEADERS })).text();
  const JSON_ONLY = { "content-type": "application/json" };
  const app = new Hono();
  app.get("*", (call) => call.body(text, 200, JSON_ONLY));
  const url = `http://localhost${DOCUMENTS}/${id}`;
  const values = {
    "a `Response`, and its text is read": await inProcess(() => new Response(text, { headers: JSON_ONLY })),
    "hono answers a constant": await inProcess(() => app.fetch(new Request(url, { headers: HEADERS }))),
    docdouble: await inProcess(() => sandbox.fetch(`${DOCUMENTS}/${id}`, { headers: HEADERS })),
  };
  const goal: Goal = { of: "30 µs", at: "most", ratio: 1 };
  const rows = Object.entries(values).map(([name, value]) => `| ${name} | ${cell(value, 30, " µs", goal)} |`);
  return ["| what a status call without a socket does | real time, ≤ 30 µs |", "|---|---|", ...rows].join("\n");
}

/** All tables, as Markdown. */
export async function measureFloors(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-floors-"));
  const outfile = join(folder, "floor.cjs");
  try {
    await build({
      entryPoints: ["bench/floor-server.ts"],
      outfile,
      ...{ bundle: true, platform: "node", format: "cjs", target: "node20.19", logLevel: "error" },
      define: { "import.meta.url": "__filename" },
    });
    const fixtures = benchFixtures();
    const double = await start([...DOCDOUBLE_ARGS, "--fixtures", fixtures], "/__admin/health");
    const id = await makeDraft(double);
    const sample = await sampleOf(double, id);
    const floor: Floor = (...duties) => [outfile, sample, ...duties];
    const tables = [await statusFloors(double, id, floor), await createFloors(double, sample, floor)];
    await stop(double);
    tables.push(await startFloors(floor), await suiteFloors(sample, fixtures, floor), await inProcessFloors());
    return tables.join("\n\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
