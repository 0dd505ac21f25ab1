/** The forms of a report: JSON, Markdown, JUnit XML, and the text of the terminal. */
import { withoutControls } from "../core/text.ts";
import type { Difference, Report } from "./difference.ts";

export const REPORT_FORMATS = [".json", ".md", ".xml"] as const;

/** The report as the content of a file with this ending. */
export function reportFor(ending: (typeof REPORT_FORMATS)[number], report: Report, notes: readonly string[]): string {
  if (ending === ".json") return `${JSON.stringify(report, null, 2)}\n`;
  return ending === ".md" ? markdown(report, notes) : junit(report);
}

const VALUE_MAX = 200;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return withoutControls(text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text);
}

const SENTENCES: Record<Difference["kind"], (one: Difference) => string> = {
  status: ({ real, double }) => `the real service answers ${shown(real)}, the double ${shown(double)}`,
  header: ({ pointer, real, double }) =>
    `header ${pointer}: ${shown(real)} from the real service, ${shown(double)} from the double`,
  missing: ({ real }) => `the double lacks it; the real service has ${shown(real)}`,
  added: ({ double }) => `only the double has it: ${shown(double)}`,
  type: ({ real, double }) => `another type: ${shown(real)} from the real service, ${shown(double)} from the double`,
  value: ({ real, double }) => `another value: ${shown(real)} from the real service, ${shown(double)} from the double`,
};

function sentence(one: Difference): string {
  return SENTENCES[one.kind](one);
}

const calls = (count: number) => (count === 1 ? "1 call" : `${count} calls`);

/** For a terminal: one difference in two lines. */
export function plainReport({ calls: total, differences }: Report, notes: readonly string[]): string {
  const lines = differences.flatMap((one) => [
    `✗ ${`${one.operation} ${one.pointer}`.trim()}: ${sentence(one)}`,
    `  ${calls(one.count)}, for example ${one.example.method} ${one.example.path}${one.assumption === null ? "" : `; assumption ${one.assumption}`}`,
  ]);
  const verdict =
    differences.length === 0 ? "no difference" : differences.length === 1 ? "1 difference" : `${differences.length} differences`;
  return [...lines, ...notes.map((note) => `  note: ${note}`), `${calls(total)} compared: ${verdict}`, ""].join("\n");
}

function markdown({ calls: total, differences }: Report, notes: readonly string[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const rows = differences.map((one) =>
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
    `${calls(total)} compared, ${differences.length} differences.`,
    ...(rows.length === 0
      ? []
      : ["", "| operation | place | difference | calls | assumption | example |", "|---|---|---|---|---|---|"]),
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    ...(notes.length === 0 ? [] : ["", "## Notes", "", ...notes.map((note) => `- ${note}`)]),
    "",
  ].join("\n");
}

function junit({ differences, calls: total }: Report): string {
  const open = (one: Difference) =>
    `    <testcase classname="${xml(one.operation)}" name="${xml(`${one.kind} ${one.pointer}`.trim())}"><failure message="${xml(sentence(one))}">${xml(JSON.stringify(one, null, 2))}</failure></testcase>`;
  const cases =
    differences.length === 0
      ? [`    <testcase classname="compare" name="${calls(total)} without a difference"/>`]
      : differences.map(open);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${cases.length}" failures="${differences.length}">`,
    `  <testsuite name="docdouble compare" tests="${cases.length}" failures="${differences.length}">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function xml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no place for them
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "?").replace(/[&<>"]/g, (one) => entities[one] ?? one);
}
