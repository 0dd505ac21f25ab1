/** Reloads scenario and fixtures files after a change. After a change with mistakes, the last good version stays loaded. */
import { statSync } from "node:fs";
import { systemClock } from "../engine/core/clock.ts";
import type { Sandbox } from "../library/types.ts";
import { SettingsError } from "../library/errors.ts";
import { ScenarioError } from "../engine/scenario/error.ts";

/** Milliseconds between two looks. A look finds changes in each folder, also in one of a container or behind a link. */
const LOOK_MS = 100;

/** Editors save in several steps, so a change counts when two looks find the same. Returns a function that stops the watch. */
export function watchFiles(sandbox: Sandbox, files: () => readonly string[], say: (line: string) => void): () => void {
  let seen = stampsOf(files());
  let before = seen;
  const look = () => {
    cancel = systemClock.after(LOOK_MS, look);
    const found = stampsOf(files());
    const isSettled = isSame(found, before);
    before = found;
    if (!isSettled || isSame(found, seen)) return;
    let line = "docdouble reloaded its files; the state stays";
    try {
      sandbox.reload();
    } catch (error) {
      if (!(error instanceof SettingsError) && !(error instanceof ScenarioError)) throw error;
      line = `${error.message}\ndocdouble keeps the last good files`;
    }
    // A reload may read further files.
    seen = before = new Map([...stampsOf(files())].map(([file, stamp]) => [file, found.get(file) ?? stamp]));
    say(line);
  };
  let cancel = systemClock.after(LOOK_MS, look);
  return () => cancel();
}

type Stamps = ReadonlyMap<string, string>;

function stampsOf(files: readonly string[]): Stamps {
  return new Map(files.map((file) => [file, stampOf(file)]));
}

function stampOf(file: string): string {
  try {
    const { ino, mtimeNs, size } = statSync(file, { bigint: true });
    return `${ino} ${mtimeNs} ${size}`;
  } catch {
    return "none";
  }
}

function isSame(some: Stamps, others: Stamps): boolean {
  return some.size === others.size && [...some].every(([file, stamp]) => others.get(file) === stamp);
}
