/**
 * `npm run test:system` runs the tests that start programs, browsers, packages or other runners, the exploration of the zoo, and random input. The tests
 * in `nightly` need a registry, a new clone, a container engine or a client generator, and `npm run nightly` runs them.
 */
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { LONG_WORKERS, LongFirst, MODULE_CACHE, POLLING, RETRIES } from "../../vitest.config.ts";
import { PROGRAM_MS } from "../support/patience.ts";

const isNightly = process.env.NIGHTLY !== undefined;

export default defineConfig({
  test: {
    include: isNightly
      ? ["test/system/nightly/*.test.ts"]
      : ["test/system/**/*.test.ts", "test/zoo/**/*.test.ts", "test/fuzz/**/*.test.ts"],
    exclude: isNightly ? configDefaults.exclude : [...configDefaults.exclude, "test/system/nightly/**"],
    globalSetup: [fileURLToPath(new URL("../support/build.ts", import.meta.url))],
    ...LONG_WORKERS,
    // As in vitest.config.ts: each worker loads the product once.
    isolate: false,
    experimental: MODULE_CACHE,
    sequence: { sequencer: LongFirst },
    // Half of these tests wait for npm, the container engine and other processes, so four workers keep two processors busy.
    maxWorkers: 4,
    retry: RETRIES,
    ...POLLING,
    testTimeout: PROGRAM_MS + 60_000,
    hookTimeout: PROGRAM_MS + 60_000,
    env: { FAULT_SEEDS: "20" },
  },
});
