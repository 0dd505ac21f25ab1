/**
 * Measures calls per second of the built package and of servers that do less. The servers take turns of half a second, so that a busy
 * moment of the machine affects all of them.
 */
import type { Figure } from "./figures.ts";
import {
  benchFixtures,
  CREATE,
  DOCDOUBLE_ARGS,
  type HEADERS,
  type Load,
  load,
  makeDraft,
  median,
  resident,
  sampleOf,
  type Server,
  start,
  stop,
} from "./servers.ts";

const WARM_UP_MS = 1500;
const SLICE_MS = 500;
const ROUNDS = 9;

interface Contest {
  method: string;
  path: string;
  body?: string;
  headers?: typeof HEADERS & Record<string, string>;
}

/** Loads the servers in turns. Returns the median rate and p99 of each. */
async function compete(servers: Readonly<Record<string, [Server, Contest]>>): Promise<Record<string, Load>> {
  const loads: Record<string, Load[]> = {};
  const run = ([server, { method, path, body, headers }]: [Server, Contest], ms: number) =>
    load(server.url + path, method, body, ms, undefined, headers);
  for (const one of Object.values(servers)) await run(one, WARM_UP_MS);
  for (let i = 0; i < ROUNDS; i++)
    for (const [name, one] of Object.entries(servers)) {
      loads[name] ??= [];
      loads[name].push(await run(one, SLICE_MS));
    }
  const middle = (all: Load[], figure: keyof Load) => median(all.map((one) => one[figure]));
  return Object.fromEntries(
    Object.entries(loads).map(([name, all]) => [name, { perSecond: middle(all, "perSecond"), p99_ms: middle(all, "p99_ms") }]),
  );
}

function rate(what: string, ours: number | undefined, name: string, value: number | undefined, ratio: number): Figure {
  return {
    what,
    ours: ours ?? Number.NaN,
    limit: { name, value: value ?? Number.NaN },
    unit: "calls/s",
    goal: { at: "least", ratio },
  };
}

export async function measureRates(): Promise<Figure[]> {
  const double = await start([...DOCDOUBLE_ARGS, "--fixtures", benchFixtures()], "/__admin/health");
  const id = await makeDraft(double);
  const sample = await sampleOf(double, id);
  const get = { method: "GET", path: `/public/v1/documents/${id}` };
  const details = { method: "GET", path: `/public/v1/documents/${id}/details` };
  const create = { method: "POST", path: "/public/v1/documents", body: CREATE };
  const hello = { method: "GET", path: "/" };
  const body = await (await fetch(double.url + get.path, { headers: { authorization: "API-Key docdouble-key" } })).text();
  const bare = await start(["bench/bare.mjs", "200", body], "/");
  const hono = await start(["bench/hono.mjs"], "/");
  const ideal = await start(["bench/ideal.mjs", sample], "/");
  const status = await compete({ ours: [double, get], hono: [hono, hello], bare: [bare, hello], ideal: [ideal, get] });
  const whole = await compete({ ours: [double, details], ideal: [ideal, details] });
  const made = await compete({ ours: [double, create], ideal: [ideal, create] });
  const memory = { ours: resident(double), ideal: resident(ideal) };
  await Promise.all([double, bare, hono, ideal].map(stop));
  const most = (what: string, ours: number, unit: string, name: string, value: number): Figure => ({
    ...{ what, ours, unit, limit: { name, value } },
    goal: { at: "most", ratio: 1 },
  });
  const [create_p99, ideal_p99] = [made.ours?.p99_ms ?? Number.NaN, made.ideal?.p99_ms ?? Number.NaN];
  return [
    rate("`statusDocument`", status.ours?.perSecond, "hono hello", status.hono?.perSecond, 1),
    rate("`statusDocument`", status.ours?.perSecond, "ideal", status.ideal?.perSecond, 1),
    rate("`statusDocument`", status.ours?.perSecond, "bare node:http", status.bare?.perSecond, 0.3),
    rate("`detailsDocument`: 2 recipients, 10 fields, pricing", whole.ours?.perSecond, "ideal", whole.ideal?.perSecond, 1),
    rate("`createDocument` from that template", made.ours?.perSecond, "ideal", made.ideal?.perSecond, 1.25),
    most("p99 of `createDocument` under load", create_p99, "ms", "ideal", ideal_p99),
    most("resident memory after this load", memory.ours, "MiB", "ideal", memory.ideal),
  ];
}
