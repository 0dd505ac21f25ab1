/**
 * `npm run soak -- --worst --minutes 60` lets the worst caller use the built command with a heap of 2 GiB. The caller leaves sessions,
 * streams, sleeps and uploads open, saves and loads worlds, drops tenants, and moves clocks. At the end the server must still answer
 * correctly, and must stop.
 */
import { appendFileSync } from "node:fs";
import type { ChildProcess } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Caller, type CallerTally } from "./caller.ts";
import { startCommand } from "./command.ts";
import { HABITS, type Surroundings } from "./habits.ts";

export interface WorstOptions {
  minutes: number;
  /** Pause of each habit between two rounds, in ms. */
  pause_ms: number;
  /** The server keeps its state in this file. */
  data?: string | undefined;
  /** Names of the habits. Default all. */
  habits?: readonly string[] | undefined;
  /** Each sample is added to this file as a line of JSON. */
  samples?: string | undefined;
  onSample?: ((text: string) => void) | undefined;
}

/** One sample of the server, every ten seconds. Sizes are in bytes. `live` is the heap after the last full collection. */
export interface Sample {
  at_s: number;
  rss: number;
  heap: number;
  live: number;
  external: number;
  arrayBuffers: number;
  late_ms: number;
  lateP99_ms: number;
  cpu_s: number;
  handles: Record<string, number>;
}

export interface WorstFigures {
  minutes: number;
  tally: CallerTally;
  rounds: Record<string, number>;
  samples: Sample[];
  /** Wrong answers after the hour. Empty when all is well. */
  after: string[];
  /** Bytes of live objects before the first call, after the last one, and after all tenants are gone. What stays is lost. */
  live: { first: number; last: number; cleared: number };
  /** Tenants at the end. The caller leaves most of them. */
  tenants: number;
  /** Real time from the interrupt to the end, and the exit code. */
  stop: { ms: number; code: number | null };
}

const HEAP_MIB = 2048;
const STOP_MS_MAX = 30_000;
const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);

export async function worstCaller(options: WorstOptions): Promise<WorstFigures> {
  const flags = [`--max-old-space-size=${HEAP_MIB}`, "--expose-gc", "--import", "./bench/soak/sampler.mjs"];
  const { process: child, url, ended } = await startCommand(options.data === undefined ? [] : ["--data", options.data], flags);
  const receivers = await hostileReceivers();
  try {
    const tally: CallerTally = { answered: 0, statuses: {}, wrong: [], dropped: 0 };
    const figures: WorstFigures = {
      minutes: options.minutes,
      tally,
      rounds: {},
      samples: [],
      after: [],
      live: { first: await liveBytes(child), last: 0, cleared: 0 },
      tenants: 0,
      stop: { ms: 0, code: null },
    };
    const began = performance.now();
    child.on("message", (message: object) => {
      if ("collected" in message) return;
      const sample = { at_s: Math.round((performance.now() - began) / 1000), ...(message as Omit<Sample, "at_s">) };
      figures.samples.push(sample);
      if (options.samples) appendFileSync(options.samples, `${JSON.stringify({ ...sample, answered: tally.answered })}\n`);
      options.onSample?.(sampleText(sample, tally));
    });
    const end = began + options.minutes * 60_000;
    let hasEnded = false;
    void ended.then(() => {
      hasEnded = true;
    });
    const names = options.habits ?? Object.keys(HABITS);
    await Promise.all(
      names.map(async (name) => {
        const caller = new Caller(url, name, tally);
        for (let round = 0; performance.now() < end && !hasEnded; round++) {
          await HABITS[name]?.(caller, round, receivers.addresses);
          figures.rounds[name] = round + 1;
          await sleep(options.pause_ms);
        }
      }),
    );
    if (hasEnded) throw new Error(`the server ended with ${await ended} after ${tally.answered} answers`);
    figures.after = await checkAnswers(new Caller(url, "after", tally));
    // Connections of dropped calls end, and what they held is free.
    await sleep(Math.min(60_000, options.minutes * 6000));
    figures.live.last = await liveBytes(child);
    figures.tenants = await dropTenants(new Caller(url, "after", tally));
    figures.live.cleared = await liveBytes(child);
    const asked = performance.now();
    child.kill("SIGINT");
    const code = await Promise.race([ended, sleep(STOP_MS_MAX, null, { ref: false })]);
    figures.stop = { ms: performance.now() - asked, code };
    return figures;
  } finally {
    child.kill("SIGKILL");
    receivers.close();
  }
}

