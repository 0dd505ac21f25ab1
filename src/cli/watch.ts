/** Reloads scenario and fixtures files when they change. A bad file keeps the last good one and says why. */
import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { wall } from "../core/clock.ts";
import { type Sandbox, SettingsError } from "../sandbox.ts";
import { ScenarioError } from "../scenario/load.ts";

/** Editors write a file in several steps. */
const QUIET_MS = 100;

/** Watches the folders of `files`, as editors replace files. Returns the function that ends it. */
export function watchFiles(sandbox: Sandbox, files: () => readonly string[], say: (line: string) => void): () => void {
  let watchers: FSWatcher[] = [];
  let cancel: (() => void) | undefined;
  const reload = () => {
    let line = "docdouble reloaded its files; the state stays";
    try {
      sandbox.reload();
    } catch (error) {
      if (!(error instanceof SettingsError) && !(error instanceof ScenarioError)) throw error;
      line = `${error.message}\ndocdouble keeps the last good files`;
    }
    arm();
    // Said when it watches again, so that who changes a file at this word is heard.
    say(line);
  };
  const arm = () => {
    const before = watchers;
    const byFolder = group(files());
    watchers = [...byFolder].map(([folder, names]) => {
      const wanted = new Set(names.map((name) => basename(name)));
      return watch(folder, (_, name) => {
        if (name !== null && !wanted.has(name)) return;
        cancel?.();
        cancel = wall.after(QUIET_MS, reload);
      });
    });
    for (const watcher of before) watcher.close();
  };
  arm();
  return () => {
    cancel?.();
    for (const watcher of watchers) watcher.close();
  };
}

function group(files: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const file of files) folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file]);
  return folders;
}
