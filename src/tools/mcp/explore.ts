/** The tool `explore` runs `docdouble explore` in another process, because standard output belongs to the protocol. */
import spawn from "cross-spawn";
import { parseLeniently } from "../../engine/core/text.ts";
import type { ExploreReport } from "../explore/report.ts";
import { ServerError } from "../remote/server.ts";

export interface ExploreInput {
  command: string[];
  scenario?: string | undefined;
  budget?: string | undefined;
  only?: string[] | undefined;
  out?: string | undefined;
}

/** @throws ServerError with what the command printed when there is no report */
export async function exploreCommand({ command, scenario, budget = "30s", only = [], out }: ExploreInput): Promise<object> {
  const [, cli = ""] = process.argv;
  const folder = out === undefined ? [] : ["--out", out];
  const flags = ["--budget", budget, "--json", ...folder, ...only.flatMap((pattern) => ["--only", pattern])];
  const args = [cli, "explore", ...(scenario === undefined ? [] : [scenario]), ...flags, "--", ...command];
  // Flags of Node, such as the loader of a run from source. Two processes cannot share a debugger's port.
  const ownFlags = process.execArgv.filter((one) => !one.startsWith("--inspect"));
  const { code, stdout, stderr } = await outputOf(process.execPath, [...ownFlags, ...args]);
  const report = parseLeniently(stdout) as ExploreReport | undefined;
  if (!report) throw new ServerError(stderr.trim() || `docdouble explore ended with ${code} and no report`);
  const outcomes: Record<string, number> = {};
  for (const { outcome } of report.cells) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const { problem, message } = report.clean;
  const breaks = report.breaks.map(({ name, faults, symptom, message, scenario, world }) => ({
    name,
    faults,
    symptom,
    message,
    scenario,
    world,
  }));
  return { exit_code: code, runs: report.runs, clean: problem === null ? "passed" : message, outcomes, breaks };
}

function outputOf(program: string, args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const out = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    out.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    out.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...out }));
  });
}
