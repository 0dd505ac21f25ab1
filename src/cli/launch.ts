#!/usr/bin/env node
/**
 * What is run first, built as CommonJS, which starts sooner than a module: the command's bundle, with what Node compiled of it
 * the last time. That is kept beside the bundle, where only those can write who can write the bundle itself, as it is code.
 * Node checks that it fits the source, its own version and its flags; where nothing can be written, each start compiles anew.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import { systemClock } from "../core/clock.ts";

/** `engines` of package.json, which npm only warns of. An older Node fails at some word of the bundle, which says nothing. */
const [MAJOR, MINOR] = [20, 19];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < MAJOR || (major === MAJOR && minor < MINOR)) {
  process.stderr.write(`docdouble needs Node ${MAJOR}.${MINOR} or newer; this is ${process.versions.node}\n`);
  process.exit(2);
}

const BUNDLE = join(__dirname, "main.cjs");
const COMPILED = join(__dirname, "main.compiled");
/** Short commands, which compile little: what a server compiles is worth keeping. */
const SHORT = /^(check|clock|coverage|health|init|openapi|schema|trigger|-[hV]|--(help|version))$/;

/** After the first answers of a server that is used at once. */
const SOON_MS = 5000;

function readCompiled(): Buffer | undefined {
  try {
    return readFileSync(COMPILED);
  } catch {
    return undefined;
  }
}

function keep(compiled: Buffer): void {
  const unfinished = `${COMPILED}.${process.pid}`;
  try {
    writeFileSync(unfinished, compiled);
    renameSync(unfinished, COMPILED);
  } catch {
    // A folder that cannot be written to, or a full disk: as before, with nothing left behind.
    rmSync(unfinished, { force: true });
  }
}

const cachedData = readCompiled();
// The bundle is ASCII, which Node keeps in half the memory when it is told so. `__load` is its import.
const script = new Script(
  `(function (require, module, exports, __filename, __dirname, __load) {${readFileSync(BUNDLE, "latin1")}\n})`,
  { filename: BUNDLE, cachedData },
);
const main = { exports: {} };
const load = (file: string): Promise<unknown> => import(file);
script.runInThisContext()(createRequire(BUNDLE), main, main.exports, BUNDLE, __dirname, load);

/** Once, and soon: what only a start needs, Node forgets in a server that runs for long. */
function keepOnce(): void {
  if (isKept) return;
  isKept = true;
  keep(script.createCachedData());
}

let isKept = (cachedData !== undefined && !script.cachedDataRejected) || SHORT.test(process.argv[2] ?? "");
if (!isKept) {
  systemClock.after(SOON_MS, keepOnce);
  process.once("exit", keepOnce);
}
