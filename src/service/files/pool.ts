/**
 * Work on files in two child processes, shared by all tenants: one reads what strangers sent, the other writes, so no download waits for
 * a file that is read. Each starts with its first job and does one job at a time. While idle, it does not keep the server alive, and it
 * ends after `IDLE_MS`. The process kills itself beyond a limit, and its job fails with the reason. Threads are not enough: they share
 * the memory of the server.
 */
import { type ChildProcess, fork } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inPackage } from "../../engine/core/package-root.ts";
import { systemClock } from "../../engine/core/clock.ts";
import type { FileJob, FileJobs } from "./jobs.ts";
import { FileError, LIMITS } from "./limits.ts";
import type { Ask, Reply } from "./worker.ts";

const IDLE_MS = 10_000;
/** A process that holds more bytes after a job is replaced, because the next job would meet the limit too early. */
const KEPT_MEMORY_MAX = 300 * 1024 * 1024;

interface Job {
  ask: Ask;
  done: (output: unknown) => void;
  failed: (error: FileError) => void;
}

export interface Running<Output> {
  output: Promise<Output>;
  stop(): void;
}

export function runJob<Kind extends FileJob>(kind: Kind, input: FileJobs[Kind]["input"]): Running<FileJobs[Kind]["output"]> {
  const queue = kind === "read" ? reads : writes;
  let stop = () => {};
  const output = new Promise<unknown>((done, failed) => {
    const job: Job = { ask: { job: kind, input }, done, failed };
    stop = () => queue.stop(job);
    queue.add(job);
  });
  return { output: output as Promise<FileJobs[Kind]["output"]>, stop };
}

/** The first job runs, and the others wait. */
class Queue {
  readonly #jobs: Job[] = [];
  #child: ChildProcess | undefined;
  #stderr = "";
  #cancelEnd = () => {};

  add(job: Job): void {
    if (this.#jobs.push(job) === 1) this.#next();
  }

  stop(job: Job): void {
    const at = this.#jobs.indexOf(job);
    if (at < 0) return;
    this.#jobs.splice(at, 1);
    job.failed(new FileError("stopped", "the server stopped before the file was done"));
    if (at > 0) return;
    this.#kill();
    this.#next();
  }

  #next(): void {
    this.#cancelEnd();
    const [job] = this.#jobs;
    if (!job) {
      if (!this.#child) return;
      hold(this.#child, false);
      this.#cancelEnd = systemClock.after(IDLE_MS, () => this.#kill());
      return;
    }
    this.#child ??= this.#open();
    hold(this.#child, true);
    // A process that ends before it has the job tells so by its event.
    this.#child.send(job.ask, () => {});
  }

  #open(): ChildProcess {
    const [module, ...loaders] = program();
    const child = fork(module as string, {
      execArgv: [`--max-old-space-size=${LIMITS.heap_mb}`, "--max-semi-space-size=16", ...loaders],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      serialization: "advanced",
      env: environment(),
    });
    this.#stderr = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      if (this.#child === child) this.#stderr = (this.#stderr + chunk.toString()).slice(-4000);
    });
    child.on("message", (reply: Reply) => {
      if (this.#child !== child) return;
      if (reply.memory_bytes > KEPT_MEMORY_MAX) this.#kill();
      this.#end((job) => {
        if (reply.is === "done") job.done(reply.output);
        else job.failed(new FileError(reply.fault, reply.message));
      });
    });
    const over = (reason: string) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#end((job) => job.failed(new FileError("limit", reason)));
    };
    child.once("error", (error) => over(`no process for files could be started: ${error.message}`));
    child.once("close", () => over(reasonOf(this.#stderr)));
    return child;
  }

  #end(finish: (job: Job) => void): void {
    const job = this.#jobs.shift();
    if (job) finish(job);
    this.#next();
  }

  #kill(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}

const reads = new Queue();
const writes = new Queue();

/** Whether the process keeps the server alive. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const stderr = child.stderr as unknown as NodeJS.Timeout | null;
  for (const one of [child, child.channel, stderr]) {
    if (isHeld) one?.ref();
    else one?.unref();
  }
}

/**
 * The program of a process and the arguments of its loader: the bundle beside this one. In the repository, the built bundle when it is
 * newer than the sources, or else the source, which tsx loads slowly.
 */
function program(): string[] {
  const bundle = fileURLToPath(new URL("./files-worker.js", import.meta.url));
  if (existsSync(bundle)) return [bundle];
  const built = fileURLToPath(inPackage("dist/files-worker.js"));
  const sources = fileURLToPath(inPackage("src/"));
  if (existsSync(built) && statSync(built).mtimeMs > newest(sources)) return [built];
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  return [fileURLToPath(new URL("./worker.ts", import.meta.url)), "--import", loader];
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

function reasonOf(stderr: string): string {
  if (stderr.includes("limit: time")) return `the file takes more than ${LIMITS.processor_ms / 1000} s of processor time`;
  return `the file takes more memory than ${LIMITS.memory_bytes / 1024 / 1024} MiB`;
}
