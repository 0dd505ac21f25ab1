/** Measures whether the cost of a call stays flat while one part of the world grows. The calls use no socket. */
import { createSandbox, hostOf } from "../src/library/sandbox.ts";
import type { Sandbox } from "../src/library/types.ts";
import { benchFixtures, CREATE, cpuPerCall, HEADERS, median } from "./servers.ts";

const ROUNDS = 15;
const CALLS_PER_ROUND = 60;
const CALLS = ["status", "details", "create", "list"] as const;
type Costs = Record<(typeof CALLS)[number], number>;

/** The parts of a world that grow: their sizes, and a function that fills a new world to a size. */
const GROWN: Readonly<Record<string, { sizes: readonly number[]; grow(sandbox: Sandbox, size: number): Promise<void> }>> = {
  documents: {
    sizes: [1000, 10_000, 100_000],
    async grow(sandbox, size) {
      const { store } = hostOf(sandbox).defaultTenant;
      const [model] = store.documents.all();
      if (!model) throw new Error("there is no document to copy");
      for (let i = 0; i < size; i++)
        store.documents.put({ ...model, id: `copy${i}`, date_created: model.date_created - 1000 - i });
    },
  },
  "journal entries": {
    sizes: [0, 1000, 10_000],
    async grow(sandbox, size) {
      for (let i = 0; i < size; i++) await (await sandbox.fetch("/public/v1/templates?count=1", { headers: HEADERS })).text();
    },
  },
  tenants: {
    sizes: [1, 100, 1000],
    async grow(sandbox, size) {
      for (let i = 1; i < size; i++)
        await sandbox.fetch("/public/v1/templates?count=1", { headers: { authorization: `API-Key test-${i}` } });
    },
  },
  rules: {
    sizes: [0, 10, 100],
    async grow(sandbox, size) {
      for (let i = 0; i < size; i++)
        sandbox.rules.add({
          name: `rule ${i}`,
          when: { operation: "createDocument", body: { name: `rule ${i}` } },
          then: { error: "throttled" },
        });
    },
  },
  "loaded scenarios": {
    sizes: [0, 1, 5],
    async grow(sandbox, size) {
      const files = ["declined", "expired", "slow-pdf", "two-signers", "approval-then-payment"];
      for (const name of files.slice(0, size)) await sandbox.scenarios.load(`scenarios/${name}.yaml`);
    },
  },
  subscriptions: {
    sizes: [0, 30, 300],
    async grow(sandbox, size) {
      for (let i = 0; i < size; i++) {
        const body = JSON.stringify({ name: `No ${i}`, url: "http://127.0.0.1:9/hook", triggers: ["document_deleted"] });
        await sandbox.fetch("/public/v1/webhook-subscriptions", { method: "POST", headers: HEADERS, body });
      }
    },
  },
};

type Calls = Record<keyof Costs, () => Promise<Response>>;

async function worldOf(grow: (sandbox: Sandbox) => Promise<void>): Promise<{ sandbox: Sandbox; calls: Calls }> {
  const sandbox = await createSandbox({
    seed: 1,
    clock: "frozen",
    now: "2026-01-01T00:00:00Z",
    fixtures: benchFixtures(),
    tenantsMax: 2000,
  });
  const made = await sandbox.fetch("/public/v1/documents", { method: "POST", headers: HEADERS, body: CREATE });
  const { id } = (await made.json()) as { id: string };
  await sandbox.clock.advance("10s");
  await grow(sandbox);
  const calls = {
    status: () => sandbox.fetch(`/public/v1/documents/${id}`, { headers: HEADERS }),
    details: () => sandbox.fetch(`/public/v1/documents/${id}/details`, { headers: HEADERS }),
    create: () => sandbox.fetch("/public/v1/documents", { method: "POST", headers: HEADERS, body: CREATE }),
    list: () => sandbox.fetch("/public/v1/documents?count=10", { headers: HEADERS }),
  };
  return { sandbox, calls };
}

/** The costs in each world. The worlds take turns, because the speed of a machine changes within a minute. */
async function costs(worlds: readonly { calls: Calls }[]): Promise<Costs[]> {
  const rounds = worlds.map((): Record<keyof Costs, number[]> => ({ status: [], details: [], create: [], list: [] }));
  for (let round = 0; round < ROUNDS; round++)
    for (const call of CALLS)
      for (const [i, { calls }] of worlds.entries()) {
        const cost = await cpuPerCall(CALLS_PER_ROUND, calls[call]);
        if (round > 2) rounds[i]?.[call].push(cost);
      }
  return rounds.map((one) => Object.fromEntries(CALLS.map((call) => [call, median(one[call])])) as Costs);
}

/** A Markdown table, one row for each growing part and call: µs at each size, and the ratio of the largest to the smallest. */
export async function flatTable(): Promise<string> {
  const rows: string[] = [];
  for (const [what, { sizes, grow }] of Object.entries(GROWN)) {
    const worlds: Awaited<ReturnType<typeof worldOf>>[] = [];
    for (const size of sizes) worlds.push(await worldOf((sandbox) => grow(sandbox, size)));
    const all = await costs(worlds);
    for (const { sandbox } of worlds) await sandbox.close();
    for (const call of CALLS) {
      const [first = Number.NaN, ...rest] = all.map((one) => one[call]);
      const last = rest.at(-1) ?? first;
      const cells = [first, ...rest].map((us) => `${Math.round(us)} µs`);
      rows.push(
        `| ${sizes.map((size) => size.toLocaleString("en")).join(" / ")} ${what} | ${call} | ${cells.join(" | ")} | ${(last / first).toFixed(1)} |`,
      );
    }
  }
  return ["| what grows | call | small | middle | large | times as much |", "|---|---|---|---|---|---|", ...rows].join("\n");
}
