/** Files that a command writes when its work is done. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { requireWritable } from "../engine/core/regular-file.ts";
import { messageOf } from "../engine/core/text.ts";
import { SettingsError } from "../library/errors.ts";

export interface ReportFile<Ending extends string> {
  file: string;
  ending: Ending;
}

/** Checks names before the work, and keeps what the files hold until it is done. @throws SettingsError */
export function reportFiles<Ending extends string>(
  files: readonly string[] | undefined,
  endings: readonly Ending[],
): ReportFile<Ending>[] {
  return (files ?? []).map((file) => {
    const ending = endings.find((one) => file.endsWith(one));
    if (ending === undefined) throw new SettingsError(`Cannot write ${file}: its name must end in ${endings.join(", ")}.`);
    beforeWork(file);
    return { file, ending };
  });
}

/** No long work may end without its file, so its folder is made now. @throws SettingsError */
export function beforeWork(file: string, check: (file: string) => void = requireWritable): void {
  // A shell makes an empty word of an unset variable in quotes.
  if (file.trim() === "") throw new SettingsError("Cannot write a file without a name. Name the file.");
  attempt(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    check(file);
  });
}

/** @throws SettingsError */
export function writeReport(file: string, text: string): void {
  attempt(file, () => writeFileSync(file, text));
}

function attempt(file: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    const { code = messageOf(error) } = error as NodeJS.ErrnoException;
    throw new SettingsError(`Cannot write ${file}: ${code}. Check the folder.`);
  }
}
