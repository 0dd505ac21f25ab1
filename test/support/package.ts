/** The package as users get it: packed once per test file, then unpacked into a project. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

export interface Packed {
  tarball: string;
  files: { path: string; size: number }[];
  size: number;
  unpackedSize: number;
}

/** A temporary folder, which `remove` deletes. */
export function temporary(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Packs the existing dist/ like `npm publish`. */
export function pack(folder: string): Packed {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const text = execFileSync("npm", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [packed] = JSON.parse(text) as [{ filename: string } & Omit<Packed, "tarball">];
  return { ...packed, tarball: join(folder, packed.filename) };
}

/** A project with the package and the named development dependencies of this repository. */
export function project(folder: string, tarball: string, packages: readonly string[], files: Record<string, string>): void {
  const modules = join(folder, "node_modules");
  const own = join(modules, "docdouble");
  mkdirSync(own, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", own, "--strip-components", "1"]);
  for (const name of packages) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve("node_modules", name), join(modules, name));
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
