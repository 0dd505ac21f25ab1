/** The package as users get it: packed, then unpacked into a project. */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { installed } from "../../docs/installed.ts";

export interface Packed {
  tarball: string;
  files: { path: string; size: number }[];
  size: number;
}

/** A temporary folder, which `remove` deletes. */
export function temporary(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Packs the existing dist/ and the documentation site into `folder`, like `npm publish`. */
export async function packInto(folder: string): Promise<Packed> {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await promisify(execFile)("npm", args, { maxBuffer: 1e8 });
  const [{ filename, files, size }] = JSON.parse(stdout) as [{ filename: string } & Packed];
  return { tarball: join(folder, filename), files, size };
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
