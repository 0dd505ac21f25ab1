/** Measures `docdouble explore` with a client that sleeps for minutes, and with the same client without its sleeps. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Figure } from "./figures.ts";
import { type Spent, spent } from "./processor-time.ts";
import { median } from "./servers.ts";

const SLEEPS = 10;
const SLEEP_S = 60;
const PAIRS = 3;
/** Runs of one exploration. */
const RUNS = 20;

/** Clients that make different calls, so none of them repeats another one. They ignore errors, so nothing breaks them. */
const CLIENTS: Readonly<Record<string, { program: string; file: string; text: string }>> = {
  Node: {
    program: process.execPath,
    file: "client.mjs",
    text: `import { setTimeout as sleep } from "node:timers/promises";
const { DOCDOUBLE_URL: url, DOCDOUBLE_API_KEY: key } = process.env;
const sleep_s = Number(process.argv[2]);
for (let i = 0; i < ${SLEEPS}; i++) {
  const answer = await fetch(url + "/public/v1/templates?q=offer" + i, { headers: { authorization: "API-Key " + key } }).catch(() => {});
  await answer?.text().catch(() => {});
  if (sleep_s > 0) await sleep(sleep_s * 1000);
}
`,
  },
  Python: {
    program: "python3",
    file: "client.py",
    text: `import os, sys, time, urllib.request
url, key = os.environ["DOCDOUBLE_URL"], os.environ["DOCDOUBLE_API_KEY"]
sleep_s = float(sys.argv[1])
for i in range(${SLEEPS}):
    call = urllib.request.Request(f"{url}/public/v1/templates?q=offer{i}", headers={"authorization": "API-Key " + key})
    try:
        urllib.request.urlopen(call, timeout=20).read()
    except Exception:
        pass
    if sleep_s > 0:
        time.sleep(sleep_s)
`,
  },
};

/** Explores a client. Returns the mean of a run. @throws when something broke */
async function explored(folder: string, command: readonly string[]): Promise<Spent> {
  // The fault `slow` delays an answer until the client gives up, and these clients are patient.
  const flags = ["--runs", String(RUNS), "--seed", "1", "--budget", "10m", "--skip", "slow", "--json"];
  let report = { runs: 0, breaks: [{ name: "" }] };
  const { real_s, processor_s } = await spent(async ([program, ...words]) => {
    const args = [...words, process.execPath, resolve("dist/cli.cjs"), "explore", ...flags, "--", ...command];
    const { stdout } = await promisify(execFile)(program, args, { cwd: folder, maxBuffer: 2 ** 26 });
    report = JSON.parse(stdout) as typeof report;
  });
  return { real_s: real_s / report.runs, processor_s: processor_s / report.runs };
}

export async function measureSleeps(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-bench-"));
  const figures: Figure[] = [];
  try {
    for (const [name, { program, file, text }] of Object.entries(CLIENTS)) {
      if (spawnSync(program, ["--version"]).status !== 0) continue;
      writeFileSync(join(folder, file), text);
      const runs: Record<string, Spent[]> = { with: [], without: [] };
      for (let i = 0; i < PAIRS; i++) {
        runs.without?.push(await explored(folder, [program, file, "0"]));
        runs.with?.push(await explored(folder, [program, file, String(SLEEP_S)]));
      }
      const middle = (kind: string, part: keyof Spent) => 1000 * median((runs[kind] ?? []).map((one) => one[part]));
      const figure = (what: string, part: keyof Spent): Figure => ({
        what: `${name}: ${what} of a run with ${SLEEPS} sleeps of a minute`,
        ours: middle("with", part),
        limit: { name: "without sleeps", value: middle("without", part) },
        unit: "ms",
        goal: { at: "most", ratio: 1.5 },
      });
      figures.push(figure("real time", "real_s"), figure("processor time", "processor_s"));
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
