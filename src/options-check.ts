/** Checks options at run time, for callers without a type checker. */
import { PROFILES } from "./assumptions/profiles.ts";
import { noSuch } from "./core/text.ts";
import { DURATION_MS_MAX, speedProblem, WALL_MS_MAX } from "./core/time-limits.ts";
import { SettingsError } from "./errors.ts";
import type { SandboxOptions } from "./types.ts";

/** The allowed words, or the type of the value. */
type Takes = readonly string[] | "text" | "number" | "flag" | "function" | "any";

const OPTIONS: Readonly<Record<keyof SandboxOptions, Takes>> = {
  port: "number",
  host: "text",
  publicUrl: "text",
  scenario: "any",
  fixtures: "any",
  seed: "any",
  clock: ["real", "frozen"],
  clockSpeed: "number",
  now: "text",
  data: "text",
  assume: "any",
  profile: PROFILES,
  rateLimit: ["none", "sandbox", "production"],
  oauth: ["auto", "interactive"],
  webhookRetries_ms: "any",
  webhookTimeout_ms: "number",
  httpsWebhooks: "flag",
  allowPrivateTargets: "flag",
  adminToken: "text",
  tenantsMax: "number",
  tenantIdle_ms: "number",
  onGiveBack: "function",
  strict: "flag",
  onExchange: "function",
  onBug: "function",
  onNotice: "function",
};

const TYPES = { text: "string", number: "number", flag: "boolean", function: "function" } as const;
const WORDS = { text: "a text", number: "a number", flag: "true or false", function: "a function" } as const;

/** Refuses unknown names and wrong types: a misspelt option would go unnoticed. @throws SettingsError */
export function checkOptions(options: SandboxOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const takes = (OPTIONS as Readonly<Record<string, Takes | undefined>>)[name];
    if (takes === undefined) throw new SettingsError(noSuch("option", name, Object.keys(OPTIONS)));
    if (value === undefined || takes === "any") continue;
    const isRight = typeof takes === "string" ? typeof value === TYPES[takes] : takes.includes(value as string);
    if (isRight) continue;
    const wanted = typeof takes === "string" ? WORDS[takes] : `one of ${takes.join(", ")}`;
    throw new SettingsError(`the option ${name} is ${wanted}, not ${JSON.stringify(value)}`);
  }
  const { clockSpeed, webhookRetries_ms, webhookTimeout_ms, tenantIdle_ms } = options;
  const problem = clockSpeed === undefined ? undefined : speedProblem(clockSpeed);
  if (problem !== undefined) throw new SettingsError(`the option clockSpeed: ${problem}`);
  if (webhookRetries_ms !== undefined && !(Array.isArray(webhookRetries_ms) && webhookRetries_ms.every(isDelay)))
    throw new SettingsError(
      `the option webhookRetries_ms is a list of whole milliseconds from 0 to ${DURATION_MS_MAX}, not ${textOf(webhookRetries_ms)}`,
    );
  requireWallMs("webhookTimeout_ms", webhookTimeout_ms);
  if (tenantIdle_ms !== Number.POSITIVE_INFINITY) requireWallMs("tenantIdle_ms", tenantIdle_ms);
}

function isDelay(ms: unknown): boolean {
  return Number.isInteger(ms) && (ms as number) >= 0 && (ms as number) <= DURATION_MS_MAX;
}

function requireWallMs(name: string, ms: number | undefined): void {
  if (ms === undefined || (ms >= 1 && ms <= WALL_MS_MAX)) return;
  throw new SettingsError(`the option ${name} is milliseconds from 1 to ${WALL_MS_MAX}, not ${ms}`);
}

/** JSON, with NaN and Infinity by name. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === "number" && !Number.isFinite(one) ? String(one) : one));
}
