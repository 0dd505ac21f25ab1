/** The browser of the tests and the screenshots: the one of `CHROMIUM_PATH`, or the packaged one. */
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as launcher } from "playwright-core";

// No test needs WebGL, which the packaged browser draws on the processor.
chromium.setGraphicsMode = false;

/** Flags of the packaged browser that would weaken what is tested: one process for all, and origins without walls. */
const UNWANTED = /single-process|no-zygote|web-security|isolation|insecure/;

export async function launchBrowser(): Promise<Browser> {
  return launcher.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()),
    args: chromium.args.filter((flag) => !UNWANTED.test(flag)),
  });
}
