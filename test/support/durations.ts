/** Prints the slowest test files at the end of a run, and keeps the seconds of all files, so that the next run starts the slowest first. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from "vitest/node";

const FILE = "node_modules/.cache/durations.json";
const SHOWN = 10;

function known(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(FILE, "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
}

const nameOf = (path: string) => relative(process.cwd(), path);

export default class Durations implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const seconds = modules.map((one) => [nameOf(one.moduleId), Math.round(one.diagnostic().duration / 100) / 10] as const);
    const slowest = [...seconds].sort(([, one], [, other]) => other - one).slice(0, SHOWN);
    if (seconds.length > SHOWN) for (const [name, took] of slowest) console.log(`${took.toFixed(1).padStart(7)} s  ${name}`);
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(FILE, JSON.stringify({ ...known(), ...Object.fromEntries(seconds) }));
  }
}

/** Starts the slowest files first. Otherwise a run waits for one of them at its end. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = known();
    const of = ({ moduleId }: TestSpecification) => seconds[nameOf(moduleId)] ?? 0;
    return (await super.sort(files)).sort((a, b) => of(b) - of(a));
  }
}
