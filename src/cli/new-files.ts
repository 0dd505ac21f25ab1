import { closeSync, lstatSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../engine/core/text.ts";
import { EXIT_USAGE } from "./usage-error.ts";

/**
 * Writes new files, all or none, and says on standard error why it wrote none. Returns the exit code. A link counts as a file, also when
 * its target is gone.
 *
 * @param fix the next step when a file exists already
 */
export function writeNewFiles(files: ReadonlyMap<string, string | Uint8Array>, fix: string): 0 | 2 {
  const written: string[] = [];
  const names = [...files.keys()];
  try {
    const taken = names.filter((name) => isThere(name));
    if (taken.length > 0) {
      process.stderr.write(`${taken.join(", ")}: already there. Nothing was written. ${fix}\n`);
      return EXIT_USAGE;
    }
    for (const [name, content] of files) {
      mkdirSync(dirname(name), { recursive: true });
      const file = openSync(name, "wx");
      written.push(name);
      try {
        writeFileSync(file, content);
      } finally {
        closeSync(file);
      }
    }
    return 0;
  } catch (error) {
    for (const name of written) rmSync(name, { force: true });
    const { code = messageOf(error) } = error as NodeJS.ErrnoException;
    process.stderr.write(`cannot write ${names.join(", ")}: ${code}. Nothing was written.\n`);
    return EXIT_USAGE;
  }
}

/** Below a file, there is nothing. */
function isThere(name: string): boolean {
  try {
    return lstatSync(name, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return false;
    throw error;
  }
}
