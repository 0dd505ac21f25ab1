// The tools for documentation, prose and system tests have their own packages, so that `npm ci` stays small.
// `node .ci/tools.mjs docs` fails with one sentence when packages of that folder are missing. Without a folder it installs all of them.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const FOLDERS = ["docs", "test/system"];

/** Node also looks for packages in the folders above. */
function isInstalled(name, folder) {
  if (existsSync(join(folder, "node_modules", name))) return true;
  const above = dirname(folder);
  return above !== folder && isInstalled(name, above);
}

const asked = process.argv.slice(2);
const missing = asked.flatMap((folder) => {
  const { devDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.keys(devDependencies).filter((name) => !isInstalled(name, resolve(folder)));
});
if (missing.length > 0) {
  const command = process.env.npm_lifecycle_event
    ? `npm run ${process.env.npm_lifecycle_event.replace(/^pre/, "")}`
    : "This command";
  process.stderr.write(`${command} needs packages that are not installed, such as ${missing[0]}. Run npm run tools first.\n`);
  process.exitCode = 1;
}
if (asked.length === 0)
  for (const folder of FOLDERS) {
    const { status } = spawnSync("npm", ["ci", "--prefix", folder], { stdio: "inherit", shell: process.platform === "win32" });
    if (status !== 0) process.exitCode = 1;
  }
