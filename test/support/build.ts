/** Builds the package once for the tests that run it, unless nothing has changed since the last build. */
import { execFileSync } from "node:child_process";

export default function setup(): void {
  execFileSync(process.execPath, ["build.mjs", "--if-changed"], { stdio: "inherit" });
}
