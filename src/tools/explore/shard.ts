/**
 * Parts of one exploration for several machines. A part owns kinds of faults: a fault with its operation. It tries the single faults of
 * its kinds, and the pairs whose first fault is of its kinds. So no part plays a run of another part.
 */
import { causesOf } from "./causes.ts";
import { FAULT_RECORDS } from "./fault-records.ts";
import { kindOf } from "./pairs.ts";
import { SettingsError } from "../../library/errors.ts";
import type { Break, Cell, ExploreReport, FaultPlace } from "./report.ts";

export interface Shard {
  part: number;
  of: number;
}

const PARTS_MAX = 1000;

/** @throws SettingsError */
export function readShard(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, part, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(String(text)) ?? [];
  const shard = { part: Number(part), of: Number(of) };
  if (shard.of <= PARTS_MAX && shard.part >= 1 && shard.part <= shard.of) return shard;
  throw new SettingsError(
    `explore: the option shard is a part such as 1/3, and not ${JSON.stringify(text)}. Parts count from 1, and ${PARTS_MAX} are the most.`,
  );
}

export function shardText({ part, of }: Shard): string {
  return `${part}/${of}`;
}

export type Kind = Pick<FaultPlace, "fault" | "operation">;

export function owns(shard: Shard | undefined, kind: Kind | undefined): boolean {
  if (!shard) return true;
  // What concerns no fault belongs to the first part.
  return kind === undefined ? shard.part === 1 : hash(`${kind.fault} ${kind.operation}`) % shard.of === shard.part - 1;
}

/** FNV-1a, so that every machine and version finds the same part. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return (value ^ (value >>> 15)) >>> 0;
}

const ENDS: readonly ExploreReport["ended"][] = ["interrupted", "budget", "runs", "clean", "complete"];

export interface NamedReport {
  file: string;
  report: ExploreReport;
}

/** Joins reports of one exploration. `missing` names the parts without a report. @throws SettingsError for reports of others */
export function mergeReports(all: readonly NamedReport[]): { report: ExploreReport; missing: string[] } {
  const [first, ...others] = all;
  if (!first) throw new SettingsError("explore --merge needs the name of a report, such as part-1.json.");
  for (const one of others) requireSame(first, one);
  const shards = all.flatMap(({ report: { shard }, file }) =>
    shard === undefined ? [] : [{ file, shard: readShard(shard) as Shard }],
  );
  const seen = new Map<string, string>();
  for (const { file, shard } of shards) {
    const text = shardText(shard);
    const other = seen.get(text);
    if (other !== undefined) throw new SettingsError(`Cannot merge ${file}: ${other} is part ${text} too.`);
    seen.set(text, file);
  }
  const of = shards[0]?.shard.of ?? 0;
  const missing = Array.from({ length: of }, (_, i) => shardText({ part: i + 1, of })).filter((text) => !seen.has(text));
  const reports = all.map(({ report }) => report);
  const sum = (count: (report: ExploreReport) => number) => reports.reduce((total, one) => total + count(one), 0);
  const breaks = mergedBreaks(reports);
  const notShrunk = reports
    .flatMap(({ not_shrunk = [] }) => not_shrunk)
    .filter((name) => breaks.some((one) => one.name === name));
  const report: ExploreReport = {
    ...first.report,
    runs: sum(({ runs }) => runs),
    left_out: sum(({ left_out }) => left_out),
    not_tried: sum(({ not_tried }) => not_tried),
    ended: ENDS.find((end) => reports.some(({ ended }) => ended === end)) ?? "complete",
    clean: reports.find(({ clean }) => clean.problem !== null)?.clean ?? first.report.clean,
    cells: mergedCells(reports),
    causes: causesOf(breaks),
    breaks,
    reductions: mergedReductions(reports),
    played: [...new Map(reports.flatMap(({ played }) => played).map((one) => [one.scenario, one])).values()],
  };
  if (missing.length === 0) delete report.shard;
  delete report.not_shrunk;
  if (notShrunk.length > 0) report.not_shrunk = [...new Set(notShrunk)];
  return { report, missing };
}

function requireSame(first: NamedReport, other: NamedReport): void {
  const calls = ({ report: { clean } }: NamedReport) =>
    JSON.stringify(clean.calls.map(({ operation, nth, status }) => [operation, nth, status]));
  const of = ({ report: { shard } }: NamedReport) => (shard === undefined ? undefined : readShard(shard)?.of);
  const reason =
    first.report.seed !== other.report.seed
      ? `its seed is ${other.report.seed}, and not ${first.report.seed} as in ${first.file}`
      : of(first) !== of(other)
        ? `it is a part of another number of parts than ${first.file}`
        : first.report.clean.problem === null && other.report.clean.problem === null && calls(first) !== calls(other)
          ? `its run without a fault has other calls than that of ${first.file}`
          : undefined;
  if (reason !== undefined) throw new SettingsError(`Cannot merge ${other.file}: ${reason}.`);
}

/** In the order of the run without a fault. No two parts have a cell in common. */
function mergedCells(reports: readonly ExploreReport[]): Cell[] {
  const order = new Map(reports[0]?.clean.calls.map(({ operation, nth }, i) => [`${operation} ${nth}`, i]));
  const rank = ({ operation, nth }: Cell) => order.get(`${operation} ${nth}`) ?? order.size;
  return reports.flatMap(({ cells }) => cells).sort((a, b) => rank(a) - rank(b));
}

/** As one search: a pair shows nothing new when its second fault breaks the client alone, or after a heavier first fault. */
function mergedBreaks(reports: readonly ExploreReport[]): Break[] {
  const names = new Map(reports.flatMap(({ breaks }) => breaks).map((one) => [one.name, one]));
  const all = [...names.values()];
  const kept = all.filter(({ faults }) => faults.length < 2);
  const known = new Set(kept.flatMap(({ faults }) => faults.map(kindOf)));
  const weightOf = ({ faults: [first] }: Break) => (first ? FAULT_RECORDS[first.fault].weight : 0);
  for (const pair of all.filter(({ faults }) => faults.length > 1).sort((a, b) => weightOf(b) - weightOf(a))) {
    const kind = kindOf(pair.faults.at(-1) as FaultPlace);
    if (known.has(kind)) continue;
    known.add(kind);
    kept.push(pair);
  }
  return kept;
}

function mergedReductions(reports: readonly ExploreReport[]): ExploreReport["reductions"] {
  const counts = new Map<string, number>();
  for (const { why, count } of reports.flatMap(({ reductions }) => reductions)) counts.set(why, (counts.get(why) ?? 0) + count);
  return [...counts].map(([why, count]) => ({ why, count }));
}
