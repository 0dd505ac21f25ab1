/** Finds the packages of this repository. The tools of docs/ and test/system/ have their own packages, which `npm run tools` installs. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const PLACES = ["test/system", "docs", "."];

function folderOf(name: string): string | undefined {
  return PLACES.map((place) => resolve(place, "node_modules", name)).find((one) => existsSync(join(one, "package.json")));
}

export function isInstalled(name: string): boolean {
  return folderOf(name) !== undefined;
}

/** The folder of an installed package, as an absolute path. @throws when no place has it */
export function installed(name: string): string {
  const folder = folderOf(name);
  if (folder === undefined) throw new Error(`${name} is not installed. Run npm run tools.`);
  return folder;
}
