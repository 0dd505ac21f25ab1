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
/** Bundles of packages that the engine needs for some files and rules. */
const LATER = ["yaml.cjs", "re2js.cjs"];
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

/** Registers the module of a bundle, so that `require` finds it. */
function register(file: string): NodeJS.Module {
  const module = new Module(file);
  module.filename = file;
  createRequire(file).cache[file] = module;
  return module;
}

function run(module: NodeJS.Module, { script }: Program): void {
  const { filename, exports } = module;
  script.runInThisContext()(exports, createRequire(filename), module, filename, __dirname);
  module.loaded = true;
}

/** Runs a bundle when `require` first reads its exports, with compiled code, which Node alone would not use. */
function registerLater(file: string): void {
  const module = register(file);
  let loaded: NodeJS.Module | undefined;
  const load = (): NodeJS.Module => {
    const real = new Module(file);
    real.filename = file;
    run(real, keepCompiled(compile(file)));
    loaded = real;
    return real;
  };
  Object.defineProperty(module, "exports", { get: () => (loaded ?? load()).exports });
  module.loaded = true;
}

const loadWebClasses = deferWebClasses(globalThis);
const isShort = TOO_SHORT_TO_CACHE.test(process.argv[2] ?? "");
let unsaved: Program[] = [];

/** Plans to save the program's compiled code. Saves once and early: a long-running server drops code that only the start needs. */
function keepCompiled(program: Program): Program {
  if (isShort || program.isCached) return program;
  if (unsaved.length === 0) {
    systemClock.after(SAVE_CACHES_AFTER_MS, saveCaches);
    process.once("exit", saveCaches);
  }
  unsaved.push(program);
  return program;
}

function saveCaches(): void {
  for (const { cache, script } of unsaved) saveCache(cache, script.createCachedData());
  unsaved = [];
}

for (const name of LATER) registerLater(join(__dirname, name));
run(register(ENGINE), keepCompiled(compile(ENGINE)));
run(register(COMMAND), keepCompiled(compile(COMMAND)));
systemClock.after(LOAD_CLASSES_AFTER_MS, loadWebClasses);
