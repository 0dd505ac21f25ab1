#!/usr/bin/env node
/**
 * The entry point, in CommonJS because that starts sooner than a module. It runs the bundle with Node's compile cache of an earlier
 * start. The cache is code, so it lies beside the bundle, where only owners of the bundle can write. Node rejects a cache of another
 * source, version or flags. In a read-only folder each start compiles again.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import { systemClock } from "../core/clock.ts";

/** `engines` of package.json, which npm only warns about. An older Node fails with an obscure syntax error. */
const [MAJOR, MINOR] = [20, 19];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < MAJOR || (major === MAJOR && minor < MINOR)) {
  process.stderr.write(`docdouble needs Node ${MAJOR}.${MINOR} or newer; this is ${process.versions.node}\n`);
  process.exit(2);
}

const BUNDLE = join(__dirname, "main.cjs");
const COMPILED = join(__dirname, "main.compiled");
/** Short commands compile too little for a useful cache. */
const SHORT = /^(assumptions|check|clock|compare|coverage|health|init|openapi|replay|schema|trigger|-[hV]|--(help|version))$/;

/** Milliseconds until the cache is written: after the first answers of a busy server. */
const SOON_MS = 5000;

function readCompiled(): Buffer | undefined {
  try {
    return readFileSync(COMPILED);
  } catch {
    return undefined;
  }
}

function saveCache(compiled: Buffer): void {
  const unfinished = `${COMPILED}.${process.pid}`;
  try {
    writeFileSync(unfinished, compiled);
    renameSync(unfinished, COMPILED);
  } catch {
    // Read-only folder or full disk: continue without a cache.
    rmSync(unfinished, { force: true });
  }
}

const cachedData = readCompiled();
// The bundle is ASCII: read as latin1, Node stores it in half the memory. `__load` is its import.
const script = new Script(
  `(function (require, module, exports, __filename, __dirname, __load) {${readFileSync(BUNDLE, "latin1")}\n})`,
  { filename: BUNDLE, cachedData },
);
const main = { exports: {} };
const load = (file: string): Promise<unknown> => import(file);
script.runInThisContext()(createRequire(BUNDLE), main, main.exports, BUNDLE, __dirname, load);

/** Writes the cache once and early: in a long-running server Node drops the compiled code that only the start needs. */
function saveCacheOnce(): void {
  if (isSaved) return;
  isSaved = true;
  saveCache(script.createCachedData());
}

let isSaved = (cachedData !== undefined && !script.cachedDataRejected) || SHORT.test(process.argv[2] ?? "");
if (!isSaved) {
  systemClock.after(SOON_MS, saveCacheOnce);
  process.once("exit", saveCacheOnce);
}
