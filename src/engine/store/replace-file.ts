/**
 * Replaces a file. On Windows a rename fails while a process has the target open: this server does, and a virus scanner does for
 * a moment. So the rename is retried. Then the old file is moved aside, which Windows allows.
 */
import { existsSync, renameSync, rmSync } from "node:fs";

export interface Replacing {
  rename(from: string, to: string): void;
  remove(file: string): void;
  exists(file: string): boolean;
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

/** @throws the error of the file system; both files are unchanged then */
export function replaceFile(from: string, to: string, platform: string = process.platform, files = nodeFiles): void {
  for (let tries = 1; ; tries++) {
    try {
      files.rename(from, to);
      return;
    } catch (error) {
      // On other systems a retry cannot succeed.
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
    // The old file is still open. The next replacement removes it.
  }
}

/** Restores a file that a process moved aside and did not replace before it died. */
export function restoreReplaced(file: string, files = nodeFiles): void {
  if (!files.exists(file) && files.exists(asideOf(file))) files.rename(asideOf(file), file);
}
