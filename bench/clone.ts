/** Measures the first commands in a new clone: `npm ci && npm start` until the first answer, and `npm test`. npm has a filled cache. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment, runIn, serve } from "../docs/programs.ts";
import { type Spent, spent } from "./processor-time.ts";
import { HEADERS, median } from "./servers.ts";

const ROUNDS = 3;
const LIMIT_MS = 1_800_000;
const ENV = environment({
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
});

/** Clones the last commit into a temporary folder. */
async function inClone<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-clone-"));
  try {
    execFileSync("git", ["clone", "--quiet", ".", folder]);
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const json = (...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8"));
const install = (folder: string) => runIn(folder, "sh", "npm ci", ENV, LIMIT_MS);

/** From the command to the first answer, a list of documents. The processor time includes the end of the server. */
async function firstAnswer(folder: string): Promise<Spent & { packages: number }> {
  const begun = performance.now();
  let real_s = Number.NaN;
  const { processor_s } = await spent(async (before) => {
    const server = await serve(`exec ${before.join(" ")} bash -ec "npm ci && npm start"`, folder, ENV, LIMIT_MS);
    try {
      await (await fetch(`${server.url}/public/v1/documents`, { headers: HEADERS })).text();
      real_s = (performance.now() - begun) / 1000;
    } finally {
      await server.stop();
    }
  });
  const { packages } = json(folder, "node_modules/.package-lock.json") as { packages: object };
  return { real_s, processor_s, packages: Object.keys(packages).length };
}

const seconds = (value: number) => `${value.toFixed(1)} s`;

export async function installTable(): Promise<string> {
  // Fills the cache of npm.
  await inClone(install);
  const all: Awaited<ReturnType<typeof firstAnswer>>[] = [];
  for (let i = 0; i < ROUNDS; i++) all.push(await inClone(firstAnswer));
  const middle = (part: keyof (typeof all)[number]) => median(all.map((one) => one[part]));
  return [
    "| in a new clone | real time | processor time | packages |",
    "|---|---|---|---|",
    `| \`npm ci && npm start\`, until the first answer | ${seconds(middle("real_s"))} | ${seconds(middle("processor_s"))} | ${middle("packages")} |`,
  ].join("\n");
}

/** The tests of a clone. A test that fails is counted, because only this run was slow or unlucky. */
export async function testTable(): Promise<string> {
  return await inClone(async (folder) => {
    await install(folder);
    const report = "report.json";
    const tests = `npm test -- --reporter=json --outputFile=${report} || test -s ${report}`;
    const { real_s, processor_s } = await spent((before) => runIn(folder, "sh", `${before.join(" ")} ${tests}`, ENV, LIMIT_MS));
    const { numTotalTests, numFailedTests, numPendingTests } = json(folder, report) as Record<string, number>;
    return [
      "| in a new clone | real time | processor time | tests | skipped | failed |",
      "|---|---|---|---|---|---|",
      `| \`npm test\`, after \`npm ci\` | ${seconds(real_s)} | ${seconds(processor_s)} | ${numTotalTests?.toLocaleString("en")} | ${numPendingTests} | ${numFailedTests} |`,
    ].join("\n");
  });
}
