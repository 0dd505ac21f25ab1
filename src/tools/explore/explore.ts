import { defined } from "../../engine/core/defined.ts";
import { readDuration, shown, WALL_MS_MAX } from "../../engine/core/time-limits.ts";
import { SettingsError } from "../../library/errors.ts";
import {
  CALLBACK,
  checkEach,
  checkOptions as checkSandboxOptions,
  COUNT,
  ELSEWHERE,
  FLAG,
  SEED,
  type Takes,
} from "../../library/options-check.ts";
import type { Sandbox, SandboxOptions } from "../../library/types.ts";
import { type BaseOptions, baseOf, chosenReadings } from "./base-world.ts";
import { ExploreError } from "./error.ts";
import { FunctionPlayer } from "./function-player.ts";
import type { ExploreOptions, SearchOptions } from "./options.ts";
import { readPatterns } from "./patterns.ts";
import type { Player } from "./player.ts";
import type { ExploreReport } from "./report.ts";
import { Runs } from "./runs.ts";
import { requireUsable } from "./scenario-file.ts";
import { Search } from "./search.ts";
import { readShard } from "./shard.ts";
import { BreakWriter } from "./break-writer.ts";

export const DEFAULT_OUT = "docdouble/found";
const BUDGET_MS = 60_000;
const RUN_TIMEOUT_MS = 30_000;
const JOBS_WARNING =
  "explore: the option jobs has no effect on a function, because its runs share one process. Omit jobs, or explore a command: docdouble explore --jobs 4 -- CMD.";

const OPTIONS: Readonly<Record<keyof ExploreOptions, Takes>> = {
  budget: ELSEWHERE,
  runs: COUNT,
  seed: SEED,
  jobs: COUNT,
  shard: { is: "a part such as 1/3", accepts: (value) => typeof value === "string" },
  only: ELSEWHERE,
  skip: ELSEWHERE,
  allowFailure: ELSEWHERE,
  impossible: FLAG,
  out: {
    is: "the name of a folder, or false",
    accepts: (value) => value === false || (typeof value === "string" && value !== ""),
  },
  pairs: FLAG,
  reduce: FLAG,
  runTimeout: {
    is: "real milliseconds from 1",
    accepts: (value) => typeof value === "number" && value >= 1 && value <= WALL_MS_MAX,
  },
  signal: { is: "an AbortSignal", accepts: (value) => value instanceof AbortSignal },
  onProgress: CALLBACK,
  scenario: ELSEWHERE,
  fixtures: ELSEWHERE,
  assume: ELSEWHERE,
  profile: ELSEWHERE,
  now: ELSEWHERE,
  invariant: CALLBACK,
  throwOnBreak: FLAG,
};

function placed(error: unknown): unknown {
  if (error instanceof SettingsError && !error.message.startsWith("explore")) error.message = `explore: ${error.message}`;
  return error;
}

/** @throws SettingsError */
function budgetOf(budget: SearchOptions["budget"]): number {
  if (budget === undefined) return BUDGET_MS;
  const read = typeof budget === "number" ? { value: budget } : readDuration(String(budget));
  if ("problem" in read && read.problem !== undefined) throw new SettingsError(`explore: the option budget: ${read.problem}`);
  const { value } = read as { value: number };
  if (!(value > 0)) throw new SettingsError(`explore: the option budget is a duration such as 2m, not ${shown(budget)}.`);
  return value;
}

/** @throws ExploreError, SettingsError */
export async function explore(client: (sandbox: Sandbox) => unknown, options: ExploreOptions = {}): Promise<ExploreReport> {
  if (typeof client !== "function")
    throw new SettingsError(
      `explore takes a function as its first argument, not ${shown(client)}: explore(async (sandbox) => { … }).`,
    );
  if (typeof options !== "object" || options === null)
    throw new SettingsError(`explore takes options as an object, not ${shown(options)}.`);
  const { scenario, fixtures, assume, profile, now, runTimeout = RUN_TIMEOUT_MS, throwOnBreak = true } = options;
  const sandboxOptions = { scenario, fixtures, assume, profile, now } as SandboxOptions;
  try {
    checkEach(options, OPTIONS);
    checkSandboxOptions(sandboxOptions);
  } catch (error) {
    throw placed(error);
  }
  if ((options.jobs ?? 1) > 1) process.emitWarning(JOBS_WARNING, { code: "DOCDOUBLE_EXPLORE_JOBS" });
  const sandbox: BaseOptions = defined(sandboxOptions);
  const player = new FunctionPlayer(client, { sandbox, timeout_ms: runTimeout });
  try {
    const report = await exploreWith(player, options, sandbox);
    if (report.clean.problem !== null || (throwOnBreak && report.breaks.length > 0)) throw new ExploreError(report);
    return report;
  } catch (error) {
    throw placed(error);
  } finally {
    player.close();
  }
}

/** Never throws for what it finds. @throws SettingsError */
export async function exploreWith(
  player: Player,
  options: SearchOptions & Pick<ExploreOptions, "invariant">,
  baseOptions: BaseOptions = {},
): Promise<ExploreReport> {
  const seed = String(options.seed ?? 1);
  const out = options.out === false ? undefined : (options.out ?? DEFAULT_OUT);
  if (out !== undefined) requireUsable(out);
  const shard = readShard(options.shard);
  const allowed = readPatterns(player.service, "allowFailure", options.allowFailure);
  const patterns = {
    only: readPatterns(player.service, "only", options.only),
    skip: readPatterns(player.service, "skip", options.skip),
  };
  const base = baseOf(player.service, baseOptions, player.time);
  const runs = new Runs({
    transitions: base.transitions,
    player,
    seed,
    budget_ms: budgetOf(options.budget),
    runsMax: options.runs ?? Number.POSITIVE_INFINITY,
    jobs: player.time === "virtual" ? 1 : (options.jobs ?? 1),
    signal: options.signal ?? new AbortController().signal,
    invariant: options.invariant,
    onProgress: options.onProgress,
  });
  const search = new Search({
    runs,
    seed,
    out,
    shard,
    ...patterns,
    judge: { time: player.time, allowsFailure: (faults) => allowed !== undefined && faults.some(allowed) },
    triesImpossible: options.impossible ?? false,
    triesPairs: options.pairs ?? true,
    reduces: options.reduce ?? true,
    chosenReadings: chosenReadings(player.service, base),
    breakWriter: new BreakWriter({ runs, seed, out, base }),
  });
  try {
    return await search.run();
  } finally {
    await runs.close();
  }
}
