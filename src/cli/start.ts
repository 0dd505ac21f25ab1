import type { Profile } from "../engine/assumptions/profile-names.ts";
import { defined } from "../engine/core/defined.ts";
import { messageOf } from "../engine/core/text.ts";
import { EXIT_USAGE, usageMessage } from "./usage-error.ts";
import { createSandbox } from "../library/sandbox.ts";
import type { AssumeSource, ClockMode, EventName, Sandbox, SandboxOptions } from "../library/types.ts";
import { banner } from "./banner.ts";
import { Console, type LogFormat, showSandbox } from "./console.ts";
import { watchFiles } from "./watch.ts";
import { subscribeTargets, webhookScenario } from "./webhook-targets.ts";

export interface StartFlags {
  port?: number;
  host: string;
  publicUrl?: string;
  scenario?: string[] | string;
  fixtures?: string;
  seed?: string;
  clock?: ClockMode;
  clockSpeed?: number;
  now?: string;
  data?: string;
  world?: string;
  assume?: string[] | string;
  profile?: Profile;
  rateLimit?: "none" | "sandbox" | "production";
  oauth?: "auto" | "interactive";
  webhookRetries?: string[];
  allowPrivateTargets?: boolean;
  adminToken?: string;
  journalMax?: number;
  watch?: boolean;
  log?: LogFormat;
  stopWithInput?: boolean;
  webhook?: string[] | string;
  webhookEvents?: EventName[];
}

const DEFAULT_PORT = 4010;
/** Flags that a saved world overrides. */
const FROM_WORLD = ["clock", "clockSpeed", "now", "seed"] as const;
const EXIT_CHANGES_LOST = 1;

/** Serves until a signal arrives, or until its input ends where a flag says so. Then finishes current calls, writes the data file and exits 0. */
export async function start(flags: StartFlags): Promise<void> {
  const log = flags.log ?? (process.stdout.isTTY ? "pretty" : "silent");
  const shown = new Console(log, process.stdout);
  const unused = flags.world === undefined ? [] : FROM_WORLD.filter((name) => flags[name] !== undefined);
  if (unused.length > 0)
    process.stderr.write(`note: the world has its own clock and seed, so ${namesOf(unused)} has no effect\n`);
  const webhooks = webhookScenario(flags);
  const scenarios = [flags.scenario ?? [], webhooks ?? []].flat();
  const sandbox = await open(flags, {
    ...(scenarios.length === 0 ? {} : { scenario: scenarios }),
  });
  if (flags.watch)
    watchFiles(
      sandbox,
      () => sandbox.files(),
      (line) => process.stderr.write(`${line}\n`),
    );
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    const problem = await sandbox.close().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (problem !== undefined) process.stderr.write(`${messageOf(problem)}\n`);
    process.exit(problem === undefined ? 0 : EXIT_CHANGES_LOST);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // The input of a child process ends with its parent, also when the parent is killed.
  if (flags.stopWithInput) process.stdin.on("end", stop).on("error", stop).resume();
  // A reader of the address may send a signal at once, so the handlers come first.
  process.stdout.write(`docdouble listening on ${sandbox.url}\n`);
  const targets = webhooks ? subscribeTargets(sandbox, webhooks) : [];
  if (log === "pretty" || log === "plain") process.stdout.write(banner(sandbox, targets));
  if (log !== "silent") showSandbox(sandbox, shown);
}

async function open(flags: StartFlags, more: Pick<SandboxOptions, "scenario">): Promise<Sandbox> {
  const { fixtures, publicUrl, seed, clock, clockSpeed, now, data, world, profile, oauth, host, port = DEFAULT_PORT } = flags;
  const { allowPrivateTargets, journalMax, adminToken } = flags;
  const ofWorld = { fixtures, seed, clock, clockSpeed, now, data, world, profile, oauth };
  const ofServer = { host, port, publicUrl, allowPrivateTargets, journalMax, adminToken };
  const options = defined({ ...ofWorld, ...ofServer, ...more, assume: assumeOf(flags) }) as SandboxOptions;
  try {
    return await createSandbox(options);
  } catch (error) {
    process.stderr.write(`${usageMessage(error)}\n`);
    process.exit(EXIT_USAGE);
  }
}

/** The short forms come last, so they override `--assume`. */
function assumeOf({ assume = [], rateLimit, webhookRetries }: StartFlags): AssumeSource[] {
  return [
    ...[assume].flat(),
    ...(rateLimit === undefined ? [] : [{ "rate_limit.profile": rateLimit }]),
    ...(webhookRetries === undefined ? [] : [{ "webhook.retry_schedule": webhookRetries }]),
  ];
}

function namesOf(flags: readonly string[]): string {
  return flags.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`).join(", ");
}
