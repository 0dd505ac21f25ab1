/**
 * Child processes for work on files, shared by all tenants. The first job starts one. An idle process does not keep the server
 * alive and ends after `IDLE_MS`. A process beyond a limit is killed, and its job fails with the reason. Decision 10 says why
 * threads are not enough.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inPackage } from "../../engine/core/package-root.ts";
import { systemClock } from "../../engine/core/clock.ts";
import { FrameReader, toFrame } from "./frames.ts";
import type { FileJob, FileJobs } from "./jobs.ts";
import { FileError, LIMITS, timeOf } from "./limits.ts";
import type { Ask, Reply } from "./worker.ts";

/** One reads and one writes, so that no download waits for files read in the background. */
const PROCESSES_MAX = 2;
const READERS_MAX = 1;
const IDLE_MS = 10_000;
/** A process that holds more bytes after a job is replaced. */
const IDLE_MEMORY_MAX = 300 * 1024 * 1024;
const QUEUE_MAX = 1000;

interface Job {
  ask: Ask;
  done: (output: unknown) => void;
  failed: (error: FileError) => void;
}

export interface Running<Output> {
  output: Promise<Output>;
  stop(): void;
}

const processes = new Set<FileProcess>();
const queue: Job[] = [];

export function runJob<Kind extends FileJob>(kind: Kind, input: FileJobs[Kind]["input"]): Running<FileJobs[Kind]["output"]> {
  let stop = () => {};
  const output = new Promise<unknown>((done, failed) => {
    const job: Job = { ask: { job: kind, input }, done, failed };
    stop = () => stopJob(job);
    if (queue.length >= QUEUE_MAX) failed(new FileError("limit", `${QUEUE_MAX} files already wait to be read or written`));
    else queue.push(job);
    next();
  });
  return { output: output as Promise<FileJobs[Kind]["output"]>, stop };
}

function next(): void {
  for (;;) {
    const readers = [...processes].filter((one) => one.isReading).length;
    const job = queue.find((one) => one.ask.job !== "read") ?? (readers < READERS_MAX ? queue[0] : undefined);
    if (!job) return;
    const idle = [...processes].find((one) => one.isIdle) ?? (processes.size < PROCESSES_MAX ? open() : undefined);
    if (!idle) return;
    queue.splice(queue.indexOf(job), 1);
    idle.take(job);
  }
}

function open(): FileProcess {
  if (processes.size === 0) process.once("exit", endBusy);
  const one = new FileProcess(() => {
    processes.delete(one);
    if (processes.size === 0) process.off("exit", endBusy);
    next();
  });
  processes.add(one);
  return one;
}

/** Without a job, a process ends when its input closes, as it does with the server. Until then it may save compiled code. */
function endBusy(): void {
  for (const one of processes) if (one.isBusy) one.end();
}

function stopJob(job: Job): void {
  const place = queue.indexOf(job);
  if (place >= 0) queue.splice(place, 1);
  else for (const one of processes) if (one.isAt(job)) one.end();
  job.failed(new FileError("stopped", "the server stopped before the file was done"));
}

/**
 * Arguments of Node for a file process: the bundle beside this one. In the repository, the built bundle when it is newer than the
 * sources, or else the source, which tsx loads slowly.
 */
function program(): string[] {
  const bundle = fileURLToPath(new URL("./files-worker.js", import.meta.url));
  if (existsSync(bundle)) return [bundle];
  const built = fileURLToPath(inPackage("dist/files-worker.js"));
  const sources = fileURLToPath(inPackage("src/"));
  if (existsSync(built) && statSync(built).mtimeMs > newest(sources)) return [built];
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  return ["--import", loader, fileURLToPath(new URL("./worker.ts", import.meta.url))];
}

function newest(sources: string): number {
  const files = ["engine/core", "service/files"].flatMap((name) =>
    readdirSync(join(sources, name)).map((file) => join(sources, name, file)),
  );
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}

