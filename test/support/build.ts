/** Builds the package once for the tests that run it as users do, unless it is newer than every source file. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

function newest(folder: string): number {
  return Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
}

export default function setup(): void {
  const built = existsSync("dist/cli.cjs") ? statSync("dist/cli.cjs").mtimeMs : 0;
  if (built < Math.max(newest("src"), statSync("build.mjs").mtimeMs, statSync("package.json").mtimeMs))
    execFileSync(process.execPath, ["build.mjs"], { stdio: "inherit" });
}
