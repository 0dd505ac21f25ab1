/** `npm run test:slow`: what needs a registry, a new clone, a container engine or a generator of clients, and what takes long. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/slow/**/*.test.ts", "test/fuzz/files.test.ts", "test/e2e/faults-by-seed.test.ts"],
    globalSetup: ["test/support/build.ts"],
    pool: "threads",
    // Most of the time is npm's and the container engine's.
    maxWorkers: 3,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    env: { ALL_FILES: "1", FAULT_SEEDS: "50" },
  },
});