/** Without the options of the server's process, such as inspectors, loaders and coverage. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, NODE_V8_COVERAGE: __, ...rest } = process.env;
  return rest;
}

class FileProcess {
  readonly #child: ChildProcess;
  readonly #frames = new FrameReader();
  readonly #onEnd: () => void;
  #job: Job | undefined;
  #reason = "";
  #isEnded = false;
  #cancelTimer = () => {};

  constructor(gone: () => void) {
    this.#onEnd = gone;
    const flags = [`--max-old-space-size=${LIMITS.heap_mb}`, "--max-semi-space-size=16"];
    this.#child = spawn(process.execPath, [...flags, ...program()], {
      stdio: ["pipe", "pipe", "pipe"],
      env: environment(),
      windowsHide: true,
    });
    const { stdin, stdout, stderr } = this.#child;
    stdin?.on("error", () => {});
    stdout?.on("error", () => {});
    stdout?.on("data", (chunk: Buffer) => this.#receive(chunk));
    stderr?.on("data", (chunk: Buffer) => {
      this.#reason = (this.#reason + chunk.toString()).slice(-4000);
    });
    this.#child.once("error", (error) => this.#over(`no process for files could be started: ${error.message}`));
    this.#child.once("close", () => this.#over(undefined));
    this.#hold(false);
  }

  get isBusy(): boolean {
    return this.#job !== undefined;
  }

  get isIdle(): boolean {
    return !this.isBusy && !this.#isEnded;
  }

  get isReading(): boolean {
    return this.#job?.ask.job === "read";
  }

  isAt(job: Job): boolean {
    return this.#job === job;
  }

  take(job: Job): void {
    this.#job = job;
    this.#hold(true);
    this.#cancelTimer();
    this.#cancelTimer = systemClock.after(LIMITS.wall_ms, () => {
      this.#reason = "limit: wall";
      this.end();
    });
    const [head, body] = toFrame(job.ask);
    if (body.length > LIMITS.input_bytes) {
      this.#settle((one) => one.failed(new FileError("limit", `the file has more than ${LIMITS.input_bytes} bytes`)));
      return;
    }
    this.#child.stdin?.write(head);
    this.#child.stdin?.write(body);
  }

  end(): void {
    this.#isEnded = true;
    this.#child.kill("SIGKILL");
  }

  /** Takes no further job. The process ends when it has read the end of its input, at the latest after `IDLE_MS`. */
  #retire(): void {
    this.#isEnded = true;
    this.#child.stdin?.end();
  }

  #receive(chunk: Buffer): void {
    let frame: { value: unknown } | undefined;
    try {
      frame = this.#frames.push(chunk, LIMITS.output_bytes);
    } catch {
      this.#reason = "limit: output";
      this.end();
      return;
    }
    if (!frame) return;
    const reply = frame.value as Reply;
    if (reply.memory_bytes > IDLE_MEMORY_MAX) this.#retire();
    this.#settle((job) => {
      if (reply.is === "done") job.done(reply.output);
      else job.failed(new FileError(reply.fault, reply.message));
    });
  }

  #settle(finish: (job: Job) => void): void {
    const job = this.#job;
    this.#job = undefined;
    this.#cancelTimer();
    this.#hold(false);
    this.#cancelTimer = systemClock.after(IDLE_MS, () => this.end());
    if (job) finish(job);
    next();
  }

  #over(failure: string | undefined): void {
    this.#isEnded = true;
    this.#cancelTimer();
    const job = this.#job;
    this.#job = undefined;
    this.#onEnd();
    job?.failed(new FileError("limit", failure ?? reasonOf(this.#reason, job.ask.job)));
  }

  #hold(isHeld: boolean): void {
    const { stdin, stdout, stderr } = this.#child as unknown as Record<string, Partial<NodeJS.Timeout> | null>;
    for (const one of [this.#child, stdin, stdout, stderr])
      if (isHeld) one?.ref?.();
      else one?.unref?.();
  }
}

function reasonOf(stderr: string, job: FileJob): string {
  if (stderr.includes("limit: time")) return `the file takes more than ${timeOf(job) / 1000} s of processor time`;
  if (stderr.includes("limit: wall")) return `the file was not done within ${LIMITS.wall_ms / 1000} s`;
  if (stderr.includes("limit: output")) return `the file becomes larger than ${LIMITS.output_bytes / 1024 / 1024} MiB`;
  return `the file takes more memory than ${LIMITS.memory_bytes / 1024 / 1024} MiB`;
}
