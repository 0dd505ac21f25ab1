import { type JUnitCase, junitXml } from "../../engine/core/junit.ts";
import { diagramLines } from "../../tools/explore/diagram-text.ts";
import type { Break, Cell, ExploreReport } from "../../tools/explore/report.ts";
import { causeText, placesText, worldCommand } from "../../tools/explore/report-text.ts";

export function junitReport(report: ExploreReport): string {
  const tried = report.cells.filter(({ outcome }) => outcome === "survived" || outcome === "warned" || outcome === "broke");
  const shown = new Set<Break>();
  const cells = tried.map((cell): JUnitCase => {
    const base = {
      classname: `${cell.operation} ${cell.nth}`,
      name: cell.reading ? `${cell.fault} ${cell.reading}` : cell.fault,
    };
    if (cell.outcome === "survived") return base;
    if (cell.outcome === "warned") return { ...base, note: cell.why };
    const found = report.breaks.find((one) => isShownBy(one, cell));
    if (found) shown.add(found);
    return { ...base, failure: { message: found?.message ?? cell.why, text: found ? story(found, report) : cell.why } };
  });
  const others = report.breaks
    .filter((one) => !shown.has(one))
    .map(
      (one): JUnitCase => ({
        classname: "several faults",
        name: one.name,
        failure: { message: one.message, text: story(one, report) },
      }),
    );
  return junitXml("docdouble explore", [cleanCase(report), ...cells, ...others]);
}

function cleanCase({ clean }: ExploreReport): JUnitCase {
  const base = { classname: "clean run", name: "passes twice with the same result" };
  return clean.problem === null
    ? base
    : { ...base, failure: { message: clean.message, text: diagramLines(clean.steps).join("\n") } };
}

function isShownBy({ faults }: Break, { fault, operation, nth, reading }: Cell): boolean {
  const [only] = faults;
  return (
    faults.length === 1 && only?.fault === fault && only.operation === operation && only.nth === nth && only.reading === reading
  );
}

function story(one: Break, { causes }: ExploreReport): string {
  const cause = causes.find(({ breaks }) => breaks.includes(one.name));
  return [
    `${one.symptom}: ${placesText(one.faults)}`,
    one.message,
    ...(cause === undefined ? [] : [`Cause: ${causeText(cause)}`]),
    ...(one.scenario === null ? [] : [`Scenario: ${one.scenario}`]),
    ...worldCommand(one).map((command) => `Step by step: ${command}`),
    "",
    ...diagramLines(one.steps),
  ].join("\n");
}
