/** `npm run fuzz` sends bad input for minutes. `FUZZ_SECONDS` sets the time, and `LAW_SEED` repeats a run. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "test/fuzz/**/*.test.ts",
      "test/system/service/hostile-files.test.ts",
      "test/tools/compare/cassette-secrets.test.ts",
    ],
    globalSetup: ["test/support/build.ts"],
    pool: "threads",
    maxWorkers: 1,
    env: { FUZZ_SECONDS: process.env.FUZZ_SECONDS ?? "120", LAW_SEED: process.env.LAW_SEED ?? "random" },
  },
});
