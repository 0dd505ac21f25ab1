/** The browser of the tests and the screenshots: the program in `CHROMIUM_PATH`, or the packaged one. */
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as launcher } from "playwright-core";

// No test needs WebGL, which the packaged browser renders on the processor.
chromium.setGraphicsMode = false;

/** Flags of the packaged browser that would weaken the tests: a single process, and no separation of origins. */
const UNWANTED = /single-process|no-zygote|web-security|isolation|insecure/;

/**
 * Flags that save processor time. Most code of a page runs a few times in a test, so optimizing it would take longer than it saves.
 * The tabs of a context share one process, because starting and ending a process takes as long as a short test.
 */
const CHEAP = ["--js-flags=--no-opt --no-maglev", "--renderer-process-limit=1"];

export async function launchBrowser(): Promise<Browser> {
  return launcher.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()),
    args: [...chromium.args.filter((flag) => !UNWANTED.test(flag)), ...CHEAP],
  });
}
