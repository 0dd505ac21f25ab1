import { Forwarder } from "../tools/compare/forward.ts";
import { systemClock } from "../engine/core/clock.ts";
import { SettingsError } from "../library/errors.ts";
import { planCalls } from "../tools/probe/dry-run.ts";
import { Pacing, type PacingClock } from "../tools/probe/pacing.ts";
import { probe as probeService } from "../tools/probe/probe.ts";
import { assumeFile, planText, resultLine, summary } from "../tools/probe/report-text.ts";
import type { ServiceOptions } from "../tools/probe/service.ts";
import { requireReal } from "./real-service.ts";
import { beforeWork, writeReport } from "./report-files.ts";
import { usageCode } from "./usage-error.ts";

const EXIT_CONTRADICTED = 1;
const SILENCE_MAX_MS = 60_000;
/** A terminal that closes sends the last one. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface ProbeFlags {
  real?: string;
  key?: string;
  only?: string[];
  dryRun?: boolean;
  write?: string;
  callsPerMinute: number;
  allowProductionKey?: boolean;
  json?: boolean;
}

/** Returns the exit code: 1 when a reading differs from the default or the service fails. */
export async function probe(flags: ProbeFlags): Promise<number> {
  try {
    if (flags.dryRun && flags.write !== undefined)
      throw new SettingsError("Cannot probe: --dry-run does not go with --write, because it sees no reading.");
    return flags.dryRun ? await plan(flags) : await run(flags);
  } catch (error) {
    return usageCode(error);
  }
}

async function plan({ only, callsPerMinute, json }: ProbeFlags): Promise<number> {
  const plans = await planCalls(only, callsPerMinute);
  process.stdout.write(json ? `${JSON.stringify({ version: 1, plans }, null, 2)}\n` : planText(plans, callsPerMinute));
  return 0;
}

async function run(flags: ProbeFlags): Promise<number> {
  const { url, key } = requireReal("probe", { real: flags.real, key: flags.key }, "--key");
  if (flags.write !== undefined) requireWritable(flags.write);
  const report = await calling(url, key, flags.callsPerMinute, (service) =>
    probeService({
      ...service,
      only: flags.only,
      allowProductionKey: flags.allowProductionKey,
      run: systemClock.now().toString(36),
      onResult: (result) => {
        if (!flags.json) process.stdout.write(resultLine(result));
      },
    }),
  );
  process.stdout.write(flags.json ? `${JSON.stringify(report, null, 2)}\n` : summary(report));
  if (flags.write !== undefined) {
    if (report.results.some((one) => one.seen !== null)) writeReport(flags.write, assumeFile(report, url.origin));
    else process.stderr.write(`No reading was seen, so ${flags.write} stays as it was.\n`);
  }
  const isContradicted = report.results.some((one) => one.verdict === "contradicted");
  return isContradicted || report.stopped !== undefined || report.left_behind !== undefined ? EXIT_CONTRADICTED : 0;
}

type Calling = Pick<ServiceOptions, "url" | "key" | "pacing" | "carry" | "onWait" | "signal">;

/** Calls the service until an interrupt. Deletions still run after it. */
async function calling<T>(url: URL, key: string, perMinute: number, work: (service: Calling) => Promise<T>): Promise<T> {
  const forwarder = new Forwarder(url, SILENCE_MAX_MS);
  const interrupt = new AbortController();
  const onSignal = () => {
    process.stderr.write("Interrupted: deleting what the probe created. Interrupt again to leave it.\n");
    interrupt.abort();
  };
  for (const one of SIGNALS) process.once(one, onSignal);
  try {
    return await work({
      url: url.href.replace(/\/$/, ""),
      key,
      pacing: new Pacing(wallClock(interrupt.signal), perMinute),
      signal: interrupt.signal,
      carry: (request) => forwarder.send(request),
      onWait: (line) => process.stderr.write(`${line}\n`),
    });
  } finally {
    forwarder.close();
    for (const one of SIGNALS) process.off(one, onSignal);
  }
}

function wallClock(signal: AbortSignal): PacingClock {
  return {
    now: systemClock.elapsed,
    wait: (ms) =>
      new Promise((resolve) => {
        const end = () => {
          cancel();
          signal.removeEventListener("abort", end);
          resolve();
        };
        const cancel = systemClock.deadline(ms, end);
        if (!signal.aborted) signal.addEventListener("abort", end, { once: true });
      }),
  };
}

/** Fails before the first call. The file keeps its content until the report replaces it. @throws SettingsError */
function requireWritable(file: string): void {
  if (!/\.(ya?ml|json)$/i.test(file))
    throw new SettingsError(`Cannot write ${file}: --assume reads .yaml and .json files. Name one such as assume.yaml.`);
  beforeWork(file);
}
