import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { leaveCertificatesToNpm } from "./test/support/certificates.ts";
import Durations, { SlowestFirst } from "./test/support/durations.ts";
import { within } from "./test/support/patience.ts";

leaveCertificatesToNpm();

/** Keeps transformed modules between runs. */
export const MODULE_CACHE = { fsModuleCache: true };

/** Flags of Node for all workers: the processors are busy, so Node collects garbage less often and without helper threads. */
const COLLECTING = ["--min-semi-space-size=64", "--max-semi-space-size=64", "--single-threaded-gc"];

/**
 * Flags for the workers of `npm test`. Most code of a test runs a few times, so Node optimizes less of it. With all flags, a run takes a
 * sixth less processor time. The names differ between versions of Node, and a version without one of them gets none.
 */
function nodeFlags(): string[] {
  const byBudget = [...COLLECTING, "--interrupt-budget=1000000"];
  const byCount = [...COLLECTING, "--invocation-count-for-turbofan=30000", "--invocation-count-for-maglev=4000"];
  const isKnown = (flags: string[]) => spawnSync(process.execPath, [...flags, "--version"]).status === 0;
  return [byBudget, byCount].find(isKnown) ?? [];
}

/** Threads could not have flags, so each worker is a process. */
const WORKERS = { pool: "forks" as const, execArgv: nodeFlags() };

/** For tests that run the same code for minutes, which Node should optimize. */
export const LONG_WORKERS = { ...WORKERS, execArgv: COLLECTING };

/** `expect.poll` gives up after one second. On a busy machine that says nothing about the product. */
export const POLLING = { expect: { poll: { timeout: within(10_000) } } };

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "examples/vitest/*.test.mjs"],
    // `npm run test:system` runs the tests that start programs or browsers, the exploration of the zoo, and random input.
    exclude: [...configDefaults.exclude, "test/system/**", "test/zoo/**", "test/fuzz/**"],
    // Processes for files run the built package. From sources, each of them takes two seconds to start.
    globalSetup: ["test/support/build.ts"],
    ...WORKERS,
    // No test leaves state in a module, so test files share modules. Loading the product for each file would take half of the time.
    isolate: false,
    experimental: MODULE_CACHE,
    sequence: { sequencer: SlowestFirst },
    reporters: ["default", new Durations()],
    // Tests often wait for other processes, so three workers are faster even on two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    ...POLLING,
    testTimeout: within(60_000),
    hookTimeout: within(60_000),
  },
});
