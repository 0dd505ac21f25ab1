/** `npm run test:slow` runs tests that take long, or that need a registry, a new clone, a container engine or a client generator. */
import { defineConfig } from "vitest/config";
import { LONG_RUNS, LongFirst, MODULE_CACHE, RETRIES } from "./vitest.config.ts";

export default defineConfig({
  test: {
    include: ["test/slow/**/*.test.ts", ...LONG_RUNS],
    globalSetup: ["test/support/build.ts"],
    pool: "threads",
    // As in vitest.config.ts: each worker loads the product once.
    isolate: false,
    experimental: MODULE_CACHE,
    sequence: { sequencer: LongFirst },
    // These tests mostly wait for npm and the container engine.
    maxWorkers: 3,
    retry: RETRIES,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    env: { ALL_FILES: "1", FAULT_SEEDS: "20" },
  },
});
