/**
 * Builds the package once for the tests that run it, unless nothing has changed since the last build. Tests of the package build the
 * documentation site themselves.
 */
import { execFileSync } from "node:child_process";
import { exclusively } from "../../docs/site/exclusively.ts";

const LOCK = "node_modules/.cache/docdouble-build/.lock";
const BUILD_MAX_MS = 120_000;

export default async function setup(): Promise<void> {
  // A build begins by removing dist/. Two runs of tests at the same time would remove the build of each other.
  await exclusively(LOCK, BUILD_MAX_MS, async () => {
    execFileSync(process.execPath, ["build.mjs", "--if-changed"], { stdio: "inherit" });
  });
}
