import { closeSync, openSync, writeFileSync } from "node:fs";
import { isSwitch } from "../service/assumptions/parse.ts";
import { Forwarder } from "../tools/compare/forward.ts";
import { systemClock } from "../engine/core/clock.ts";
import { SettingsError } from "../library/errors.ts";
import { planCalls } from "../tools/probe/dry-run.ts";
import { Pacing, type PacingClock } from "../tools/probe/pacing.ts";
import { type ProbeReport, probe as probeService } from "../tools/probe/probe.ts";
import { assumeFile, planText, resultLine, summary } from "../tools/probe/report-text.ts";
import { writeSafely } from "./print.ts";
import { EXIT_USAGE } from "./usage-error.ts";

const EXIT_CONTRADICTED = 1;
const SILENCE_MAX_MS = 60_000;

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
    if (flags.dryRun) return await plan(flags);
    return await run(flags);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return EXIT_USAGE;
  }
}

async function plan({ only, callsPerMinute, json }: ProbeFlags): Promise<number> {
  const plans = await planCalls(only, callsPerMinute);
  writeSafely(json ? `${JSON.stringify({ version: 1, plans }, null, 2)}\n` : planText(plans, callsPerMinute));
  return 0;
}

async function run(flags: ProbeFlags): Promise<number> {
  const { url, key } = requireReal(flags);
  if (flags.write !== undefined) requireWritable(flags.write);
  const forwarder = new Forwarder(url, SILENCE_MAX_MS);
  const interrupt = new AbortController();
  const onSignal = () => {
    process.stderr.write("Interrupted: deleting what the probe created. Interrupt again to leave it.\n");
    interrupt.abort();
  };
  process.once("SIGINT", onSignal);
  process.once("SIGTERM", onSignal);
  let report: ProbeReport;
  try {
    report = await probeService({
      url: url.href.replace(/\/$/, ""),
      key,
      only: flags.only,
      allowProductionKey: flags.allowProductionKey,
      pacing: new Pacing(wallClock(interrupt.signal), flags.callsPerMinute),
      run: systemClock.now().toString(36),
      signal: interrupt.signal,
      carry: (request) => forwarder.send(request),
      onWait: (line) => process.stderr.write(`${line}\n`),
      onResult: (result) => {
        if (!flags.json) writeSafely(resultLine(result));
      },
    });
  } finally {
    forwarder.close();
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  }
  const isAnySeen = report.results.some((one) => one.seen !== null && isSwitch(one.assumption));
  if (flags.write !== undefined && isAnySeen) writeFileSync(flags.write, assumeFile(report, url.origin));
  if (flags.write !== undefined && !isAnySeen)
    process.stderr.write(`No reading of a switch was seen, so ${flags.write} stays as it was.\n`);
  if (flags.json) writeSafely(`${JSON.stringify(report, null, 2)}\n`);
  else writeSafely(summary(report));
  const isContradicted = report.results.some((one) => one.verdict === "contradicted");
  return isContradicted || report.stopped !== undefined || report.left_behind !== undefined ? EXIT_CONTRADICTED : 0;
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

/** @throws SettingsError */
function requireReal({ real, key }: ProbeFlags): { url: URL; key: string } {
  if (real === undefined) throw new SettingsError("Cannot probe: the real service is missing. Name its address with --real URL.");
  const url = URL.canParse(real) ? new URL(real) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new SettingsError(`Cannot probe: --real ${real} is not an address. Use one such as https://api.pandadoc.com.`);
  if (key === undefined) throw new SettingsError("Cannot probe: the key is missing. Give --key KEY, or set DOCDOUBLE_REAL_KEY.");
  return { url, key };
}

/** Fails before the first call. The file keeps its content until the report replaces it. @throws SettingsError */
function requireWritable(file: string): void {
  if (!/\.(ya?ml|json)$/i.test(file))
    throw new SettingsError(`Cannot write ${file}: --assume reads .yaml and .json files. Name one such as assume.yaml.`);
  try {
    closeSync(openSync(file, "a"));
  } catch (error) {
    throw new SettingsError(`Cannot write ${file}: ${(error as NodeJS.ErrnoException).code}. Check the folder.`);
  }
}
