import { defined } from "../engine/core/defined.ts";
import { messageOf } from "../engine/core/text.ts";
import { EXIT_USAGE, usageMessage } from "./usage-error.ts";
import { createSandbox } from "../library/sandbox.ts";
import type { AssumeSource, EventName, Sandbox, SandboxOptions } from "../library/types.ts";
import { banner } from "./banner.ts";
import { Console, type LogFormat, showSandbox } from "./console.ts";
import { watchFiles } from "./watch.ts";
import { subscribeTargets, webhookScenario } from "./webhook-targets.ts";

/** Most flags are options of the sandbox. */
export interface StartFlags extends Omit<SandboxOptions, "assume" | "scenario" | "seed"> {
  seed?: string;
  scenario?: string[] | string;
  assume?: string[] | string;
  rateLimit?: "none" | "sandbox" | "production";
  webhookRetries?: string[];
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
  const { watch, log: _, stopWithInput, webhook, webhookEvents, rateLimit, webhookRetries, assume, scenario, ...options } = flags;
  const webhooks = webhookScenario(flags);
  const scenarios = [scenario ?? [], webhooks ?? []].flat();
  const sandbox = await open({
    port: DEFAULT_PORT,
    ...(defined(options) as SandboxOptions),
    ...(scenarios.length === 0 ? {} : { scenario: scenarios }),
    assume: assumeOf(flags),
  });
  if (watch)
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
  if (stopWithInput) process.stdin.on("end", stop).on("error", stop).resume();
  // A reader of the address may send a signal at once, so the handlers come first.
  process.stdout.write(`docdouble listening on ${sandbox.url}\n`);
  const targets = webhooks ? subscribeTargets(sandbox, webhooks) : [];
  if (log === "pretty" || log === "plain") process.stdout.write(banner(sandbox, targets));
  if (log !== "silent") showSandbox(sandbox, shown);
}

async function open(options: SandboxOptions): Promise<Sandbox> {
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
