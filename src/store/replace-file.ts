/**
 * Puts a file in another's place. On Windows that fails while a process has the other file open: this server has, and a virus
 * scanner has for a moment. So it is tried again; then the old file is moved aside, which Windows allows.
 */
import { existsSync, renameSync, rmSync } from "node:fs";

export interface Replacing {
  rename(from: string, to: string): void;
  remove(file: string): void;
  exists(file: string): boolean;
  /** Milliseconds without giving up the turn: nothing else may happen in between. */
  pause(ms: number): void;
}

const nodeFiles: Replacing = {
  rename: renameSync,
  remove: (file) => rmSync(file, { force: true }),
  exists: existsSync,
  pause(ms) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  },
};

const IN_USE = new Set(["EPERM", "EACCES", "EBUSY"]);
const TRIES = 5;
const PAUSE_MS = 10;

const asideOf = (file: string) => `${file}.replaced`;

/** @throws what the file system says, with both files as before */
export function replaceFile(from: string, to: string, platform: string = process.platform, files = nodeFiles): void {
  for (let tries = 1; ; tries++) {
    try {
      files.rename(from, to);
      return;
    } catch (error) {
      // Elsewhere these codes mean that it will never be allowed.
      if (platform !== "win32" || !IN_USE.has(String((error as NodeJS.ErrnoException).code))) throw error;
      if (tries === TRIES) break;
      files.pause(PAUSE_MS);
    }
  }
  const aside = asideOf(to);
  files.remove(aside);
  files.rename(to, aside);
  try {
    files.rename(from, to);
  } catch (error) {
    files.rename(aside, to);
    throw error;
  }
  try {
    files.remove(aside);
  } catch {
    // It is still open. The next replacement removes it.
  }
}

/** Puts back what a process moved aside and did not live to replace. */
export function restoreReplaced(file: string, files = nodeFiles): void {
  if (!files.exists(file) && files.exists(asideOf(file))) files.rename(asideOf(file), file);
}
