import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "examples/vitest/*.test.mjs"],
    globalSetup: ["test/support/build.ts"],
    pool: "threads",
    isolate: true,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    coverage: {
      include: ["src/core/**", "src/store/**", "src/engine/**", "src/domain/**"],
      reporter: ["text-summary"],
    },
  },
});
