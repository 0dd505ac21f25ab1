/** The journal of a probe on the disk. */
import { closeSync, existsSync, fsyncSync, openSync, writeSync } from "node:fs";
import { readRegularFile } from "../engine/core/regular-file.ts";
import { SettingsError } from "../library/errors.ts";
import type { Journal } from "../tools/probe/journal.ts";

/** Appends to the file. Each line is on the disk when the call returns. @throws SettingsError when the file cannot be written */
export function openJournal(file: string): { write: Journal; close(): void } {
  // An earlier run may have ended within a line. A pipe is refused here, before opening it could wait for its reader.
  const isWithinLine = existsSync(file) && !/(?:^|\n)$/.test(readText(file));
  const open = attempt(file, () => openSync(file, "a", 0o600));
  if (isWithinLine) attempt(file, () => writeSync(open, "\n"));
  return {
    write(line) {
      attempt(file, () => {
        writeSync(open, `${JSON.stringify(line)}\n`);
        fsyncSync(open);
      });
    },
    close: () => closeSync(open),
  };
}

/** @throws SettingsError */
export function readText(file: string): string {
  try {
    return readRegularFile(file);
  } catch (error) {
    throw new SettingsError(`Cannot read ${file}: ${(error as NodeJS.ErrnoException).code}. Check the name of the journal.`);
  }
}

function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new SettingsError(`Cannot write ${file}: ${(error as NodeJS.ErrnoException).code}. Check the folder and the disk.`);
  }
}
