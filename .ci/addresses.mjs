// Adds the download address of each package to a lock file. The committed lock files name no addresses, because registries differ. Without
// them npm first reads the registry's list of versions of each package, and that takes two thirds of an install.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/** The path of an installed package ends with its name. An alias also has a `name`. */
function nameOf(path, { name }) {
  return name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** Writes the lock file with addresses at the configured registry. npm still compares each download with its checksum. */
export function addAddresses(file) {
  const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim().replace(/\/$/, "");
  const lock = JSON.parse(readFileSync(file, "utf8"));
  for (const [path, one] of Object.entries(lock.packages)) {
    if (one.integrity === undefined || one.resolved !== undefined) continue;
    const name = nameOf(path, one);
    one.resolved = `${registry}/${name}/-/${name.split("/").at(-1)}-${one.version}.tgz`;
  }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}

if (process.argv[1]?.endsWith("addresses.mjs")) addAddresses(process.argv[2]);
