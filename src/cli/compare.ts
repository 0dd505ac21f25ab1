import { defined } from "../engine/core/defined.ts";
import { unguessable } from "../engine/core/ids.ts";
import type { Profile } from "../engine/assumptions/profile-names.ts";
import { CassetteWriter } from "../tools/compare/cassette-writer.ts";
import { readCassette } from "../tools/compare/cassette.ts";
import { Comparison } from "../tools/compare/comparison.ts";
import type { Report } from "../tools/compare/difference-groups.ts";
import { type DoubleOptions, DoubleSide } from "../tools/compare/double-side.ts";
import type { CallAnswer, CallRequest } from "../tools/compare/exchange.ts";
import { keyOf, readHar } from "../tools/compare/har-import.ts";
import { CompareProxy } from "../tools/compare/proxy.ts";
import { replayCassette } from "../tools/compare/replay.ts";
import { jsonReport, plainReport, REPORT_FORMATS, reportFor } from "../tools/compare/report-text.ts";
import { SettingsError } from "../library/errors.ts";
import { execute } from "./execute.ts";
import { requireReal } from "./real-service.ts";
import { type ReportFile, reportFiles, writeReport } from "./report-files.ts";
import { usageCode } from "./usage-error.ts";

const EXIT_DIFFERENT = 1;
const SILENT =
  "Without a compared call, the comparison proves nothing. Let your command call the address in DOCDOUBLE_URL with the key in DOCDOUBLE_API_KEY.\n";

interface CommonFlags {
  report?: string[];
  seed?: string;
  fixtures?: string;
  assume?: string[];
  profile?: Profile;
  json?: boolean;
}

export interface CompareFlags extends CommonFlags {
  real?: string;
  realKey?: string;
  record?: string;
  webhookUrl?: string;
  port?: number;
}

/** Returns the exit code: the command's, or 1 when the command passed and the sides differ. */
export async function compare(command: readonly string[], flags: CompareFlags): Promise<number> {
  return withUsage(async () => {
    const { key: realKey } = requireReal("compare", { real: flags.real, key: flags.realKey }, "--real-key");
    const realUrl = flags.real as string;
    const reports = reportFiles(flags.report, REPORT_FORMATS);
    const double = await DoubleSide.start(doubleOptions(flags));
    try {
      const comparison = new Comparison({ double, realUrl, seesWebhooks: true });
      const { webhookUrl, port, record } = flags;
      const proxy = await CompareProxy.start({ realUrl, realKey, double, comparison, webhookUrl, port, onError });
      let code: number;
      try {
        if (record !== undefined)
          proxy.recorder = await CassetteWriter.start({ file: record, realUrl, keys: [realKey], double: doubleOptions(flags) });
        code = (await execute(command, proxy, { env: proxy.hiddenVariables, isQuiet: flags.json })).code;
      } finally {
        await proxy.close();
      }
      const report = comparison.report();
      const different = publish(report, comparison.notes(), reports, flags);
      if (report.calls === 0) process.stderr.write(SILENT);
      await proxy.recorder?.close();
      return code === 0 ? different : code;
    } finally {
      await double.close();
    }
  });
}

function onError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

export async function replay(files: readonly string[], flags: CommonFlags): Promise<number> {
  return withUsage(async () => {
    const reports = reportFiles(flags.report, REPORT_FORMATS);
    const cassettes = files.map((file) => ({ file, cassette: readCassette(file) }));
    const total: Report = { version: 1, calls: 0, differences: [] };
    const notes: string[] = [];
    for (const { file, cassette } of cassettes) {
      if (cassette.cut !== undefined) process.stderr.write(`${cassette.cut}\n`);
      const replayed = await replayCassette(cassette, doubleOptions(flags));
      total.calls += replayed.calls;
      total.differences.push(...replayed.differences);
      notes.push(...replayed.notes.map((note) => `${file}: ${note}`));
    }
    return publish(total, notes, reports, flags);
  });
}

export interface ImportFlags {
  out: string;
  real?: string;
  json?: boolean;
}

/** Turns a HAR into a cassette. */
export async function importHar(file: string, { out, real, json }: ImportFlags): Promise<number> {
  return withUsage(async () => {
    if (real !== undefined && !URL.canParse(real)) throw new SettingsError(`--real ${real} is not an address.`);
    const { origin, calls, others, unanswered, keys } = readHar(file, real);
    const writer = await CassetteWriter.start({ file: out, realUrl: origin, keys });
    const validKey = unguessable();
    for (const { request, answer, at_ms } of calls)
      await writer.call(withKey(request, answer, keys, validKey), answer, at_ms, validKey);
    await writer.close();
    const noun = (count: number) => `${count} call${count === 1 ? "" : "s"}`;
    const left = [
      ...(others === 0 ? [] : [`${noun(others)} to other hosts`]),
      ...(unanswered === 0 ? [] : [`${noun(unanswered)} without an answer`]),
    ].join(" and ");
    process.stdout.write(
      json
        ? `${JSON.stringify({ out, calls: calls.length, others, unanswered })}\n`
        : `wrote ${noun(calls.length)} to ${out}${left === "" ? "" : `, and left out ${left}`}\n`,
    );
    return 0;
  });
}

/** Programs that write a HAR often leave credentials out, so a call without them counts as one with a valid key unless it answered 401. */
function withKey(request: CallRequest, { status }: CallAnswer, keys: readonly string[], apiKey: string): CallRequest {
  const { authorization } = request.headers;
  const isValid =
    authorization === undefined ? status !== 401 && request.target.startsWith("/public/") : keys.includes(keyOf(request) ?? "");
  return isValid ? { ...request, headers: { ...request.headers, authorization: `API-Key ${apiKey}` } } : request;
}

function doubleOptions({ seed, fixtures, assume, profile }: CommonFlags): DoubleOptions {
  return defined({ seed, fixtures, assume, profile });
}

async function withUsage(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    return usageCode(error);
  }
}

function publish(
  report: Report,
  notes: readonly string[],
  files: readonly ReportFile<(typeof REPORT_FORMATS)[number]>[],
  flags: CommonFlags,
): number {
  // The command's own output goes to standard output, so the text goes to standard error.
  if (flags.json) process.stdout.write(jsonReport(report));
  else process.stderr.write(plainReport(report, notes));
  for (const { file, ending } of files) writeReport(file, reportFor(ending, report, notes));
  return report.differences.length > 0 || report.calls === 0 ? EXIT_DIFFERENT : 0;
}
