/** Packages from the registry, for tests that run other programs. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addAddresses } from "../../.ci/addresses.mjs";

/** Binaries of other versions of Node lie beside this folder (.ci/node-versions). */
const KEPT = join(process.env.XDG_CACHE_HOME ?? tmpdir(), "docdouble-packages");
const FLAGS = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];

/**
 * Installs packages into a folder without packages. npm installs the same packages once per machine, because that takes as long as forty
 * tests. Later folders get hard links to the files, so a test must not change a file of a package. A range of versions keeps the version
 * of the first install. @throws when npm fails
 * @param files package.json, and package-lock.json if there is one
 */
export function installPackages(folder: string, files: Readonly<Record<string, string>>, ...more: readonly string[]): void {
  const hasLock = files["package-lock.json"] !== undefined;
  const args = [hasLock ? "ci" : "install", ...FLAGS, ...more];
  const key = createHash("sha256")
    .update(JSON.stringify([files, args, process.platform, process.arch]))
    .digest("hex");
  const kept = join(KEPT, key.slice(0, 16));
  if (!existsSync(kept)) {
    const made = `${kept}.${process.pid}`;
    try {
      mkdirSync(made, { recursive: true });
      for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
      if (hasLock) addAddresses(join(made, "package-lock.json"));
      execFileSync("npm", args, { cwd: made, stdio: "pipe" });
      // Another process may have been faster. Its packages are the same.
      if (!existsSync(kept)) renameSync(made, kept);
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const [from, to] = [join(kept, "node_modules"), join(folder, "node_modules")];
  try {
    execFileSync("cp", ["-al", from, to], { stdio: "pipe" });
  } catch {
    // Not every `cp` makes links, and no link leads to another disk.
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}
