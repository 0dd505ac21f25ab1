import { junitXml } from "../../engine/core/junit.ts";
import { withoutControls } from "../../engine/core/text.ts";
import type { DifferenceGroup, Report } from "./difference-groups.ts";

export const REPORT_FORMATS = [".json", ".md", ".xml"] as const;

export function reportFor(ending: (typeof REPORT_FORMATS)[number], report: Report, notes: readonly string[]): string {
  if (ending === ".json") return jsonReport(report);
  return visible(ending === ".md" ? markdown(report, notes) : junit(report));
}

export function jsonReport(report: Report): string {
  return visible(`${JSON.stringify(report, null, 2)}\n`);
}

/** Methods, paths, events and names of members come from a service or a file, and a terminal would obey their control characters. */
function visible(text: string): string {
  return text.split("\n").map(withoutControls).join("\n");
}

const VALUE_MAX = 200;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return withoutControls(text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text);
}

const SENTENCES: Record<DifferenceGroup["kind"], (one: DifferenceGroup) => string> = {
  status: ({ real, double }) => `the real service answers ${shown(real)}, the double ${shown(double)}`,
  header: ({ pointer, real, double }) =>
    `header ${pointer}: ${shown(real)} from the real service, ${shown(double)} from the double`,
  missing: ({ real }) => `the double lacks it; the real service has ${shown(real)}`,
  added: ({ double }) => `only the double has it: ${shown(double)}`,
  type: ({ real, double }) => `another type: ${shown(real)} from the real service, ${shown(double)} from the double`,
  value: ({ real, double }) => `another value: ${shown(real)} from the real service, ${shown(double)} from the double`,
};

function sentence(one: DifferenceGroup): string {
  return SENTENCES[one.kind](one);
}

const calls = (count: number) => (count === 1 ? "1 call" : `${count} calls`);

function verdict({ calls: total, differences: { length } }: Report): string {
  if (total === 0 && length === 0) return "no call compared";
  return `${calls(total)} compared: ${length === 0 ? "no difference" : length === 1 ? "1 difference" : `${length} differences`}`;
}

export function plainReport(report: Report, notes: readonly string[]): string {
  const lines = report.differences.flatMap((one) => [
    `✗ ${`${one.operation} ${one.pointer}`.trim()}: ${sentence(one)}`,
    `  ${calls(one.count)}, for example ${one.example.method} ${one.example.path}${one.assumption === null ? "" : `; assumption ${one.assumption}`}`,
  ]);
  return visible([...lines.map(oneLine), ...notes.map((note) => `  note: ${oneLine(note)}`), verdict(report), ""].join("\n"));
}

function oneLine(text: string): string {
  return text.replaceAll("\n", "\\n");
}

function markdown(report: Report, notes: readonly string[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const rows = report.differences.map((one) =>
    [
      `\`${one.operation}\``,
      `\`${one.pointer || "(status)"}\``,
      sentence(one),
      String(one.count),
      one.assumption ?? "",
      `${one.example.method} ${one.example.path}`,
    ].map(cell),
  );
  return [
    "# docdouble compare",
    "",
    `${verdict(report)}.`,
    ...(rows.length === 0
      ? []
      : ["", "| operation | place | difference | calls | assumption | example |", "|---|---|---|---|---|---|"]),
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    ...(notes.length === 0 ? [] : ["", "## Notes", "", ...notes.map((note) => `- ${oneLine(note)}`)]),
    "",
  ].join("\n");
}

function junit({ differences, calls: total }: Report): string {
  const failed = differences.map((one) => ({
    classname: one.operation,
    name: `${one.kind} ${one.pointer}`.trim(),
    failure: { message: sentence(one), text: JSON.stringify(one, null, 2) },
  }));
  const passed = { classname: "compare", name: `${calls(total)} without a difference` };
  const nothing = { classname: "compare", name: "calls", failure: { message: "no call compared", text: "" } };
  return junitXml("docdouble compare", differences.length > 0 ? failed : [total === 0 ? nothing : passed]);
}
