import { writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { defined } from "../engine/core/defined.ts";
import { styleText } from "node:util";
import type { Profile } from "../engine/assumptions/profile-names.ts";
import type { LogEvent } from "../inspector/log/log-event.ts";
import { watchLog } from "../inspector/log/watch-log.ts";
import { type Checked, checkExpectations, reportUnmet } from "../engine/runtime/scenario-runs/expectations.ts";
import type { Unmet } from "../engine/runtime/scenario-runs/unmet.ts";
import { junitXml } from "../engine/core/junit.ts";
import { lintClient } from "../inspector/lint/client-lint.ts";
import { findingLine } from "../inspector/lint/finding.ts";
import { requireFolder } from "../engine/core/regular-file.ts";
import { linesWithoutControls, withoutControls } from "../engine/core/text.ts";
import { redactText } from "../engine/journal/redact.ts";
import { writeWorld } from "../engine/store/write-world.ts";
import { usageCode } from "./usage-error.ts";
import { OFFICIAL_HOSTS } from "../library/kit/hosts.ts";
import { createSandbox, hostOf } from "../library/sandbox.ts";
import type { ClockMode, Sandbox, SandboxOptions } from "../library/types.ts";
import { hasColor } from "./console.ts";
import { execute, type Execution } from "./execute.ts";
import type { Sleeps } from "./sleep/virtual-sleep.ts";
import { filled, ONE_WORLD, sleepsOf, Surroundings, UNSEEN } from "./command-variables.ts";
import { callsElsewhere, OtherKeys } from "./other-keys.ts";
import { datedLines, toEntries } from "./log-lines.ts";
import { beforeWork, writeReport } from "./report-files.ts";

const EXIT_UNMET = 1;

export interface RunFlags {
  junit?: string;
  /** The file that gets the world at the end, also when the command fails. */
  saveWorld?: string;
  /** The file that gets the journal as HAR, also when the command fails. */
  har?: string;
  fixtures?: string;
  seed?: string;
  clock?: ClockMode;
  assume?: string[];
  profile?: Profile;
  intercept?: boolean;
  sleep?: Sleeps;
  journalMax?: number;
  /** Variables of the command, with {url}, {key} and {admin} in their values. */
  env?: Record<string, string>;
  json?: boolean;
}

export interface Outcome {
  code: number;
  checked: Checked[];
  unmet: Unmet[];
  /** One line for each finding of client lint. Findings do not change the exit code. */
  findings: string[];
  events: LogEvent[];
  scenario: string | undefined;
  seed: string;
  /** The command emptied the journal or restored a snapshot, so expectations count later calls only. */
  isEmptied: boolean;
  /** Calls with keys of other tenants. */
  otherCalls: number;
  isIntercepted: boolean;
}

/** Returns the exit code: the command's, or 1 when the command passed and an expectation failed. */
export async function run(file: string | undefined, command: readonly string[], flags: RunFlags): Promise<number> {
  try {
    // A world replaces its file, so its folder counts.
    if (flags.saveWorld !== undefined) beforeWork(flags.saveWorld, (name) => requireFolder(dirname(resolve(name))));
    for (const one of [flags.junit, flags.har]) if (one !== undefined) beforeWork(one);
    const outcome = await runOnce(file, command, flags);
    if (exitCodeOf(outcome) !== 0) process.stderr.write(story(outcome, hasColor(process.stderr)));
    report(outcome);
    if (flags.json) process.stdout.write(`${JSON.stringify(toResult(outcome), null, 2)}\n`);
    if (flags.junit !== undefined) writeReport(flags.junit, junit(outcome, file ?? "docdouble run"));
    return exitCodeOf(outcome);
  } catch (error) {
    return usageCode(error);
  }
}

export function exitCodeOf({ code, unmet }: Outcome): number {
  return Math.max(code, unmet.length > 0 ? EXIT_UNMET : 0);
}

function toResult(outcome: Outcome) {
  const { code, checked, findings, scenario, seed } = outcome;
  const notes = notesOf(outcome);
  return {
    version: 1,
    scenario: scenario ?? null,
    seed,
    command_code: code,
    code: exitCodeOf(outcome),
    expectations: checked.map(({ part, text, unmet }) => ({
      part,
      text,
      ok: unmet.length === 0,
      unmet: unmet.map(({ part: _, ...rest }) => rest),
    })),
    lint: findings,
    ...(notes.length > 0 ? { notes } : {}),
  };
}

function yellow(line: string): string {
  return hasColor(process.stderr) ? styleText("yellow", line, { validateStream: false }) : line;
}

const EMPTIED =
  "The command emptied the journal or restored a snapshot. Expectations and client lint cover the calls after that.";

const SILENT = "The command made no call, so the expectations prove nothing. Let it call the address in DOCDOUBLE_URL.";

const KEYLESS =
  "The service refused each call of the command with 401, so the expectations prove little. Let it send the key in DOCDOUBLE_API_KEY.";

/** A failed run tells the same in its story. */
function notesOf(outcome: Outcome): string[] {
  const hasPassed = exitCodeOf(outcome) === 0 && outcome.checked.length > 0;
  const calls = outcome.events.filter((event) => event.type === "call");
  const isKeyless = calls.length > 0 && calls.every(({ status }) => status === 401);
  const ofCalls = calls.length === 0 ? [SILENT] : isKeyless ? [KEYLESS] : [];
  const isUnseen = outcome.isIntercepted && calls.length === 0 && outcome.otherCalls === 0;
  return [...(outcome.isEmptied ? [EMPTIED] : []), ...(isUnseen ? [UNSEEN] : hasPassed ? ofCalls : [])];
}

export function report(outcome: Outcome): void {
  const { checked, unmet, findings, scenario, seed, isIntercepted } = outcome;
  if (checked.length > 0 || isIntercepted)
    for (const note of notesOf(outcome)) process.stderr.write(`${yellow(`note ${note}`)}\n`);
  for (const one of findings) process.stderr.write(`${yellow(`lint ${withoutControls(one)}`)}\n`);
  const seedNote = ` (seed ${seed})`;
  if (unmet.length > 0)
    process.stderr.write(linesWithoutControls(`${reportUnmet(unmet)}\n${scenario}: ${unmet.length} unmet${seedNote}\n`));
  else if (scenario !== undefined)
    process.stderr.write(
      `${withoutControls(scenario)}: ${checked.length > 0 ? "every expectation holds" : "the scenario expects nothing"}${seedNote}\n`,
    );
}

const EVENTS_KEPT = 2000;
const LINES_MAX = 60;

function story({ events, otherCalls }: Outcome, color: boolean): string {
  // The report shows findings of client lint separately.
  const entries = toEntries(events.filter((one) => one.type !== "lint"));
  if (entries.length === 0) return `The command made no call${otherCalls > 0 ? " with the key in DOCDOUBLE_API_KEY" : ""}.\n`;
  const left = Math.max(0, entries.length - LINES_MAX);
  const lines = datedLines(entries.slice(left), color);
  return `What happened:\n${left > 0 ? `… ${left} lines before\n` : ""}${lines.join("\n")}\n`;
}

/** Runs the command against a new server, then checks the expectations. @throws SettingsError, ScenarioError */
export async function runOnce(file: string | undefined, command: readonly string[], flags: RunFlags): Promise<Outcome> {
  const { seed, fixtures, clock, assume, profile, journalMax } = flags;
  const publicUrl = flags.intercept ? `https://${OFFICIAL_HOSTS[0]}` : undefined;
  const settings = { seed, fixtures, clock, assume, profile, journalMax, publicUrl, scenario: file, port: 0 };
  const sandbox = await createSandbox(defined(settings) as SandboxOptions);
  try {
    return await runIn(sandbox, file, command, flags);
  } finally {
    await sandbox.close();
  }
}

async function runIn(sandbox: Sandbox, file: string | undefined, command: readonly string[], flags: RunFlags): Promise<Outcome> {
  const tenant = hostOf(sandbox).defaultTenant;
  const others = new OtherKeys(sandbox);
  const events: LogEvent[] = [];
  const stop = watchLog(tenant, (event) => {
    if (event) events.push(event);
    if (events.length > 2 * EVENTS_KEPT) events.splice(0, EVENTS_KEPT);
  });
  const isOneWorld = [file, flags.saveWorld, flags.har].some((one) => one !== undefined);
  const env = { ...(isOneWorld ? ONE_WORLD : {}), ...filled(flags.env ?? {}, sandbox) };
  const [scenario] = [...tenant.scenarios.values()];
  const { client = {} } = scenario?.expect ?? {};
  const watched = Object.keys(client).length === 0 ? undefined : (await import("./client-check.ts")).watchClient(tenant, client);
  const how: Execution = { env, isQuiet: flags.json, limit_ms: client.ends_within, keepsOutput: client.truthful };
  const { loads } = tenant.journal;
  const end = await within(sandbox, flags, env, (around) => execute(command, sandbox, { ...how, env: around }));
  await tenant.clock.settle();
  const checked = scenario?.expect ? checkExpectations(tenant, scenario.expect) : [];
  if (watched) checked.push(...watched(end));
  if (checked.length > 0 && others.calls > 0) checked.push(callsElsewhere(others.calls));
  stop();
  const unmet = checked.flatMap((one) => one.unmet);
  // An expectation of a clean contract has already reported the findings.
  const isTold = unmet.some((one) => one.part === "contract");
  const findings = isTold ? [] : lintClient(tenant).map((one) => redactText(findingLine(one)));
  const isEmptied = tenant.journal.loads !== loads;
  const { saveWorld, har } = flags;
  if (saveWorld !== undefined) {
    const world = await sandbox.world.save();
    if (save(saveWorld, () => writeWorld(saveWorld, world)))
      process.stderr.write(`The world is in ${saveWorld}. Look at it: npx docdouble world show ${saveWorld}\n`);
  }
  if (har !== undefined) save(har, () => writeFileSync(har, `${JSON.stringify(sandbox.har(), null, 1)}\n`, { mode: 0o600 }));
  return {
    code: end.code,
    checked,
    unmet,
    findings,
    events,
    scenario: scenario?.name,
    seed: String(sandbox.seed),
    isEmptied,
    otherCalls: others.calls,
    isIntercepted: flags.intercept ?? false,
  };
}

/** @throws SettingsError */
async function within<T>(
  sandbox: Sandbox,
  { intercept: isIntercepted = false, sleep }: RunFlags,
  own: NodeJS.ProcessEnv,
  work: (env: NodeJS.ProcessEnv) => Promise<T>,
): Promise<T> {
  const surroundings = new Surroundings({ isIntercepted, sleeps: sleepsOf(sleep, hostOf(sandbox).defaultTenant.clock.mode) });
  try {
    const around = await surroundings.of(sandbox, own);
    try {
      return await work(around.env);
    } finally {
      await around.close();
    }
  } finally {
    surroundings.close();
  }
}

/** Its failure does not change the result of the run. Returns whether the file is written. */
function save(file: string, write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    process.stderr.write(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code ?? String(error)}\n`);
    return false;
  }
}

function junit(outcome: Outcome, file: string): string {
  const { scenario, code, checked, findings } = outcome;
  const name = scenario ?? file;
  const failed = (message: string, text = message) => ({ failure: { message, text } });
  return junitXml(name, [
    {
      ...{ classname: name, name: "command", ...(code === 0 ? {} : failed(`exited ${code}`)) },
      // CI shows the report, and often not what the command printed.
      ...(exitCodeOf(outcome) === 0 ? {} : { note: story(outcome, false) }),
    },
    ...checked.map(({ part, text, unmet }) => {
      const problems = unmet.map((one) => `${one.text}: expected ${one.expected}, found ${one.found}`);
      return {
        classname: `${name}.${part}`,
        name: text,
        ...(problems.length === 0 ? {} : failed(problems[0] as string, problems.join("\n"))),
      };
    }),
    ...(findings.length === 0 ? [] : [{ classname: name, name: "lint", note: findings.join("\n") }]),
  ]);
}
