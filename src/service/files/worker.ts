/**
 * The program of a file process. It does one job at a time, and ends with its server. A thread kills the process beyond its time or memory
 * limit: nothing else stops a library that loops or fills memory.
 */
import { Worker } from "node:worker_threads";
import { messageOf } from "../../engine/core/text.ts";
import { type FileJob, JOBS } from "./jobs.ts";
import { FileError, LIMITS } from "./limits.ts";

export interface Ask {
  job: FileJob;
  input: unknown;
}

export type Outcome = { is: "done"; output: unknown } | { is: "failed"; fault: FileError["fault"]; message: string };

/** `memory_bytes`: what the process holds after the job. */
export type Reply = Outcome & { memory_bytes: number };

/** The number of jobs that began and ended, which is odd while one runs, and a zero to wait on. */
const state = new Int32Array(new SharedArrayBuffer(8));

/** Plain JavaScript in a string, so that the thread needs no file beside the bundle. */
const WATCHDOG = `
const { workerData: { state, memory_bytes, processor_ms, server } } = require("node:worker_threads");
const end = (reason) => {
  require("node:fs").writeSync(2, reason);
  process.kill(process.pid, "SIGKILL");
};
let seen = 0;
let before = 0;
for (;;) {
  Atomics.wait(state, 1, 0, 25);
  const now = Atomics.load(state, 0);
  const { user, system } = process.cpuUsage();
  if (now !== seen) [seen, before] = [now, user + system];
  if (now % 2 === 1 && user + system - before > processor_ms * 1000) end("limit: time");
  if (process.memoryUsage.rss() > memory_bytes) end("limit: memory");
  try {
    process.kill(server, 0);
  } catch (error) {
    if (error.code === "ESRCH") end("the server is gone");
  }
}`;

const { memory_bytes, processor_ms } = LIMITS;
const workerData = { state, memory_bytes, processor_ms, server: process.ppid };
new Worker(WATCHDOG, { eval: true, execArgv: [], workerData }).unref();

process.on("message", async (ask: Ask) => {
  Atomics.add(state, 0, 1);
  const outcome = await outcomeOf(ask);
  Atomics.add(state, 0, 1);
  process.send?.({ ...outcome, memory_bytes: process.memoryUsage.rss() } satisfies Reply);
});
process.on("disconnect", () => process.exit());

async function outcomeOf({ job, input }: Ask): Promise<Outcome> {
  try {
    return { is: "done", output: await JOBS[job](input as never) };
  } catch (error) {
    return { is: "failed", fault: error instanceof FileError ? error.fault : "unreadable", message: messageOf(error) };
  }
}
