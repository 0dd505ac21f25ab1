import { service } from "../service/service.ts";
import { Forwarder } from "../tools/compare/forward.ts";
import { systemClock } from "../engine/core/clock.ts";
import { SettingsError } from "../library/errors.ts";
import { type CleanReport, clean } from "../tools/probe/clean.ts";
import { contribution } from "../tools/probe/contribution.ts";
import { planCalls } from "../tools/probe/dry-run.ts";
import { readJournal } from "../tools/probe/journal.ts";
import { Pacing, type PacingClock } from "../tools/probe/pacing.ts";
import { type ProbeReport, probe as probeService } from "../tools/probe/probe.ts";
import { assumeFile, cleanSummary, planText, resultLine, summary } from "../tools/probe/report-text.ts";
import type { ServiceOptions } from "../tools/probe/service.ts";
import { writeSafely } from "./print.ts";
import { openJournal, readText } from "./probe-journal.ts";
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
  journal?: string;
  clean?: string;
  contribute?: string;
  callsPerMinute: number;
  allowProductionKey?: boolean;
  json?: boolean;
}

/** Returns the exit code: 1 when a reading differs from the default or the service fails. */
export async function probe(flags: ProbeFlags): Promise<number> {
  try {
    requireOneTask(flags);
    if (flags.dryRun) return await plan(flags);
    if (flags.clean !== undefined) return await cleanUp(flags.clean, flags);
    return await run(flags);
  } catch (error) {
    return usageCode(error);
  }
}

/** A flag without effect would promise something. @throws SettingsError */
function requireOneTask(flags: ProbeFlags): void {
  const tasks = {
    clean: ["dryRun", "only", "write", "journal", "contribute"],
    dryRun: ["write", "journal", "contribute"],
  } as const;
  for (const [task, others] of Object.entries(tasks) as [keyof typeof tasks, readonly (keyof ProbeFlags)[]][]) {
    const other = flags[task] === undefined ? undefined : others.find((one) => flags[one] !== undefined);
    if (other !== undefined) throw new SettingsError(`Cannot probe: ${flagOf(task)} does not go with ${flagOf(other)}.`);
  }
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

async function plan({ only, callsPerMinute, json }: ProbeFlags): Promise<number> {
  const plans = await planCalls(only, callsPerMinute);
  writeSafely(json ? `${JSON.stringify({ version: 1, plans }, null, 2)}\n` : planText(plans, callsPerMinute));
  return 0;
}

async function run(flags: ProbeFlags): Promise<number> {
  const { url, key } = requireReal("probe", { real: flags.real, key: flags.key }, "--key");
  if (flags.write !== undefined) requireWritable(flags.write, /\.(ya?ml|json)$/i, "--assume reads .yaml and .json files");
  if (flags.contribute !== undefined) requireWritable(flags.contribute, /\.json$/i, "a contribution is JSON");
  const journal = flags.journal === undefined ? undefined : openJournal(flags.journal);
  let kind: "sandbox" | "production" = "production";
  let report: ProbeReport;
  try {
    report = await calling(url, key, flags.callsPerMinute, (service) =>
      probeService({
        ...service,
        only: flags.only,
        allowProductionKey: flags.allowProductionKey,
        run: systemClock.now().toString(36),
        ...(journal === undefined ? {} : { journal: journal.write }),
        onAccount: (one) => {
          kind = one;
        },
        onResult: (result) => {
          if (!flags.json) writeSafely(resultLine(result));
        },
      }),
    );
  } finally {
    journal?.close();
  }
  const isAnySeen = report.results.some((one) => one.seen !== null && service.switches.has(one.assumption));
  if (flags.json) writeSafely(`${JSON.stringify(report, null, 2)}\n`);
  else writeSafely(summary(report));
  if (flags.write !== undefined && isAnySeen) writeReport(flags.write, assumeFile(report, url.origin));
  if (flags.write !== undefined && !isAnySeen)
    process.stderr.write(`No reading of a switch was seen, so ${flags.write} stays as it was.\n`);
  if (flags.contribute !== undefined) await contribute(flags.contribute, report, kind);
  const isContradicted = report.results.some((one) => one.verdict === "contradicted");
  return isContradicted || report.stopped !== undefined || report.left_behind !== undefined ? EXIT_CONTRADICTED : 0;
}

async function contribute(file: string, { results }: ProbeReport, kind: "sandbox" | "production"): Promise<void> {
  const record = await contribution(results, kind, systemClock.now());
  writeReport(file, `${JSON.stringify(record, null, 2)}\n`);
  process.stderr.write(`${file} holds what the probe saw, and nothing of your account. docs/probe.md says how to send it.\n`);
}

/** Finishes the cleanup of earlier probes. */
async function cleanUp(file: string, flags: ProbeFlags): Promise<number> {
  const { url, key } = requireReal("probe", { real: flags.real, key: flags.key }, "--key");
  const runs = readJournal(readText(file), file);
  const journal = openJournal(file);
  let report: CleanReport;
  try {
    report = await calling(url, key, flags.callsPerMinute, (service) =>
      clean(runs, {
        ...service,
        journalOf: ({ run }) => {
          journal.write({ line: "again", run });
          return journal.write;
        },
      }),
    );
  } finally {
    journal.close();
  }
  writeSafely(flags.json ? `${JSON.stringify(report, null, 2)}\n` : cleanSummary(report));
  return report.stopped !== undefined || report.left_behind !== undefined ? EXIT_CONTRADICTED : 0;
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
function requireWritable(file: string, names: RegExp, reason: string): void {
  if (!names.test(file)) {
    const example = names.test("assume.yaml") ? "assume.yaml" : "seen.json";
    throw new SettingsError(`Cannot write ${file}: ${reason}. Name one such as ${example}.`);
  }
  beforeWork(file);
}
