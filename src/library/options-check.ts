import { PROFILES } from "../engine/assumptions/profile-names.ts";
import { own } from "../engine/core/maps.ts";
import { readInstant } from "../engine/core/clock.ts";
import { noSuch } from "../engine/core/text.ts";
import { CLOCK_MODES, readDuration, speedProblem, WALL_MS_MAX } from "../engine/core/time-limits.ts";
import { SettingsError } from "./errors.ts";
import { valueText } from "../engine/scenario/plain-problem.ts";
import type { SandboxOptions } from "./types.ts";

export interface Takes {
  is: string;
  accepts(value: unknown): boolean;
}

/** @throws SettingsError for an unknown name, or a value that an option does not take */
export function checkEach(options: object, known: Readonly<Record<string, Takes>>): void {
  for (const [name, value] of Object.entries(options)) {
    const takes = own(known, name);
    if (takes === undefined) throw new SettingsError(noSuch("option", name, Object.keys(known)));
    if (value === undefined || takes.accepts(value)) continue;
    throw new SettingsError(`the option ${name} is ${takes.is}, not ${valueText(value)}.`);
  }
}

const isText = (value: unknown) => typeof value === "string" && value !== "";
const isWhole = (value: unknown, least: number, most = Number.MAX_SAFE_INTEGER) =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
const isMap = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const isSource = (value: unknown) => isText(value) || isMap(value);
const isOneOrMore = (value: unknown) => (Array.isArray(value) ? value.every(isSource) : isSource(value));
const isWallMs = (value: unknown) => typeof value === "number" && value >= 1 && value <= WALL_MS_MAX;

const text = (example: string): Takes => ({ is: `a text such as ${example}`, accepts: isText });
const choice = (...words: readonly string[]): Takes => ({
  is: `one of ${words.join(", ")}`,
  accepts: (value) => words.includes(value as string),
});
export const FLAG: Takes = { is: "true or false", accepts: (value) => typeof value === "boolean" };
export const CALLBACK: Takes = { is: "a function", accepts: (value) => typeof value === "function" };
/** Another check refuses wrong values. */
export const ELSEWHERE: Takes = { is: "", accepts: () => true };

export const COUNT: Takes = { is: "a whole number from 1", accepts: (value) => isWhole(value, 1) };
export const SEED: Takes = {
  is: "a number or a text",
  accepts: (value) => isText(value) || (typeof value === "number" && Number.isFinite(value)),
};

const OPTIONS: Readonly<Record<keyof SandboxOptions, Takes>> = {
  port: { is: "a number from 0 to 65535, where 0 picks a free port", accepts: (value) => isWhole(value, 0, 65_535) },
  host: text("127.0.0.1"),
  publicUrl: text("https://docs.example.com"),
  scenario: { is: "the name of a scenario file, the value of one, or a list of them", accepts: isOneOrMore },
  fixtures: { is: "the name of a fixtures file, or the value of one", accepts: isSource },
  seed: SEED,
  clock: ELSEWHERE,
  clockSpeed: ELSEWHERE,
  now: ELSEWHERE,
  data: text("docdouble.json"),
  world: {
    is: "the name of a saved world, or its content",
    accepts: (value) => isText(value) || value instanceof Uint8Array,
  },
  assume: { is: 'a map of ids and readings, "ID=VALUE", the name of a file, or a list of them', accepts: isOneOrMore },
  profile: choice(...PROFILES),
  oauth: choice("auto", "interactive"),
  webhookTimeout_ms: { is: `milliseconds from 1 to ${WALL_MS_MAX}`, accepts: isWallMs },
  allowPrivateTargets: FLAG,
  // A call sends it in a header.
  adminToken: {
    is: "a text of at most 1000 printable ASCII characters, without a space at its ends",
    accepts: (value) => isText(value) && /^[!-~](?:[ -~]{0,998}[!-~])?$/.test(value as string),
  },
  tenantsMax: COUNT,
  journalMax: COUNT,
  strict: FLAG,
  onCall: CALLBACK,
  onBug: CALLBACK,
  onNotice: CALLBACK,
};

/** Refuses unknown names, because a misspelled option would stay unnoticed. @throws SettingsError */
export function checkOptions(options: SandboxOptions): void {
  if (!isMap(options))
    throw new SettingsError(`createSandbox takes an object of options such as { port: 0 }, not ${valueText(options)}`);
  checkEach(options, OPTIONS);
  checkClock(options.clock);
  const { clockSpeed, now } = options;
  const problem = clockSpeed === undefined ? undefined : speedProblem(clockSpeed);
  if (problem !== undefined) throw new SettingsError(`the option clockSpeed: ${problem}`);
  const read = now === undefined ? undefined : readInstant(String(now));
  if (read?.problem !== undefined) throw new SettingsError(`the option now: ${read.problem}`);
}

const IDLE_MS_MAX = 60_000;
const CLOCK_MEMBERS = ["mode", "idle", "poll"];

function checkClock(clock: unknown): void {
  if (clock === undefined || (CLOCK_MODES as readonly unknown[]).includes(clock)) return;
  if (typeof clock !== "object" || clock === null || Array.isArray(clock))
    throw new SettingsError(
      `the option clock is one of ${CLOCK_MODES.join(", ")}, or { mode: "auto", idle, poll }, not ${valueText(clock)}`,
    );
  for (const name of Object.keys(clock))
    if (!CLOCK_MEMBERS.includes(name)) throw new SettingsError(`the option clock: ${noSuch("member", name, CLOCK_MEMBERS)}`);
  const { mode, idle, poll } = clock as Record<string, unknown>;
  if (!(CLOCK_MODES as readonly unknown[]).includes(mode))
    throw new SettingsError(`the option clock: mode is one of ${CLOCK_MODES.join(", ")}, not ${valueText(mode)}`);
  if (mode !== "auto" && (idle !== undefined || poll !== undefined))
    throw new SettingsError(`the option clock: idle and poll belong to the mode auto, not to ${String(mode)}`);
  if (idle !== undefined && !(typeof idle === "number" && idle >= 0 && idle <= IDLE_MS_MAX))
    throw new SettingsError(`the option clock: idle is real milliseconds from 0 to ${IDLE_MS_MAX}, not ${valueText(idle)}`);
  const read =
    poll === undefined
      ? undefined
      : typeof poll === "string"
        ? readDuration(poll)
        : { problem: `${valueText(poll)} is not a text` };
  if (read?.problem !== undefined) throw new SettingsError(`the option clock: poll is a duration such as 1s: ${read.problem}`);
}
