/** The package as users get it: packed once for all test files, then unpacked into a project. */
import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { ensureSite } from "../../docs/site/build.ts";
import { installed } from "../../docs/installed.ts";
import { exclusively } from "../../docs/site/exclusively.ts";

export interface Packed {
  tarball: string;
  files: { path: string; size: number }[];
  size: number;
  unpackedSize: number;
}

/**
 * Paths that a clone lacks. Only CI keeps the built documentation site: it built the site from the same files,
 * and `npm pack` uses a site that is newer than its pages.
 */
const NOT_CLONED = [
  "node_modules",
  "docs/node_modules",
  "test/system/node_modules",
  "dist",
  "site/src",
  "site/built",
  ".git",
  "coverage",
];

/** Copies this checkout as a new clone has it. */
export function cloneTo(folder: string): void {
  const filter = (path: string) => !NOT_CLONED.includes(relative(".", path));
  cpSync(".", folder, { recursive: true, preserveTimestamps: true, filter });
}

/** A temporary folder, which `remove` deletes. */
export function temporary(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const CACHE = resolve("node_modules/.cache/docdouble-package");
const REPORT = join(CACHE, "pack.json");
const PACK_MAX_MS = 120_000;

/**
 * Packs the existing dist/ and the documentation site like `npm publish`. A package that is newer than its files is packed once:
 * other test files, also those of a later run, get the same file.
 */
export async function packOnce(): Promise<Packed> {
  await ensureSite();
  return exclusively(join(CACHE, ".lock"), PACK_MAX_MS, async () => {
    if (isOld()) await pack();
    const [{ filename, ...rest }] = JSON.parse(readFileSync(REPORT, "utf8")) as [{ filename: string } & Omit<Packed, "tarball">];
    return { ...rest, tarball: join(CACHE, filename) };
  });
}

function isOld(): boolean {
  const made = statSync(REPORT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
  const named = files.filter((one) => existsSync(one) && one !== "dist");
  // Every start writes compiled code to dist/, so only the last file of a build counts. npm always packs the first three files.
  const paths = ["package.json", "README.md", "LICENSE", "dist/THIRD-PARTY-NOTICES.txt", "docs", ...named];
  return paths.some((path) => changedAt(path) >= made);
}

/** The time of the last change below a path, in ms. A folder changes when a file is added or removed. Installed packages do not count. */
function changedAt(path: string): number {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const names = readdirSync(path).filter((name) => name !== "node_modules");
  return Math.max(found.mtimeMs, ...names.map((name) => changedAt(join(path, name))));
}

async function pack(): Promise<void> {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", CACHE];
  const { stdout } = await promisify(execFile)("npm", args);
  writeFileSync(REPORT, stdout);
}

/** A project with the package and the named development dependencies of this repository. */
export function project(folder: string, tarball: string, packages: readonly string[], files: Record<string, string>): void {
  const modules = join(folder, "node_modules");
  const own = join(modules, "docdouble");
  mkdirSync(own, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", own, "--strip-components", "1"]);
  for (const name of packages) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(installed(name), join(modules, name));
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
