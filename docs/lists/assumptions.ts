/** Makes the list of all assumptions from the ledger. */
import type { AssumptionRecord } from "../../src/engine/assumptions/record.ts";
import { records } from "../../src/service/assumptions/ledger.ts";
import { SWITCH_IDS } from "../../src/service/assumptions/switches.ts";

export function assumptionsList(): string {
  const areas = [...new Set(records.map(areaOf))];
  return [
    "# Assumptions",
    [
      "Where public sources are silent or disagree, docdouble assumes one behavior of the service: a **reading**. An assumption can be wrong.",
      `${SWITCH_IDS.length} of the ${records.length} assumptions are **switches**, which have other readings too. Choose one with`,
      "`docdouble start --assume delete.second=404`, under `assume:` in a scenario, or with the option `assume` of `createSandbox`.",
    ].join("\n"),
    ["| switch | readings, default in bold |", "|---|---|", ...records.filter((one) => one.switchable).map(switchRow)].join("\n"),
    ...areas.map((area) => [`## ${titleOf(area)}`, ...records.filter((one) => areaOf(one) === area).map(entry)].join("\n\n")),
    "",
  ].join("\n\n");
}

function areaOf({ id }: AssumptionRecord): string {
  return id.slice(0, id.indexOf("."));
}

function titleOf(area: string): string {
  return area.replace(/^./, (first) => first.toUpperCase()).replaceAll("_", " ");
}

function shown(reading: AssumptionRecord["default"]): string {
  return typeof reading === "object" ? reading.join(", ") : String(reading);
}

function switchRow(record: AssumptionRecord): string {
  const usual = shown(record.default);
  const readings = record.readings.map((one) => (String(one) === usual ? `**${one}**` : one)).join(", ");
  return `| [\`${record.id}\`](#${areaOf(record).replaceAll("_", "-")}) | ${readings} |`;
}

function entry({ id, statement, operations, switchable, sources }: AssumptionRecord): string {
  const told = sources.filter((one) => one.kind !== "guess");
  return [
    `**\`${id}\`** ${statement}`,
    ...(told.length === 0
      ? []
      : [told.map((one) => `- From ${one.kind}${switchable ? `, for ${one.for}` : ""}: ${one.text}`).join("\n")]),
    ...(operations.length === 0 ? [] : [`Operations: ${operations.map((one) => `\`${one}\``).join(", ")}.`]),
  ].join("\n\n");
}
