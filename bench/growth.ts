/** Measures whether the cost of a call stays flat while the documents of a world grow, in memory and in a data file. No call uses a socket. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchFixtures, CREATE, createSandbox, cpuPerCall, HEADERS, median, type Sandbox } from "./servers.ts";

const SIZES = [100, 1000, 10_000];
const ROUNDS = 12;
const CALLS_PER_ROUND = 60;
const OPTIONS = { seed: 1, clock: "frozen", now: "2026-01-01T00:00:00Z", journalMax: 100 } as const;

interface World {
  calls: Record<string, () => Promise<Response>>;
  /** Milliseconds to open the sandbox again from its data file. */
  open_ms: number;
  close(): Promise<void>;
}

async function worldOf(size: number): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-bench-"));
  const options = { ...OPTIONS, fixtures: benchFixtures(), data: join(folder, "state.jsonl") };
  const post = (sandbox: Sandbox) => sandbox.fetch("/public/v1/documents", { method: "POST", headers: HEADERS, body: CREATE });
  const filled = await createSandbox(options);
  let id = "";
  for (let i = 0; i < size; i++) ({ id } = (await (await post(filled)).json()) as { id: string });
  await filled.clock.advance("10s");
  await filled.close();
  const begun = performance.now();
  const sandbox = await createSandbox(options);
  const open_ms = performance.now() - begun;
  const get = (path: string) => () => sandbox.fetch(`/public/v1/documents${path}`, { headers: HEADERS });
  return {
    calls: {
      status: get(`/${id}`),
      details: get(`/${id}/details`),
      create: () => post(sandbox),
      "list of ten": get("?count=10"),
      "list by status and name": get("?status=1&order_by=name&count=10"),
      "search by text": get("?q=offer&count=10"),
    },
    open_ms,
    async close() {
      await sandbox.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A row for each call: µs at each size, and the ratio of the largest to the smallest. */
export async function growthTable(): Promise<string> {
  const worlds: World[] = [];
  for (const size of SIZES) worlds.push(await worldOf(size));
  const names = Object.keys(worlds[0]?.calls ?? {});
  const rows: string[] = [];
  for (const name of names) {
    const costs: number[][] = worlds.map(() => []);
    // The worlds take turns, because the speed of a machine changes within a minute.
    for (let round = 0; round < ROUNDS; round++)
      for (const [i, { calls }] of worlds.entries()) {
        const cost = await cpuPerCall(CALLS_PER_ROUND, calls[name] as () => Promise<Response>);
        if (round > 2) costs[i]?.push(cost);
      }
    rows.push(row(name, costs.map(median), "µs"));
  }
  rows.push(
    row(
      "open the data file",
      worlds.map((one) => one.open_ms),
      "ms",
    ),
  );
  for (const one of worlds) await one.close();
  const heads = SIZES.map((size) => `${size.toLocaleString("en")} documents`);
  return [`| call | ${heads.join(" | ")} | times as much |`, `|---|${"---|".repeat(SIZES.length)}---|`, ...rows].join("\n");
}

function row(name: string, figures: readonly number[], unit: string): string {
  const [first = Number.NaN, last = first] = [figures[0], figures.at(-1)];
  return `| ${name} | ${figures.map((one) => `${Math.round(one)} ${unit}`).join(" | ")} | ${(last / first).toFixed(1)} |`;
}
