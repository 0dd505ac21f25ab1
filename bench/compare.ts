/** Measures how much `docdouble compare` adds to a call, and how long `docdouble replay` takes for a cassette of 10,000 calls. */
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Figure } from "./figures.ts";
import { benchFixtures, CREATE, RUNNING_ARGS, start, stop } from "./servers.ts";

const RECORDED_CALLS = 10_000;
/** The client makes this many calls directly and as many through the proxy, in turns. */
const MEASURED_CALLS = 1500;

export async function measureCompare(): Promise<Figure[]> {
  // The clock of the real side runs, as in the real service. The compared double waits while the real side processes a document.
  const real = await start([...RUNNING_ARGS, "--fixtures", benchFixtures()], "/public/v1/documents");
  const out = mkdtempSync(join(tmpdir(), "docdouble-compare-"));
  const cassette = join(out, "calls.cassette");
  try {
    await throughProxy(real.url, "latency", join(out, "latency.json"));
    const { direct, proxied } = JSON.parse(readFileSync(join(out, "latency.json"), "utf8")) as Record<string, number>;
    await throughProxy(real.url, "record", join(out, "record.json"), "--record", cassette);
    const begun = performance.now();
    await promisify(execFile)(process.execPath, ["dist/cli.cjs", "replay", cassette, "--fixtures", benchFixtures()]);
    const replayed = (performance.now() - begun) / 1000;
    const atMost = (ratio: number) => ({ at: "most" as const, ratio });
    return [
      {
        what: "extra time of a call through `compare`",
        ours: (proxied as number) - (direct as number),
        limit: { name: "goal", value: 5 },
        ...{ unit: "ms", goal: atMost(1) },
      },
      {
        what: `\`replay\` of ${RECORDED_CALLS.toLocaleString("en")} calls`,
        ours: replayed,
        limit: { name: "goal", value: 10 },
        ...{ unit: "s", goal: atMost(1) },
      },
    ];
  } finally {
    await stop(real);
  }
}

/** Runs `bench/compare-client.mjs` as the client of `docdouble compare`. @throws when the command fails, as after a difference */
async function throughProxy(real: string, job: "latency" | "record", result: string, ...flags: string[]): Promise<void> {
  const count = String(job === "latency" ? MEASURED_CALLS : RECORDED_CALLS);
  const compare = ["dist/cli.cjs", "compare", "--real", real, "--real-key", "docdouble-key", "--fixtures", benchFixtures()];
  const client = [process.execPath, "bench/compare-client.mjs", job, real, result, count, CREATE];
  const child = spawn(process.execPath, [...compare, ...flags, "--", ...client], { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (text += part));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`docdouble compare ended with ${code}:\n${text}`);
}
