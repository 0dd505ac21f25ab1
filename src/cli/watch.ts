/** Reloads scenario and fixtures files after a change. After a change with mistakes, the last good version stays loaded. */
import { existsSync, type FSWatcher, realpathSync, statSync, watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { systemClock } from "../engine/core/clock.ts";
import { messageOf } from "../engine/core/text.ts";
import type { Sandbox } from "../library/types.ts";
import { SettingsError } from "../library/errors.ts";
import { ScenarioError } from "../engine/scenario/error.ts";

/** Milliseconds to wait for further writes, because editors save in several steps. */
const QUIET_MS = 100;
const RETRY_MS = 1000;

/** Editors replace files, so this watches their folders. Returns a function that stops the watch. */
export function watchFiles(sandbox: Sandbox, files: () => readonly string[], say: (line: string) => void): () => void {
  let watchers: FSWatcher[] = [];
  let cancel: (() => void) | undefined;
  let seen = stampsOf(files());
  /** An error in a timer would end the process. The disk may fail, or run out of watches. */
  const check = () => {
    try {
      reloadChanged();
    } catch (error) {
      say(`docdouble cannot watch its files: ${messageOf(error)}. It retries in ${RETRY_MS} ms.`);
      cancel = systemClock.after(RETRY_MS, check);
    }
  };
  const reloadChanged = () => {
    cancel = undefined;
    // Watch a new folder before reading it, so that no change is lost.
    watchFolders();
    const found = stampsOf(files());
    if (isSame(found, seen)) return;
    let line = "docdouble reloaded its files; the state stays";
    try {
      sandbox.reload();
    } catch (error) {
      if (!(error instanceof SettingsError) && !(error instanceof ScenarioError)) throw error;
      line = `${error.message}\ndocdouble keeps the last good files`;
    }
    watchFolders();
    const now = stampsOf(files());
    seen = new Map([...now].map(([file, stamp]) => [file, found.get(file) ?? stamp]));
    // The watch is complete before the message, so a change after the message is seen.
    say(line);
    if (!isSame(now, seen)) scheduleCheck(true);
  };
  const scheduleCheck = (isWatched: boolean) => {
    // Frequent writes of other files, such as a data file, must not postpone the reload.
    if (!isWatched && cancel) return;
    cancel?.();
    cancel = systemClock.after(QUIET_MS, check);
  };
  const watchFolders = () => {
    const fresh: FSWatcher[] = [];
    try {
      for (const [folder, names] of namesByFolder(files())) {
        const watcher = watch(folder, (_, name) => scheduleCheck(name === null || names.has(name)));
        // The watch of a removed folder ends.
        fresh.push(watcher.on("error", () => scheduleCheck(true)));
      }
    } catch (error) {
      for (const watcher of fresh) watcher.close();
      throw error;
    }
    for (const watcher of watchers) watcher.close();
    watchers = fresh;
  };
  watchFolders();
  return () => {
    cancel?.();
    for (const watcher of watchers) watcher.close();
  };
}

type Stamps = ReadonlyMap<string, string>;

function stampsOf(files: readonly string[]): Stamps {
  return new Map(
    files.map((file) => {
      const found = existsSync(file) ? statSync(file, { bigint: true, throwIfNoEntry: false }) : undefined;
      return [file, found ? `${found.ino} ${found.mtimeNs} ${found.size}` : "none"];
    }),
  );
}

function isSame(some: Stamps, others: Stamps): boolean {
  return some.size === others.size && [...some].every(([file, stamp]) => others.get(file) === stamp);
}

function namesByFolder(files: readonly string[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  const add = (path: string) => {
    let [folder, name] = [dirname(path), basename(path)];
    while (!existsSync(folder) && folder !== dirname(folder)) [folder, name] = [dirname(folder), basename(folder)];
    folders.set(folder, (folders.get(folder) ?? new Set()).add(name));
  };
  for (const file of files) {
    const path = resolve(file);
    add(path);
    // Replacing a folder ends its watch, so watch the parent too.
    add(dirname(path));
    if (existsSync(path)) add(realpathSync(path));
  }
  return folders;
}
