import type { Profile } from "../engine/assumptions/profile-names.ts";
import { readRegularFile } from "../engine/core/regular-file.ts";
import { SettingsError } from "../library/errors.ts";
import { type Changes, changesSince } from "../tools/explore/report-changes.ts";
import { exploreWith } from "../tools/explore/explore.ts";
import type { ExploreReport } from "../tools/explore/report.ts";
import { textReport } from "../tools/explore/report-text.ts";
import { mergeReports } from "../tools/explore/shard.ts";
import { redactText } from "../engine/journal/redact.ts";
import { readReport } from "./explore/past-report.ts";
import { ProcessPlayer } from "./explore/process-player.ts";
import { ProgressLine } from "./explore/progress.ts";
import { htmlReport } from "./explore/report-html.ts";
import { junitReport } from "./explore/report-junit.ts";
import { service } from "../service/service.ts";
import { scenarioOf } from "../library/scenario-sources.ts";
import type { ClockMode } from "../library/types.ts";
import type { Sleeps } from "./sleep/virtual-sleep.ts";
import { sleepsOf, Surroundings, UNSEEN } from "./command-variables.ts";
import { reportFiles, writeReport } from "./report-files.ts";
import { usageCode } from "./usage-error.ts";
import { defined } from "../engine/core/defined.ts";

const EXIT_BROKE = 1;
const EXIT_NOT_CLEAN = 3;
const SHELL_EXIT_INTERRUPTED = 130;
const CLEAN_MS_MAX = 60_000;

const FORMATS = [".json", ".html", ".xml"] as const;

export interface ExploreFlags {
  budget?: string;
  runs?: number;
  seed?: string;
  jobs?: number;
  shard?: string;
  merge?: string[];
  only?: string[];
  skip?: string[];
  allowFailure?: string[];
  impossible?: boolean;
  out?: string;
  report?: string[];
  compare?: string;
  fixtures?: string;
  assume?: string[];
  profile?: Profile;
  journalMax?: number;
  intercept?: boolean;
  sleep?: Sleeps;
  env?: Record<string, string>;
  json?: boolean;
}

/** Returns the exit code: 0 nothing broke, 1 something broke, 2 wrong usage, 3 the clean run failed or was not repeatable. */
export async function exploreCommand(file: string | undefined, command: readonly string[], flags: ExploreFlags): Promise<number> {
  try {
    const past = flags.compare === undefined ? undefined : readReport(flags.compare, "compare with").breaks;
    const reports = reportFiles(flags.report, FORMATS);
    const { report, otherCalls } = flags.merge
      ? { report: merged(flags.merge), otherCalls: 0 }
      : await search(file, command, flags);
    if (!flags.merge) requireCalls(report, otherCalls, flags.intercept ?? false);
    const changes = past === undefined ? undefined : changesSince(past, report);
    const hasColors = process.stdout.isTTY === true && !process.env.NO_COLOR;
    process.stdout.write(flags.json ? json(report) : textReport(report, { hasColors, changes }));
    for (const one of reports) writeReport(one.file, contentOf(one.ending, report, changes));
    // A part may be empty.
    if (!flags.merge && !flags.shard) requireTried(report, flags);
    return exitCodeOf(report);
  } catch (error) {
    return usageCode(error);
  }
}

/** @throws SettingsError */
function merged(files: readonly string[]): ExploreReport {
  const { report, missing } = mergeReports(files.map((file) => ({ file, report: readReport(file, "merge") })));
  if (missing.length > 0) process.stderr.write(`note: no report of part ${missing.join(", ")}\n`);
  return report;
}

