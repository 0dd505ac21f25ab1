/** Measures an installation of the package: the number of packages, the bytes on disk, and the time that npm takes. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface Installed {
  packages: number;
  bytes: number;
  took_ms: number;
}

/** Installs a packed package into an empty project, as a user would, and measures the result. */
export async function install(tarball: string): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-size-"));
  try {
    writeFileSync(join(folder, "package.json"), '{"private":true}');
    const started = performance.now();
    await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "--omit=dev", tarball], { cwd: folder });
    const took_ms = performance.now() - started;
    const lock = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8"));
    return { packages: Object.keys(lock.packages).length, bytes: bytesOf(join(folder, "node_modules")), took_ms };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Packs the built package and installs it. */
export async function measureSize(): Promise<Installed & { packed: number }> {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-pack-"));
  try {
    const { stdout } = await promisify(execFile)("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder]);
    const [{ filename, size }] = JSON.parse(stdout);
    return { ...(await install(join(folder, filename))), packed: size };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

if (process.argv[1] === import.meta.filename) {
  const { packages, bytes, took_ms, packed } = await measureSize();
  const mb = (value: number) => `${(value / 1_000_000).toFixed(1)} MB`;
  process.stdout.write(
    `${packages} package(s), ${mb(bytes)} installed, ${mb(packed)} packed, ${(took_ms / 1000).toFixed(1)} s to install\n`,
  );
}
