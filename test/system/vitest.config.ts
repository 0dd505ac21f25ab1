/** `npm run test:system` runs the tests that start programs, browsers or packages, the exploration of the zoo, and random input. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LONG_WORKERS, MODULE_CACHE, POLLING } from "../../vitest.config.ts";
import Durations, { SlowestFirst } from "../support/durations.ts";
import { PROGRAM_MS } from "../support/patience.ts";

export default defineConfig({
  test: {
    include: ["test/system/**/*.test.ts", "test/zoo/**/*.test.ts", "test/fuzz/**/*.test.ts"],
    globalSetup: [fileURLToPath(new URL("../support/build.ts", import.meta.url))],
    ...LONG_WORKERS,
    // As in vitest.config.ts: each worker loads the product once.
    isolate: false,
    experimental: MODULE_CACHE,
    sequence: { sequencer: SlowestFirst },
    reporters: ["default", new Durations()],
    // Half of these tests wait for other processes, so four workers keep two processors busy.
    maxWorkers: 4,
    ...POLLING,
    testTimeout: PROGRAM_MS + 60_000,
    hookTimeout: PROGRAM_MS + 60_000,
    env: { FAULT_SEEDS: "20" },
  },
});
