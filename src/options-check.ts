/** What each option takes, for callers whose compiler does not tell them. */
import { noSuch } from "./core/text.ts";
import { SettingsError } from "./errors.ts";
import type { SandboxOptions } from "./types.ts";

/** The words that it may be, or what kind of value. */
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

/** A misspelt option would be passed over, and its absence noticed much later. @throws SettingsError */
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
  const { clockSpeed, webhookRetries_ms } = options;
  if (clockSpeed !== undefined && !(clockSpeed > 0 && clockSpeed < Number.POSITIVE_INFINITY))
    throw new SettingsError(`the option clockSpeed is a number above 0, not ${clockSpeed}`);
  if (webhookRetries_ms !== undefined && !(Array.isArray(webhookRetries_ms) && webhookRetries_ms.every((ms) => ms >= 0)))
    throw new SettingsError(`the option webhookRetries_ms is a list of milliseconds, not ${JSON.stringify(webhookRetries_ms)}`);
}
