/** `npm run test:slow`: what needs a registry, a new clone, a container engine or a generator of clients, and what takes long. */
import { defineConfig } from "vitest/config";
import { LONG_RUNS, LongFirst, MODULE_CACHE, RETRIES } from "./vitest.config.ts";

export default defineConfig({
  test: {
    include: ["test/slow/**/*.test.ts", ...LONG_RUNS],
    globalSetup: ["test/support/build.ts"],
    pool: "threads",
    // As in the suite: each worker loads the product once.
    isolate: false,
    experimental: MODULE_CACHE,
    sequence: { sequencer: LongFirst },
    // Most of the time is npm's and the container engine's.
    maxWorkers: 3,
    retry: RETRIES,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    env: { ALL_FILES: "1", FAULT_SEEDS: "20" },
  },
});
