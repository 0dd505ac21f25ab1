/** Makes docs/assumptions.md from the ledger. */
import { records } from "../src/service/assumptions/ledger/index.ts";
import type { AssumptionRecord, Sighting } from "../src/engine/assumptions/record.ts";
import { SWITCH_IDS, type SwitchId, switchOf } from "../src/service/assumptions/switches.ts";
import { type AssumptionMark, assumptionMarks, ledgerProblems } from "./gather.ts";

/** @throws when a comment names an unknown id, or a record names no code */
export function assumptionsPage(note: string): string {
  const marks = assumptionMarks();
  const problems = ledgerProblems(records, marks);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const areas = [...new Set(records.map(areaOf))];
  return [
    "# Assumptions",
    note,
    [
      "Public sources do not say how the service behaves in every case. Where they are silent or disagree, docdouble assumes one possible behavior: a",
      "**reading**. Each entry of this page first says what docdouble does. Below, it says what each source says, or that docdouble guesses. An",
      "assumption can be wrong. If your account behaves differently, please tell us.",
    ].join("\n"),
    `There are ${records.length} assumptions. ${SWITCH_IDS.length} of them are **switches**: you can choose another reading. The others have one reading only. [A probe](probe.md) checks ${records.filter((one) => one.probeable).length} of the switches.`,
    seenText(),
    "## Choose a reading",
    [
      "Start with `docdouble start --assume delete.second=404`, with `--assume FILE`, or with `--profile strict`. You can repeat `--assume`.",
      "`docdouble assumptions` prints this list, and `--json` prints it as JSON.",
    ].join("\n"),
    [
      "The file maps ids to readings. A scenario has the same map under `assume:`, and `createSandbox` takes `assume` and `profile`.",
      "`PUT /__admin/assumptions` changes the readings of a running server. A reset restores the readings of the start.",
    ].join("\n"),
    [
      "A **profile** is a set of readings. `strict` refuses every call that the real service perhaps refuses. `lenient` accepts every call that it perhaps",
      "accepts. A scenario overrides the profile, the options of the start override the scenario, and changes at run time override all. The header",
      "`x-docdouble-why` names the assumption that decided an answer.",
    ].join("\n"),
    ["| switch | readings, default in bold | other profiles |", "|---|---|---|", ...SWITCH_IDS.map(switchRow)].join("\n"),
    ...areas.map((area) =>
      [`## ${title(area)}`, ...records.filter((one) => areaOf(one) === area).map((one) => entry(one, marks))].join("\n\n"),
    ),
  ]
    .join("\n\n")
    .concat("\n");
}

function seenText(): string {
  const dated = records.filter((one) => one.seen.length > 0);
  const atAccounts = dated.filter((one) => one.seen.some(({ account }) => account !== null));
  return `${dated.length} entries have a dated observation. Of these, ${atAccounts.length} were seen at a real account. Each entry shows its newest observation.`;
}

function areaOf({ id }: AssumptionRecord): string {
  return id.slice(0, id.indexOf("."));
}

const NAMES: Readonly<Record<string, string>> = {
  crm_links: "CRM links",
  http: "HTTP",
  ids: "IDs",
  json: "JSON",
  mcp: "MCP",
  oauth: "OAuth",
  sms_opt_outs: "SMS opt-outs",
};

function title(area: string): string {
  return NAMES[area] ?? area.replace(/^./, (first) => first.toUpperCase()).replaceAll("_", " ");
}

function switchRow(id: SwitchId): string {
  const record = records.find((one) => one.id === id) as AssumptionRecord;
  const usual = shown(record.default);
  const readings = record.readings.map((one) => (String(one) === usual ? `**${one}**` : one)).join(", ");
  const { strict = usual, lenient = usual } = switchOf(id);
  const others = [strict === usual ? "" : `\`strict\`: ${strict}`, lenient === usual ? "" : `\`lenient\`: ${lenient}`];
  const section = `#${areaOf(record).replaceAll("_", "-")}`;
  return `| [\`${id}\`](${section}) | ${readings} | ${others.filter((one) => one !== "").join(", ")} |`;
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

function entry(record: AssumptionRecord, marks: readonly AssumptionMark[]): string {
  const { id, statement, operations, switchable, not_probeable_because, sources } = record;
  const places = [...new Set(marks.filter((one) => one.id === id).map(({ file, anchor }) => `\`${anchor}\` in ${file}`))];
  const newest = record.seen[0];
  const lines = [
    ...(switchable ? [`Readings: ${record.readings.join(", ")}. Default: ${shown(record.default)}.`] : []),
    ...sources.map((one) => `Source, ${KINDS[one.kind]}${switchable ? `, for ${one.for}` : ""}: ${one.text}`),
    ...(newest === undefined ? [] : [seenLine(newest)]),
    ...(operations.length > 0 ? [`Operations: ${operations.map((one) => `\`${one}\``).join(", ")}.`] : []),
    ...(not_probeable_because === undefined
      ? ["A probe checks it."]
      : switchable
        ? [`A probe does not check it: ${not_probeable_because}`]
        : []),
    ...(places.length > 0 ? [`Code: ${places.join("; ")}.`] : []),
  ];
  return [`**\`${id}\`** ${markdown(statement)}`, "", ...lines.map((line) => `- ${markdown(line)}`)].join("\n");
}

const OBSERVERS = { vendor: "the vendor", public: "a public project" } as const;

function seenLine({ date, by, account, source }: Sighting): string {
  if (account === null) return `${by === "vendor" ? "Stated" : "Seen"} ${date} by ${OBSERVERS[by]}: ${source}.`;
  return `Seen ${date} by ${OBSERVERS[by]}, ${account === "vendor" ? "in its own account" : `in an account (${account})`}: ${source}.`;
}

function markdown(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