/** The first Ctrl-C ends the search and keeps what it found. The second ends the command at once. */
async function search(
  file: string | undefined,
  command: readonly string[],
  flags: ExploreFlags,
): Promise<{ report: ExploreReport; otherCalls: number }> {
  const {
    fixtures,
    assume,
    profile,
    journalMax,
    report: _report,
    compare: _compare,
    json: _json,
    merge: _merge,
    intercept,
    sleep,
    env,
    ...searched
  } = flags;
  const sandbox = defined({ fixtures, assume, profile, journalMax });
  const isIntercepted = intercept ?? false;
  const sleeps = sleepsOf(sleep, modeOf(file));
  const surroundings = new Surroundings({ isIntercepted, sleeps });
  const around = { surroundings, isIntercepted, sleeps, env };
  const player = new ProcessPlayer({ command, scenario: file, sandbox, cleanLimit_ms: CLEAN_MS_MAX, ...around });
  const progress = new ProgressLine();
  const interrupt = new AbortController();
  const onSignal = () => {
    if (interrupt.signal.aborted) {
      player.kill();
      process.exit(SHELL_EXIT_INTERRUPTED);
    }
    interrupt.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    const report = await exploreWith(
      player,
      { ...searched, signal: interrupt.signal, onProgress: (now) => progress.show(now) },
      { ...sandbox, ...(file === undefined ? {} : { scenario: file }) },
    );
    return { report: { ...report, command: commandText(command) }, otherCalls: player.otherCalls };
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    progress.end();
    surroundings.close();
  }
}

/** Words with other characters stand in quotes, and known secrets are hidden. */
function commandText(command: readonly string[]): string {
  return redactText(command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(" "));
}

/** The clock is automatic unless the scenario sets another mode. */
function modeOf(file: string | undefined): ClockMode {
  return (file === undefined ? undefined : scenarioOf(file, service.language).clock?.mode) ?? "auto";
}

/** A command that never calls the server would pass each run. @throws SettingsError */
function requireCalls({ clean, ended }: ExploreReport, otherCalls: number, isIntercepted: boolean): void {
  if (clean.problem !== null || ended === "interrupted") return;
  const others = `${otherCalls} ${otherCalls === 1 ? "call" : "calls"} with other keys than DOCDOUBLE_API_KEY`;
  if (clean.steps.some(({ kind }) => kind === "call" || kind === "webhook")) {
    if (otherCalls > 0) process.stderr.write(`note: the command made ${others}. No fault hits them.\n`);
    return;
  }
  throw new SettingsError(
    otherCalls > 0
      ? `The command made ${others}, so there is no fault to try. Let it use that key when DOCDOUBLE_ONE_WORLD is set.`
      : isIntercepted
        ? UNSEEN
        : "The command made no call to docdouble, so there is no fault to try. Let it call the address in DOCDOUBLE_URL with the key in DOCDOUBLE_API_KEY. If your tests start a sandbox by themselves, call explore() in a test.",
  );
}

/** A misspelled pattern would look like success. @throws SettingsError */
function requireTried({ clean, cells, played, ended }: ExploreReport, { only, skip }: ExploreFlags): void {
  if (clean.problem !== null || ended !== "complete" || played.length > 0 || (!only && !skip)) return;
  if (cells.length === 0 || cells.some((one) => one.outcome !== "not_tried")) return;
  const places = [...new Set(cells.map(({ operation }) => operation))].slice(0, PLACES_MAX);
  throw new SettingsError(`The patterns of --only and --skip leave no fault to try. Possible places are ${places.join(", ")}.`);
}

const PLACES_MAX = 10;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function exitCodeOf({ clean, breaks, ended }: ExploreReport): number {
  if (clean.problem !== null) return EXIT_NOT_CLEAN;
  if (breaks.length > 0) return EXIT_BROKE;
  return ended === "interrupted" ? SHELL_EXIT_INTERRUPTED : 0;
}

function json(report: ExploreReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

function contentOf(ending: (typeof FORMATS)[number], report: ExploreReport, changes: Changes | undefined): string {
  if (ending === ".json") return json(report);
  if (ending === ".xml") return junitReport(report);
  const scenarios = new Map(report.breaks.flatMap(({ scenario }) => textOf(scenario)));
  return htmlReport(report, { changes, scenarios });
}

/** A report from elsewhere can name files that are not here. */
function textOf(scenario: string | null): [string, string][] {
  try {
    return scenario === null ? [] : [[scenario, readRegularFile(scenario)]];
  } catch {
    return [];
  }
}
