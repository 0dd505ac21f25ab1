/** The journal of a probe on the disk. */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { SettingsError } from "../library/errors.ts";
import type { Journal } from "../tools/probe/journal.ts";

/** Appends to the file. Each line is on the disk when the call returns. @throws SettingsError when the file cannot be written */
export function openJournal(file: string): { write: Journal; close(): void } {
  const open = attempt(file, () => openSync(file, "a", 0o600));
  // An earlier run may have ended within a line.
  const isWithinLine = !/(?:^|\n)$/.test(readText(file));
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
    return readFileSync(file, "utf8");
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
