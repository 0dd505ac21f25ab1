/** One process per data file: `FILE.lock` holds the id of the process that uses the file. */
import { closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { isProcessId } from "../core/process.ts";

/** The locks of this process. In a new container, an ended process may have had the id of this one. */
const own = new Set<string>();

const EMPTY_MAX = 1000;

/** Returns the function that releases the lock. @throws when another process holds it, or the lock cannot be read or written */
export function lock(file: string): () => void {
  const path = `${file}.lock`;
  for (let tries = 0; !isWritten(path); tries++) {
    const holder = textOf(path);
    // Its process is about to write its id.
    if (holder === "" && tries < EMPTY_MAX) continue;
    if (isHeld(path, holder))
      throw new Error(
        `${file} is in use by docdouble, process ${holder}; stop that process, or use another file. If that process is not docdouble, remove ${path}`,
      );
    remove(path, holder);
  }
  own.add(path);
  return () => {
    own.delete(path);
    if (textOf(path) === String(process.pid)) rmSync(path, { force: true });
  };
}

function isWritten(path: string): boolean {
  try {
    const fd = openSync(path, "wx", 0o600);
    writeSync(fd, String(process.pid));
    closeSync(fd);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function isHeld(path: string, holder: string | undefined): boolean {
  if (holder === String(process.pid)) return own.has(path);
  return /^\d+$/.test(holder ?? "") && isProcessId(Number(holder));
}

/** Of several processes that find the same ended holder, one alone removes its lock. */
function remove(path: string, holder: string | undefined): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    // Somebody else was faster, and this is the new lock.
    if (textOf(aside) !== holder) linkSync(aside, path);
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new Error(`cannot read the lock ${path}: ${code}; make it readable, or remove it when no docdouble uses the file`);
  }
}
