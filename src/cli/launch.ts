#!/usr/bin/env node
/**
 * The entry point, in CommonJS because that starts sooner than a module. It runs the bundle with Node's compile cache of an earlier start.
 * The cache is code, so it lies beside the bundle, where only owners of the bundle can write. Node rejects a cache of another source,
 * version or flags. In a read-only folder each start compiles again.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import { systemClock } from "../core/clock.ts";
import { deferWebClasses } from "./web-classes.ts";

/** The minimum in `engines` of package.json. npm only warns, and an older Node fails with an obscure syntax error. */
const [MAJOR, MINOR] = [20, 19];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < MAJOR || (major === MAJOR && minor < MINOR)) {
  process.stderr.write(`docdouble needs Node ${MAJOR}.${MINOR} or newer; this is ${process.versions.node}\n`);
  process.exit(2);
}

const ENGINE = join(__dirname, "library.cjs");
const COMMAND = join(__dirname, "main.cjs");
const TOO_SHORT_TO_CACHE =
  /^(assumptions|check|clock|compare|coverage|completion|docs|help|listen|logs|mcp|health|init|openapi|replay|schema|trigger|-[hV]|--(help|version))$/;

/** Saving and loading take time, so a server answers its first calls before them. */
const SAVE_CACHES_AFTER_MS = 5000;

/** A small suite of tests has ended by then. */
const LOAD_CLASSES_AFTER_MS = 3000;

interface Program {
  script: Script;
  cache: string;
  isCached: boolean;
}

function compile(file: string): Program {
  const cache = file.replace(/\.cjs$/, ".compiled");
  const cachedData = readCache(cache);
  // Bundles are ASCII: read as latin1, Node stores them in half the memory.
  const code = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, "latin1")}\n})`;
  const script = new Script(code, { filename: file, cachedData });
  return { script, cache, isCached: cachedData !== undefined && script.cachedDataRejected === false };
}

function readCache(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function saveCache(file: string, compiled: Buffer): void {
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, compiled);
    renameSync(unfinished, file);
  } catch {
    rmSync(unfinished, { force: true });
  }
}

function run(file: string, { script }: Program): void {
  const require = createRequire(file);
  const main = new Module(file);
  main.filename = file;
  require.cache[file] = main;
  script.runInThisContext()(main.exports, require, main, file, __dirname);
  main.loaded = true;
}

const loadWebClasses = deferWebClasses(globalThis);
const isShort = TOO_SHORT_TO_CACHE.test(process.argv[2] ?? "");
const engine = compile(ENGINE);
const command = compile(COMMAND);
let unsaved = isShort ? [] : [engine, command].filter(({ isCached }) => !isCached);

/** Writes the caches once and early, because in a long-running server Node drops compiled code that only the start needs. */
function saveCaches(): void {
  for (const { cache, script } of unsaved) saveCache(cache, script.createCachedData());
  unsaved = [];
}

run(ENGINE, engine);
run(COMMAND, command);
systemClock.after(LOAD_CLASSES_AFTER_MS, loadWebClasses);
if (unsaved.length > 0) {
  systemClock.after(SAVE_CACHES_AFTER_MS, saveCaches);
  process.once("exit", saveCaches);
}
