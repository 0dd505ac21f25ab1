/** `npm run test:slow`: what needs a registry, a new clone, a container engine or a generator of clients. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/slow/**/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    pool: "threads",
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
