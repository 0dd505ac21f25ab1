import type { Profile } from "../assumptions/profiles.ts";
import { messageOf } from "../core/text.ts";
import { SettingsError } from "../errors.ts";
import { createSandbox } from "../sandbox.ts";
import { ScenarioError } from "../scenario/error.ts";
import type { Sandbox, SandboxOptions } from "../types.ts";
import { jsonLine, textLine } from "./log-lines.ts";
import { watchFiles } from "./watch.ts";

export interface StartFlags {
  port?: number;
  host: string;
  publicUrl?: string;
  scenario?: string[] | string;
  fixtures?: string;
  seed?: string;
  clock?: "real" | "frozen";
  clockSpeed?: number;
  now?: string;
  data?: string;
  assume?: string[] | string;
  profile?: Profile;
  rateLimit?: "none" | "sandbox" | "production";
  oauth?: "auto" | "interactive";
  webhookRetries?: number[];
  httpsWebhooks?: boolean;
  allowPrivateTargets?: boolean;
  adminToken?: string;
  watch?: boolean;
  log?: "text" | "json" | "silent";
}

const DEFAULT_PORT = 4010;
const EXIT_USAGE = 2;
/** Exit code when the last changes could not be written. */
const EXIT_LOST = 1;

/** Serves until a signal arrives. Then finishes calls in flight, flushes the data file and exits 0. */
export async function start(flags: StartFlags): Promise<void> {
  const log = flags.log ?? (process.stdout.isTTY ? "text" : "json");
  const sandbox = await open(flags, log === "silent" ? {} : listeners(log));
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
    process.exit(problem === undefined ? 0 : EXIT_LOST);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // Handle signals before printing the address: a reader may send one at once.
  process.stdout.write(`docdouble listening on ${sandbox.url}\n`);
  if (log === "text") process.stdout.write(banner(sandbox));
}

function listeners(log: "text" | "json"): Pick<SandboxOptions, "onExchange" | "onGiveBack"> {
  return {
    onExchange: (entry, tenant) => process.stdout.write(`${log === "json" ? jsonLine(entry, tenant) : textLine(entry)}\n`),
    onGiveBack: (tenant, why) => process.stderr.write(`evicted the tenant ${tenant} and its data: ${why}\n`),
  };
}

async function open(flags: StartFlags, callbacks: Pick<SandboxOptions, "onExchange" | "onGiveBack">): Promise<Sandbox> {
  const options: SandboxOptions = {
    port: flags.port ?? DEFAULT_PORT,
    host: flags.host,
    ...(flags.rateLimit === undefined ? {} : { rateLimit: flags.rateLimit }),
    ...(flags.assume === undefined ? {} : { assume: flags.assume }),
    ...(flags.profile === undefined ? {} : { profile: flags.profile }),
    ...(flags.oauth === undefined ? {} : { oauth: flags.oauth }),
    ...callbacks,
    ...(flags.publicUrl === undefined ? {} : { publicUrl: flags.publicUrl }),
    ...(flags.scenario === undefined ? {} : { scenario: flags.scenario }),
    ...(flags.fixtures === undefined ? {} : { fixtures: flags.fixtures }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.clock === undefined ? {} : { clock: flags.clock }),
    ...(flags.clockSpeed === undefined ? {} : { clockSpeed: flags.clockSpeed }),
    ...(flags.now === undefined ? {} : { now: flags.now }),
    ...(flags.data === undefined ? {} : { data: flags.data }),
    ...(flags.webhookRetries === undefined ? {} : { webhookRetries_ms: flags.webhookRetries }),
    ...(flags.allowPrivateTargets === undefined ? {} : { allowPrivateTargets: flags.allowPrivateTargets }),
    ...(flags.httpsWebhooks === undefined ? {} : { httpsWebhooks: flags.httpsWebhooks }),
    ...(flags.adminToken === undefined ? {} : { adminToken: flags.adminToken }),
  };
  try {
    return await createSandbox(options);
  } catch (error) {
    if (!(error instanceof SettingsError) && !(error instanceof ScenarioError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_USAGE);
  }
}

function banner(sandbox: Sandbox): string {
  return [
    "",
    "  A test double for PandaDoc's public API; not affiliated with PandaDoc.",
    `  try    curl -H 'Authorization: API-Key ${sandbox.apiKey}' ${sandbox.url}/public/v1/templates`,
    `  admin  ${sandbox.url}/__admin/`,
    `  seed   ${sandbox.seed}`,
    "",
    "",
  ].join("\n");
}
