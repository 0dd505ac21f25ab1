/** The same exploration gives the same report, on a quiet machine and on a busy one. `REPEATS` changes how often each is played. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import type { ExploreReport } from "../../../src/tools/explore/report.ts";
import { files, run } from "../../support/process.ts";
import { exploreClient } from "../../zoo/explore-pair.ts";

const REPEATS = Number(process.env.REPEATS ?? 20);
const HOUR_MS = 3_600_000;
const BUSY = "for (;;) Math.sqrt(2);";

/** Every second exploration shares the machine with a program that never rests. */
async function repeated(explore: () => Promise<ExploreReport>): Promise<string[]> {
  const reports: string[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const busy: ChildProcess[] = i % 2 === 0 ? [] : [spawn(process.execPath, ["-e", BUSY], { stdio: "ignore" })];
    onTestFinished(() => void busy.map((one) => one.kill("SIGKILL")));
    const began = performance.now();
    const report = await explore();
    for (const one of busy) one.kill("SIGKILL");
    const took = Math.round((performance.now() - began) / 100) / 10;
    console.log(`${i + 1}: ${report.runs} runs in ${took} s${busy.length > 0 ? ", busy" : ""}, ${report.breaks.length} breaks`);
    reports.push(comparable(report));
  }
  return reports;
}

/** Without folders, and without the instants of an automatic clock, which also moves with real time. */
function comparable(report: ExploreReport): string {
  const hidden = (name: string, value: unknown) => (name === "at" || name === "scenario" ? undefined : value);
  return JSON.stringify(report, hidden, 1);
}

function requireSame(reports: readonly string[]): void {
  const [first = ""] = reports;
  const lines = first.split("\n");
  const differences = reports.flatMap((one, i) => {
    if (one === first) return [];
    const at = one.split("\n").findIndex((line, j) => line !== lines[j]);
    return [`exploration ${i + 1}, line ${at + 1}: ${one.split("\n")[at]?.trim()} instead of ${lines[at]?.trim()}`];
  });
  expect(differences).toEqual([]);
  expect(first).toContain('"symptom"');
}

test("explorations of a function give the same report", { timeout: HOUR_MS }, async () => {
  requireSame(await repeated(() => exploreClient("offers", "retry_after", { runs: 150 })));
});

const hasPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).status === 0;

test.skipIf(!hasPython)("explorations of a Python command that sleeps give the same report", { timeout: HOUR_MS }, async () => {
  const flags = ["explore", "--intercept", "--json", "--budget", "1h", "--runs", "30", "--skip", "slow"];
  const env = { PANDADOC_URL: "https://api.pandadoc.com", ZOO_STEADY: "1" };
  const explore = async () => {
    const command = ["--", "python3", "test/zoo/commands/bounded.py", "no_look"];
    const { stdout, stderr } = await run([...flags, "--out", files(), ...command], { env });
    expect(stderr).not.toContain("rror:");
    return JSON.parse(stdout) as ExploreReport;
  };
  requireSame(await repeated(explore));
});
