/** Measures how long a world of 10,000 documents takes to save and to load, and how long another caller waits meanwhile. */
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import {
  benchFixtures,
  CREATE,
  DOCDOUBLE_ARGS,
  HEADERS,
  load,
  makeDraft,
  median,
  processorTime,
  type Server,
  start,
  stop,
} from "./servers.ts";
import { call } from "./suite.ts";

const DOCUMENTS = 10_000;
const ROUNDS = 5;
const FILL_MS_MAX = 600_000;
/** The other caller makes a call, and the next one after this pause. Without a pause, its calls would be most of the load. */
const PAUSE_MS = 5;

interface Work {
  real_ms: number;
  processor_ms: number;
  longestWait_ms: number;
}

/** Does some work while another caller reads a status again and again. */
async function beside(server: Server, path: string, work: () => Promise<unknown>): Promise<Work> {
  const agent = new Agent({ keepAlive: true });
  let hasEnded = false;
  let longestWait_ms = 0;
  const calls = async () => {
    while (!hasEnded) {
      const asked = performance.now();
      await call(agent, server.url + path, "GET");
      longestWait_ms = Math.max(longestWait_ms, performance.now() - asked);
      await sleep(PAUSE_MS);
    }
  };
  const [begun, before] = [performance.now(), processorTime(server)];
  const caller = calls();
  try {
    await work();
  } finally {
    hasEnded = true;
  }
  const figures = { real_ms: performance.now() - begun, processor_ms: (processorTime(server) - before) / 1000 };
  await caller;
  agent.destroy();
  return { ...figures, longestWait_ms };
}

export async function worldFileTable(): Promise<string> {
  const server = await start([...DOCDOUBLE_ARGS, "--fixtures", benchFixtures()], "/__admin/health");
  const world = async (method: string, body?: Buffer) => {
    const answer = await fetch(`${server.url}/__admin/world`, {
      method,
      headers: HEADERS,
      ...(body === undefined ? {} : { body }),
    });
    if (!answer.ok) throw new Error(`${method} of a world was answered ${answer.status}: ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  try {
    const path = `/public/v1/documents/${await makeDraft(server)}`;
    await load(`${server.url}/public/v1/documents`, "POST", CREATE, FILL_MS_MAX, DOCUMENTS - 1);
    await fetch(`${server.url}/__admin/clock/advance`, { method: "POST", headers: HEADERS, body: '{"by":"10s"}' });
    let file = Buffer.alloc(0);
    const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
      "neither, for a second": () => sleep(1000),
      save: async () => {
        file = await world("GET");
      },
      load: () => world("PUT", file),
    };
    const rows = new Map<string, Work[]>();
    for (let i = 0; i < ROUNDS; i++)
      for (const [name, work] of Object.entries(kinds))
        rows.set(name, [...(rows.get(name) ?? []), await beside(server, path, work)]);
    const ms = (all: Work[], part: keyof Work) => `${Math.round(median(all.map((one) => one[part]))).toLocaleString("en")} ms`;
    return [
      `| ${DOCUMENTS.toLocaleString("en")} documents, ${(file.length / 2 ** 20).toFixed(1)} MiB | real time | processor time | longest wait of another caller |`,
      "|---|---|---|---|",
      ...[...rows].map(
        ([name, all]) => `| ${name} | ${ms(all, "real_ms")} | ${ms(all, "processor_ms")} | ${ms(all, "longestWait_ms")} |`,
      ),
    ].join("\n");
  } finally {
    await stop(server);
  }
}
