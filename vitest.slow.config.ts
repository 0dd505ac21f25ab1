/** `npm run test:slow` runs tests that take long, or that need a registry, a new clone, a container engine or a client generator. */
import { defineConfig } from "vitest/config";
import { LONG_RUNS, LONG_WORKERS, LongFirst, MODULE_CACHE, RETRIES } from "./vitest.config.ts";
import { PROGRAM_MS } from "./test/support/patience.ts";

export default defineConfig({
  test: {
    include: ["test/slow/**/*.test.ts", ...LONG_RUNS],
    globalSetup: ["test/support/build.ts"],
    ...LONG_WORKERS,
    // As in vitest.config.ts: each worker loads the product once.
    isolate: false,
    experimental: MODULE_CACHE,
    sequence: { sequencer: LongFirst },
    // Half of these tests wait for npm, the container engine and other processes, so four workers keep two processors busy.
    maxWorkers: 4,
    retry: RETRIES,
    testTimeout: PROGRAM_MS + 60_000,
    hookTimeout: PROGRAM_MS + 60_000,
    env: { ALL_FILES: "1", FAULT_SEEDS: "20" },
  },
});
