/**
 * Runs bundles with the code that Node compiled at an earlier start. That code is in a file beside the bundle, where only owners of the
 * bundle can write. Node rejects compiled code of another source, version or flags. In a read-only directory each start compiles again.
 */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, renameSync, rmSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { systemClock } from "../core/clock.ts";
import { isProcessId } from "../core/process.ts";

interface Program {
  script: Script;
  cache: string;
  isCached: boolean;
}

export class BundleRunner {
  readonly #saveAfterMs: number | undefined;
  #unsaved: Program[] = [];

  /**
   * @param saveAfterMs milliseconds from the first bundle to the moment that saves what Node compiled. The end of the process saves it
   *   too. Without a number, nothing is saved.
   */
  constructor(saveAfterMs: number | undefined) {
    this.#saveAfterMs = saveAfterMs;
  }

  /** Runs the bundle in `file`, and returns its exports. From then on, `require` finds it. */
  run(file: string): unknown {
    return this.#run(register(file)).exports;
  }

  /** Runs the bundle in `file` when `require` first reads its exports. Node alone would not use the compiled code. */
  runLater(file: string): void {
    const module = register(file);
    let loaded: NodeJS.Module | undefined;
    const load = (): NodeJS.Module => {
      loaded = this.#run(newModule(file));
      return loaded;
    };
    Object.defineProperty(module, "exports", { get: () => (loaded ?? load()).exports });
    module.loaded = true;
  }

  #run(module: NodeJS.Module): NodeJS.Module {
    const { filename, exports } = module;
    const { script } = this.#keep(compile(filename));
    script.runInThisContext()(exports, createRequire(filename), module, filename, dirname(filename));
    module.loaded = true;
    return module;
  }

  /** Plans to save the program's compiled code. Saves once and early: a long-running server drops code that only the start needs. */
  #keep(program: Program): Program {
    if (this.#saveAfterMs === undefined || program.isCached) return program;
    if (this.#unsaved.length === 0) {
      const save = () => this.save();
      systemClock.after(this.#saveAfterMs, save);
      process.once("exit", save);
    }
    this.#unsaved.push(program);
    return program;
  }

  /** Saves the compiled code of all programs that are not saved yet. */
  save(): void {
    for (const program of this.#unsaved) saveCache(program);
    this.#unsaved = [];
  }
}

function newModule(file: string): NodeJS.Module {
  const module = new Module(file);
  module.filename = file;
  return module;
}

/** Registers the module of a bundle, so that `require` finds it. */
function register(file: string): NodeJS.Module {
  const module = newModule(file);
  createRequire(file).cache[file] = module;
  return module;
}

function compile(file: string): Program {
  const cache = file.replace(/\.cjs$/, ".compiled");
  const cachedData = readCache(cache);
  const script = new Script(functionIn(file), { filename: file, cachedData });
  return { script, cache, isCached: cachedData !== undefined && script.cachedDataRejected === false };
}

const HEAD = "(function (exports, require, module, __filename, __dirname) {";
const TAIL = "\n})";

/**
 * Reads a bundle as the text of a function. The file lands in the middle of one buffer, because two copies of a long text take some
 * milliseconds. Bundles are ASCII: as latin1, Node stores them in half the memory.
 */
function functionIn(file: string): string {
  const opened = openSync(file, "r");
  try {
    const { size } = fstatSync(opened);
    const text = Buffer.allocUnsafeSlow(HEAD.length + size + TAIL.length);
    let end = text.write(HEAD, 0, "latin1");
    for (let left = size, read = 1; left > 0 && read > 0; left -= read) {
      read = readSync(opened, text, end, left, null);
      end += read;
    }
    end += text.write(TAIL, end, "latin1");
    return text.toString("latin1", 0, end);
  } finally {
    closeSync(opened);
  }
}

function readCache(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Only one of several threads saves. Where nobody can write, Node does not even collect the compiled code. */
function saveCache({ cache, script }: Program): void {
  removeUnfinished(cache);
  const unfinished = `${cache}.${process.pid}`;
  let file: number;
  try {
    file = openSync(unfinished, "wx");
  } catch {
    return;
  }
  try {
    writeFileSync(file, script.createCachedData());
    closeSync(file);
    renameSync(unfinished, cache);
  } catch {
    rmSync(unfinished, { force: true });
  }
}

/** Removes what killed processes left when they saved the same code. */
function removeUnfinished(cache: string): void {
  const start = `${basename(cache)}.`;
  try {
    for (const name of readdirSync(dirname(cache))) {
      const id = name.startsWith(start) ? name.slice(start.length) : "";
      if (/^\d+$/.test(id) && !isProcessId(Number(id))) rmSync(join(dirname(cache), name));
    }
  } catch {
    // The directory is read-only.
  }
}
