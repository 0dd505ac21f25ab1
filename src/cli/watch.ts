/** Reloads scenario and fixtures files when they change. A bad file keeps the last good one and says why. */
import { existsSync, type FSWatcher, realpathSync, statSync, watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { systemClock } from "../core/clock.ts";
import { messageOf } from "../core/text.ts";
import type { Sandbox } from "../types.ts";
import { SettingsError } from "../errors.ts";
import { ScenarioError } from "../scenario/error.ts";

/** Editors write a file in several steps. */
const QUIET_MS = 100;
/** After the disk has refused. */
const RETRY_MS = 1000;

/** Watches the folders of `files`, as editors replace files. Returns the function that ends it. */
export function watchFiles(sandbox: Sandbox, files: () => readonly string[], say: (line: string) => void): () => void {
  let watchers: FSWatcher[] = [];
  let cancel: (() => void) | undefined;
  let seen = stampsOf(files());
  /** Runs in a timer, where an error would end the process: the disk may refuse for a moment, or run out of watches. */
  const check = () => {
    try {
      look();
    } catch (error) {
      say(`docdouble cannot look at its files: ${messageOf(error)}; it looks again in ${RETRY_MS} ms`);
      cancel = systemClock.after(RETRY_MS, check);
    }
  };
  const look = () => {
    cancel = undefined;
    // A folder that came is watched from now on, before it is looked into.
    arm();
    const found = stampsOf(files());
    // A folder tells of more than our files.
    if (isSame(found, seen)) return;
    let line = "docdouble reloaded its files; the state stays";
    try {
      sandbox.reload();
    } catch (error) {
      if (!(error instanceof SettingsError) && !(error instanceof ScenarioError)) throw error;
      line = `${error.message}\ndocdouble keeps the last good files`;
    }
    arm();
    const now = stampsOf(files());
    seen = new Map([...now].map(([file, stamp]) => [file, found.get(file) ?? stamp]));
    // Said when it watches again, so that who changes a file at this word is heard.
    say(line);
    // What changed while it was read.
    if (!isSame(now, seen)) heard(true);
  };
  const heard = (isOurs: boolean) => {
    // What others write, such as a data file beside ours, must not put off what is ours.
    if (!isOurs && cancel) return;
    cancel?.();
    cancel = systemClock.after(QUIET_MS, check);
  };
  const arm = () => {
    const fresh: FSWatcher[] = [];
    try {
      for (const [folder, names] of namesByFolder(files())) {
        const watcher = watch(folder, (_, name) => heard(name === null || names.has(name)));
        // A folder that goes away is seen by its files.
        fresh.push(watcher.on("error", () => heard(true)));
      }
    } catch (error) {
      // Those before go on watching.
      for (const watcher of fresh) watcher.close();
      throw error;
    }
    for (const watcher of watchers) watcher.close();
    watchers = fresh;
  };
  arm();
  return () => {
    cancel?.();
    for (const watcher of watchers) watcher.close();
  };
}

type Stamps = ReadonlyMap<string, string>;

/** What tells of each file that it was replaced, written, mended or taken away. */
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

/** Which names matter in which folders: of each file where it is named, and where a link to it leads. */
function namesByFolder(files: readonly string[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  const add = (path: string) => {
    let [folder, name] = [dirname(path), basename(path)];
    // Of a folder that is not there, its coming is watched for.
    while (!existsSync(folder) && folder !== dirname(folder)) [folder, name] = [dirname(folder), basename(folder)];
    folders.set(folder, (folders.get(folder) ?? new Set()).add(name));
  };
  for (const file of files) {
    const path = resolve(file);
    add(path);
    // A folder that is replaced as a whole ends what watches it.
    add(dirname(path));
    if (existsSync(path)) add(realpathSync(path));
  }
  return folders;
}
