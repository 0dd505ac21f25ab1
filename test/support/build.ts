/** Builds the package once for the tests that run it, unless nothing has changed since the last build. */
import { execFileSync } from "node:child_process";
import { ensureSite } from "../../docs/site/build.ts";

export default async function setup(): Promise<void> {
  execFileSync(process.execPath, ["build.mjs", "--if-changed"], { stdio: "inherit" });
  // Only tests of the package need the documentation site. They build it themselves when a developer runs one of them.
  if (process.env.CI) await ensureSite();
}
