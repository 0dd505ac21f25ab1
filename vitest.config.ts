import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, longest first. Without this order the suite waits for one of them at its end. */
const LONG = [
  "test/review/attack",
  "test/web/signing",
  "test/docs",
  "test/web/inspector",
  "test/e2e/cli",
  "test/review/platforms",
  "test/web/drawing",
  "test/package/package",
  "test/web/reference",
  "test/e2e/run",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "examples/vitest/*.test.mjs"],
    // `npm run test:slow` sends all hostile files, and plays random faults. test/review sends a sample of the files.
    exclude: [...configDefaults.exclude, "test/slow/**", "test/fuzz/files.test.ts", "test/e2e/faults-by-seed.test.ts"],
    globalSetup: ["test/support/build.ts"],
    pool: "threads",
    // No test leaves anything behind in a module, so files share them: loading the product for each took half of the time.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // Much of a test's time is another process's: three side by side are faster even where there are two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      include: ["src/core/**", "src/store/**", "src/files/**", "src/engine/**", "src/domain/**"],
      reporter: ["text-summary"],
    },
  },
});
