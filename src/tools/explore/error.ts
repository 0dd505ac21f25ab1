import type { ExploreReport } from "./report.ts";

/** Something broke the client, or the clean run failed or was not repeatable; thrown by `explore`. */
export class ExploreError extends Error {
  override readonly name = "ExploreError";
  declare readonly report: ExploreReport;

  constructor(report: ExploreReport) {
    super(messageOf(report));
    // Consoles and test runners print the members of an error, and a report has thousands of lines.
    Object.defineProperty(this, "report", { value: report });
  }
}

function messageOf({ clean, breaks, runs }: ExploreReport): string {
  if (clean.problem !== null) return clean.message;
  const lines = breaks.flatMap(({ name, message, scenario }) => [
    `  ${name}: ${message}`,
    ...(scenario === null ? [] : [`    ${scenario}`]),
  ]);
  return [`${breaks.length} of the faults in ${runs} runs broke the client:`, ...lines].join("\n");
}
