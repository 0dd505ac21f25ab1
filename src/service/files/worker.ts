/**
 * The program of a file process. It reads one job at a time from standard input, answers on standard output, and ends with its
 * server. A thread kills the process beyond its time or memory limit: nothing else stops a library that loops or fills memory.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { messageOf } from "../../engine/core/text.ts";
import { BundleRunner } from "../../engine/start/bundle-runner.ts";
import { FrameReader, toFrame } from "./frames.ts";
import { type FileJob, LOADERS } from "./jobs.ts";
import { FileError, LIMITS, timeOf } from "./limits.ts";

export interface Ask {
  job: FileJob;
  input: unknown;
}

export type Reply =
  | { is: "done"; output: unknown; memory_bytes: number }
  | { is: "failed"; fault: FileError["fault"]; message: string; memory_bytes: number };

/** Without its server, an idle process ends as soon as it reads the end of its input. A busy one is killed after this time. */
const ORPHAN_MS = 1000;
/** A job that takes this long saves the code before its answer. */
const SAVE_CACHE_AFTER_MS = 3000;

const state = new Int32Array(new SharedArrayBuffer(12));

/** Plain JavaScript in a string, so that the thread needs no file beside the bundle. */
const WATCHDOG = `
const { workerData: { state, memory_bytes, server, tick_ms, orphan_ms } } = require("node:worker_threads");
const { writeSync } = require("node:fs");
const end = (reason) => {
  try { writeSync(2, reason); } catch {}
  process.kill(process.pid, "SIGKILL");
};
let seen = 0;
let before = 0;
let orphan_for = 0;
for (;;) {
  Atomics.wait(state, 2, 0, tick_ms);
  const now = Atomics.load(state, 0);
  const { user, system } = process.cpuUsage();
  if (now !== seen) [seen, before] = [now, user + system];
  if (now % 2 === 1 && user + system - before > Atomics.load(state, 1) * 1000) end("limit: time");
  if (process.memoryUsage.rss() > memory_bytes) end("limit: memory");
  try {
    process.kill(server, 0);
  } catch (error) {
    if (error.code === "ESRCH") orphan_for += tick_ms;
    if (orphan_for > orphan_ms) end("the server is gone");
  }
}`;

// Standard output carries answers, so libraries must not print.
for (const name of ["log", "info", "warn", "error", "debug"] as const) console[name] = () => {};

new Worker(WATCHDOG, {
  eval: true,
  execArgv: [],
  workerData: { state, memory_bytes: LIMITS.memory_bytes, server: process.ppid, tick_ms: 25, orphan_ms: ORPHAN_MS },
}).unref();

// In the package, the libraries for PDF files are bundles, which start from compiled code. Bun has no such code.
const pdfLibraries = ["./pdf-lib.cjs", "./pdf-reader.cjs"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const hasBundles = pdfLibraries.every((file) => existsSync(file)) && process.versions.bun === undefined;
const bundles = new BundleRunner(hasBundles ? SAVE_CACHE_AFTER_MS : undefined);
if (hasBundles) for (const file of pdfLibraries) bundles.runLater(file);

const frames = new FrameReader();
process.stdin.on("data", (chunk: Buffer) => {
  const frame = frames.push(chunk, Number.POSITIVE_INFINITY);
  if (frame) void answer(frame.value as Ask);
});
process.stdin.on("end", () => process.exit());

async function answer({ job, input }: Ask): Promise<void> {
  const reply = await replyTo(job, input);
  const [head, body] = toFrame({ ...reply, memory_bytes: process.memoryUsage.rss() });
  process.stdout.write(head);
  process.stdout.write(body);
  // The answer comes first. By now Node has compiled what most files need.
  bundles.save();
}

async function replyTo(job: FileJob, input: unknown): Promise<Reply> {
  try {
    const run = await LOADERS[job](input as never);
    Atomics.store(state, 1, timeOf(job));
    Atomics.add(state, 0, 1);
    try {
      return { is: "done", output: await run(input as never), memory_bytes: 0 };
    } finally {
      Atomics.add(state, 0, 1);
    }
  } catch (error) {
    const fault = error instanceof FileError ? error.fault : "unreadable";
    return { is: "failed", fault, message: messageOf(error), memory_bytes: 0 };
  }
}
