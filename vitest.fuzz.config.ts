/** `npm run fuzz`: minutes of bad input. FUZZ_SECONDS and FUZZ_SEED say how many and from where. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/fuzz/**/*.test.ts", "test/compare/walks.test.ts"],
    globalSetup: ["test/support/build.ts"],
    pool: "threads",
    maxWorkers: 1,
    env: { ALL_FILES: "1", FUZZ_SECONDS: process.env.FUZZ_SECONDS ?? "120" },
  },
});
