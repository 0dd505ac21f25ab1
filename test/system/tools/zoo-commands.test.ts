/** Programs of the zoo in Python, Ruby, PHP and Go: each planted fault is found with its symptom, and no fixed twin is accused. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { ExploreReport } from "../../../src/tools/explore/report.ts";
import { files, run } from "../../support/process.ts";
import { PROGRAMS } from "../../zoo/commands/table.ts";

const has = ([program, flag]: readonly [string, string]) => spawnSync(program, [flag], { stdio: "ignore" }).status === 0;

/** The runs end the search, so that the result does not depend on the machine. */
async function explored(command: readonly string[], only: readonly string[], runs: number): Promise<ExploreReport> {
  const flags = ["--budget", "1h", "--runs", String(runs), "--skip", "slow", ...only.flatMap((one) => ["--only", one])];
  const { stdout, stderr } = await run(["explore", ...flags, "--json", "--out", files(), "--", ...command]);
  expect(stdout, stderr).not.toBe("");
  const report = JSON.parse(stdout) as ExploreReport;
  expect(report.clean.problem, report.clean.message).toBe(null);
  return report;
}

const symptoms = ({ breaks }: ExploreReport) =>
  breaks.map(({ symptom, faults }) => `${symptom} by ${faults.map(({ fault }) => fault).join(" and ")}`);

describe.each(PROGRAMS.map((one) => [one.name, one] as const))("%s", (_, { needs, command, gaps, twin }) => {
  test.skipIf(!has(needs)).each(gaps.map((one) => [one.planted, one] as const))(
    "that %s is found",
    async (_, { gap, only, breaks }) => {
      const report = await explored([...command(files()), gap], [only], 100);
      expect([...new Set(symptoms(report))]).toEqual(breaks);
    },
  );

  test.skipIf(!has(needs))("that is fixed is not accused", async () => {
    const report = await explored(command(files()), twin, 40);
    expect(report.breaks.map(({ name, message }) => ({ name, message }))).toEqual([]);
    expect(report.cells.filter(({ outcome }) => outcome === "survived").length).toBeGreaterThan(5);
  });
});
