/** docs/assumptions.md: the ledger for readers. */
import { records } from "../src/assumptions/ledger/index.ts";
import { PROFILES } from "../src/assumptions/profiles.ts";
import type { AssumptionRecord } from "../src/assumptions/record.ts";
import { SWITCH_IDS, type SwitchId, switchOf } from "../src/assumptions/switches.ts";
import { assumptionMarks, ledgerProblems } from "./gather.ts";

/** @throws when a comment names an unknown id, or a record names no code */
export function assumptionsPage(note: string): string {
  const problems = ledgerProblems(records);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const areas = [...new Set(records.map(areaOf))];
  return [
    "# Assumptions",
    note,
    [
      "No public source settles how the service behaves in every case. docdouble then assumes one **reading**. This page lists every assumption with its",
      "sources. Any of them may be wrong: if the service behaves otherwise, please say so.",
    ].join("\n"),
    `There are ${records.length}. ${SWITCH_IDS.length} of them are **switches**: you choose the reading. The others have one reading, which is their statement.`,
    "## Choose a reading",
    [
      "Start with `docdouble start --assume delete.second=404`, with `--assume FILE`, or with `--profile strict`. `--assume` may be repeated.",
      "`docdouble assumptions` prints the ledger, and `--json` its records.",
    ].join("\n"),
    [
      "A file is a map of ids and readings. A scenario has the same map under `assume:`, and `createSandbox` takes `assume` and `profile`.",
      "`PUT /__admin/assumptions` changes the readings of a running tenant; a reset restores those of the start.",
    ].join("\n"),
    [
      "A **profile** is a set of readings. `strict` refuses what the real service may refuse. `lenient` accepts what it may accept. Later layers win:",
      "profile, scenarios, options of the start, changes at run time. The header `x-docdouble-why` names the assumption that decided an answer.",
    ].join("\n"),
    [
      "| switch | readings | " + PROFILES.map((one) => "`" + one + "`").join(" | ") + " |",
      "|---|---|" + PROFILES.map(() => "---").join("|") + "|",
      ...SWITCH_IDS.map(switchRow),
    ].join("\n"),
    ...areas.map((area) => [`## ${title(area)}`, ...records.filter((one) => areaOf(one) === area).map(entry)].join("\n\n")),
  ]
    .join("\n\n")
    .concat("\n");
}

function areaOf({ id }: AssumptionRecord): string {
  return id.slice(0, id.indexOf("."));
}

function title(area: string): string {
  return area.replace(/^./, (first) => first.toUpperCase()).replaceAll("_", " ");
}

function switchRow(id: SwitchId): string {
  const record = records.find((one) => one.id === id) as AssumptionRecord;
  const { strict, lenient } = switchOf(id);
  const usual = shown(record.default);
  return `| \`${id}\` | ${record.readings.join(", ")} | ${usual} | ${strict ?? usual} | ${lenient ?? usual} |`;
}

function shown(reading: AssumptionRecord["default"]): string {
  return typeof reading === "object" ? reading.join(", ") : String(reading);
}

const KINDS = {
  specification: "specification",
  description: "official description",
  recorded: "recorded answer",
  client: "public client",
  guess: "guess",
} as const;

function entry(record: AssumptionRecord): string {
  const { id, statement, operations, switchable, probeable, sources } = record;
  const marks = assumptionMarks().filter((one) => one.id === id);
  const places = [...new Set(marks.map(({ file, anchor }) => `\`${anchor}\` in ${file}`))];
  const lines = [
    ...(switchable ? [`Readings: ${record.readings.join(", ")}. Default: ${shown(record.default)}.`] : []),
    ...sources.map((one) => `Source, ${KINDS[one.kind]}${switchable ? `, for ${one.for}` : ""}: ${one.text}`),
    ...(operations.length > 0 ? [`Operations: ${operations.map((one) => `\`${one}\``).join(", ")}.`] : []),
    ...(probeable === true ? [] : [`Not probeable: ${probeable}`]),
    ...(places.length > 0 ? [`Code: ${places.join("; ")}.`] : []),
  ];
  return [`**\`${id}\`** ${markdown(statement)}`, "", ...lines.map((line) => `- ${markdown(line)}`)].join("\n");
}

function markdown(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