function sampleText({ at_s, rss, live, heap, late_ms, lateP99_ms, handles }: Sample, tally: CallerTally): string {
  const open = Object.entries(handles).map(([name, count]) => `${count} ${name}`);
  return `${at_s} s: ${tally.answered} answers, ${tally.dropped} dropped, ${tally.wrong.length} wrong, ${mib(rss)} MiB, heap ${mib(heap)}, live ${mib(live)}, late ${late_ms.toFixed(0)} ms, p99 ${lateP99_ms.toFixed(0)} ms, ${open.join(", ")}`;
}

/** Collects garbage in the server. Returns the bytes of its live objects. */
function liveBytes(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    const listen = (message: object) => {
      if (!("collected" in message)) return;
      child.off("message", listen);
      resolve(message.collected as number);
    };
    child.on("message", listen);
    child.send("collect");
  });
}

/** Returns the number of tenants that there were. The default tenant begins anew. */
async function dropTenants(caller: Caller): Promise<number> {
  const { body } = await caller.ask("GET", "/__admin/tenants", {});
  const ids = (body.tenants as { id: string }[]).map(({ id }) => id);
  for (const id of ids) await caller.ask("DELETE", `/__admin/tenants/${encodeURIComponent(id)}`, {});
  await caller.ask("POST", "/__admin/reset", {});
  return ids.length;
}

/** A story in a new tenant has the same answers as at the beginning. */
async function checkAnswers(caller: Caller): Promise<string[]> {
  const wrong: string[] = [];
  const key = "test-after-the-hour";
  const expect = async (
    method: string,
    path: string,
    status: number,
    body?: object,
    is?: (body: Record<string, unknown>) => boolean,
  ) => {
    const answer = await caller.ask(method, path, { key, body });
    if (answer.status !== status || (is && !is(answer.body)))
      wrong.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`);
    return answer.body;
  };
  await expect("POST", "/__admin/transitions", 200, { model: "document.processing", progression: "immediate" });
  const recipients = [{ email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" }];
  const made = await expect("POST", "/public/v1/documents", 201, {
    name: "After",
    template_uuid: "TemplateOneSignerxxxxx",
    recipients,
  });
  const path = `/public/v1/documents/${made?.id}`;
  const has = (status: string) => (body: Record<string, unknown>) => body.status === status;
  await expect("GET", path, 200, undefined, has("document.draft"));
  await expect("POST", `${path}/send`, 200, {}, has("document.sent"));
  await expect("POST", `/__admin/documents/${made?.id}/simulate/sign`, 200, {});
  await expect("GET", `${path}/details`, 200, undefined, has("document.completed"));
  await expect("GET", "/health", 200, undefined, has("healthy"));
  await expect("DELETE", path, 204);
  await expect("GET", path, 404);
  return wrong;
}

/** Receivers that hang, refuse, fail, and answer without an end. */
async function hostileReceivers(): Promise<{ addresses: Surroundings; close(): void }> {
  const server = createServer((request, response) => {
    request.on("error", () => {});
    response.on("error", () => {});
    if (request.url?.startsWith("/hang")) return;
    if (request.url?.startsWith("/fail")) return void response.writeHead(500).end("no");
    response.writeHead(200);
    const timer = setInterval(() => response.write("x".repeat(1000)), 50);
    response.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const addresses = {
    hanging: `${base}/hang`,
    refusing: "http://127.0.0.1:9/",
    failing: `${base}/fail`,
    endless: `${base}/endless`,
  };
  return {
    addresses,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
