import { unmetLine } from "../engine/runtime/scenario-runs/expectations.ts";
import { service } from "../service/service.ts";
import { noSuch } from "../engine/core/text.ts";
import { SettingsError } from "../library/errors.ts";
import { exitCodeOf, type Outcome, report, type RunFlags, runOnce } from "./run.ts";
import { tableText } from "./table.ts";
import { usageCode } from "./usage-error.ts";

interface ReadingRun {
  assumption: string;
  reading: string | number;
  is_default: boolean;
  code: number;
  unmet: string[];
  depends: boolean;
}

/** The default readings run first, and once. Returns the worst exit code of all runs. */
export async function runEveryReading(
  file: string | undefined,
  command: readonly string[],
  flags: RunFlags & { everyReading: readonly string[]; json?: boolean },
): Promise<number> {
  try {
    for (const [flag, value, why] of [
      ["--junit", flags.junit, "it describes one run. Use --json instead"],
      ["--save-world", flags.saveWorld, "each run has its own world"],
      ["--har", flags.har, "each run has its own calls"],
    ])
      if (value !== undefined) throw new SettingsError(`Cannot use ${flag} with --every-reading: ${why}.`);
    const ids = [...new Set(flags.everyReading)].map(requireReadings);
    const defaults = ids.map((id) => `${id}=${service.switches.of(id).default}`);
    const runWith = async (seed: string | undefined, readings: readonly string[]) => {
      const outcome = await runOnce(file, command, {
        ...flags,
        ...(seed === undefined ? {} : { seed }),
        assume: [...(flags.assume ?? []), ...defaults, ...readings],
      });
      report(outcome);
      return outcome;
    };
    announce("default readings");
    const base = await runWith(flags.seed, []);
    const runs: ReadingRun[] = [];
    let worst = exitCodeOf(base);
    for (const id of ids) {
      const { readings, default: byDefault } = service.switches.of(id);
      runs.push(toRun(id, byDefault as string | number, base, base));
      for (const reading of readings as readonly (string | number)[]) {
        if (reading === byDefault) continue;
        announce(`${id}=${reading}`);
        // With the same seed, only the reading differs.
        const outcome = await runWith(base.seed, [`${id}=${reading}`]);
        runs.push(toRun(id, reading, outcome, base));
        worst = Math.max(worst, exitCodeOf(outcome));
      }
    }
    const depends_on = runs.filter((one) => one.depends).map((one) => `${one.assumption}=${one.reading}`);
    if (flags.json) process.stdout.write(`${JSON.stringify({ version: 1, seed: base.seed, runs, depends_on }, null, 2)}\n`);
    else process.stderr.write(table(runs, depends_on));
    return worst;
  } catch (error) {
    return usageCode(error);
  }
}

/** @throws SettingsError */
function requireReadings(id: string): string {
  const { switches } = service;
  if (!switches.has(id))
    throw new SettingsError(`Cannot run every reading: ${noSuch("switchable assumption", id, switches.ids)}.`);
  if (service.switches.of(id).readings === "durations")
    throw new SettingsError(`Cannot run every reading of ${id}: it takes any list of durations. Choose one with --assume.`);
  return id;
}

function announce(readings: string): void {
  process.stderr.write(`docdouble run: ${readings}\n`);
}

function toRun(id: string, reading: string | number, outcome: Outcome, base: Outcome): ReadingRun {
  const unmet = textsOf(outcome);
  return {
    assumption: id,
    reading,
    is_default: outcome === base,
    code: outcome.code,
    unmet,
    depends: outcome.code !== base.code || JSON.stringify(unmet) !== JSON.stringify(textsOf(base)),
  };
}

function textsOf({ unmet }: Outcome): string[] {
  return unmet.map(unmetLine);
}

function table(runs: readonly ReadingRun[], dependsOn: readonly string[]): string {
  const rows = [
    ["reading", "exit", "unmet", "outcome"],
    ...runs.map(({ assumption, reading, is_default, code, unmet, depends }) => [
      `${assumption}=${reading}`,
      String(code),
      String(unmet.length),
      is_default ? "default" : depends ? "differs from the default" : "same",
    ]),
  ];
  const verdict =
    dependsOn.length === 0
      ? "The client depends on none of these readings."
      : `The client fails or behaves otherwise under ${dependsOn.join(", ")}.`;
  return `${tableText(rows)}\n${verdict}\n`;
}
