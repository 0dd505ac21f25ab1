/** Real time and processor time of commands, with all processes that they start. Needs Linux and Python. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PROGRAM = resolve("bench/processor-time.py");

export interface Spent {
  real_s: number;
  processor_s: number;
}

/** @param run runs one command to its end, with these words before it */
export async function spent(run: (before: readonly [program: string, ...words: string[]]) => Promise<unknown>): Promise<Spent> {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-bench-"));
  const file = join(folder, "seconds");
  const begun = performance.now();
  try {
    await run(["python3", PROGRAM, file]);
    return { real_s: (performance.now() - begun) / 1000, processor_s: Number(readFileSync(file, "utf8")) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
