// The tools for documentation and system tests have their own packages, so that `npm ci` stays small. `node .ci/tools.mjs docs` fails with
// one sentence when packages of that folder are missing. Without a folder it installs all of them.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const asked = process.argv.slice(2);
const missing = asked.find((folder) => !existsSync(`${folder}/node_modules`));
if (missing !== undefined) {
  console.error(`This command needs the packages of ${missing}/, which are not installed. Run npm run tools first.`);
  process.exitCode = 1;
}
if (asked.length === 0)
  for (const folder of ["docs", "test/system"]) {
    const { status } = spawnSync("npm", ["ci", "--prefix", folder], { stdio: "inherit", shell: process.platform === "win32" });
    if (status !== 0) process.exitCode = 1;
  }
