/** The browser of the tests and the screenshots: the program in `CHROMIUM_PATH`, or the packaged one. */
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as launcher } from "playwright-core";

// No test needs WebGL, which the packaged browser renders on the processor.
chromium.setGraphicsMode = false;

/** Flags of the packaged browser that would weaken the tests: a single process, and no separation of origins. */
const UNWANTED = /single-process|no-zygote|web-security|isolation|insecure/;

/** Most code of a page runs a few times in a test, so optimizing it would take longer than it saves. */
const UNOPTIMIZED = "--js-flags=--no-opt --no-maglev";

export async function launchBrowser(): Promise<Browser> {
  return launcher.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()),
    args: [...chromium.args.filter((flag) => !UNWANTED.test(flag)), UNOPTIMIZED],
  });
}
