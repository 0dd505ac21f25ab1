import { createHash } from "node:crypto";
import { serialize } from "node:v8";
import { systemClock } from "../../engine/core/clock.ts";
import type { FileJob, FileJobs } from "./jobs.ts";
import { FileError, LIMITS } from "./limits.ts";
import type { Running } from "./pool.ts";
import { makeRoom } from "../../engine/core/maps.ts";

const LATE_MAX = 8;
const LATE_KEPT_MS = 60_000;

export class Files {
  readonly #running = new Set<Running<unknown>>();
  /** Jobs that outlasted their call, by kind and input. The same job starts once. */
  readonly #late = new Map<string, Promise<unknown>>();
  #isClosed = false;

  /** @throws FileError */
  async run<Kind extends FileJob>(kind: Kind, input: FileJobs[Kind]["input"]): Promise<FileJobs[Kind]["output"]> {
    const { runJob } = await import("./pool.ts");
    if (this.#isClosed) throw new FileError("stopped", "the server stopped before the file was done");
    const running = runJob(kind, input);
    this.#running.add(running);
    try {
      return await running.output;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Like `run`, but returns undefined after `LIMITS.answer_ms`. The job continues, and a later call gets its output. @throws FileError */
  async runSoon<Kind extends FileJob>(kind: Kind, input: FileJobs[Kind]["input"]): Promise<FileJobs[Kind]["output"] | undefined> {
    const known = this.#late.size > 0 ? (this.#late.get(keyOf(kind, input)) as Promise<FileJobs[Kind]["output"]>) : undefined;
    const output = known ?? this.run(kind, input);
    let cancel = () => {};
    const timeout = new Promise<undefined>((resolve) => {
      cancel = systemClock.after(LIMITS.answer_ms, () => resolve(undefined));
    });
    const made = await Promise.race([output, timeout]).finally(() => cancel());
    if (made === undefined && !known) this.#keep(keyOf(kind, input), output);
    return made;
  }

  #keep(key: string, output: Promise<unknown>): void {
    makeRoom(this.#late, LATE_MAX);
    this.#late.set(key, output);
    const forget = () => {
      if (this.#late.get(key) === output) this.#late.delete(key);
    };
    const forgetLater = () => systemClock.after(LATE_KEPT_MS, forget);
    output.then(forgetLater, forgetLater);
  }

  close(): void {
    this.#isClosed = true;
    for (const one of this.#running) one.stop();
    this.#late.clear();
  }
}

function keyOf(kind: FileJob, input: unknown): string {
  return createHash("sha256").update(kind).update(serialize(input)).digest("hex");
}
