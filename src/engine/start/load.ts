/**
 * Loads the library for `import` and `require`, with code that Node compiled at an earlier start. That takes half as long, and each
 * process or thread of a test runner loads the library again. The library loads like any other module in a bundle of the user and in Bun.
 * It does so too in a runner with a separate realm, such as Jest.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { Script } from "node:vm";
import { BundleRunner } from "./bundle-runner.ts";

/** Many test files take less than a second. Some runners end a process or thread without an exit event. */
const SAVE_CACHES_AFTER_MS = 100;

/** @param load - loads the library as a usual module */
export function loadLibrary(directory: string, file: string, load: () => unknown): unknown {
  const library = join(directory, "library.cjs");
  const isBundled = basename(file) !== "load.cjs" || !existsSync(library);
  if (isBundled || process.versions.bun !== undefined || isOtherRealm()) return load();
  const bundles = new BundleRunner(isCovered() ? undefined : SAVE_CACHES_AFTER_MS);
  for (const name of ["pages.cjs", "yaml.cjs"]) bundles.runLater(join(directory, name));
  return bundles.run(library);
}

/** Whether this code runs in a context of `node:vm`, where compiled code would get other classes, such as another `Array`. */
function isOtherRealm(): boolean {
  return new Script("Array").runInThisContext() !== Array;
}

/** Whether something counts covered lines. The compiled code would count them at each later start. */
function isCovered(): boolean {
  const { moduleLoadList } = process as { moduleLoadList?: readonly string[] };
  return Boolean(process.env.NODE_V8_COVERAGE) || moduleLoadList?.includes("NativeModule inspector") === true;
}
