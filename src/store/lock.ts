/**
 * One process for one data file: `FILE.lock` names who holds it. A lock whose process is gone is taken over, so that a
 * process that was killed leaves nothing in the way.
 */
import {
  constants,
  copyFileSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { isoMillis, toDate, wall } from "../core/clock.ts";

interface Holder {
  pid: number;
  /** When that process began, as its system counts; tells it from a later one of the same number. */
  began: string | null;
  host: string;
  since: string;
  /** Tells two holders in one process apart. */
  token: string;
}

export interface Lock {
  /** Tells those on other machines that we are still here. */
  refresh(): void;
  release(): void;
}

/** How long a holder on another machine may be silent. Its processes cannot be asked for. */
const SILENT_MS_MAX = 60_000;

/** The locks of this process. */
const held = new Set<string>();
let count = 0;

/** Takes the lock of `file`. @throws when a living process holds it */
export function lock(file: string): Lock {
  const path = `${file}.lock`;
  const token = `${process.pid}/${beganOf(process.pid) ?? ""}/${++count}`;
  const own: Holder = { pid: process.pid, began: beganOf(process.pid), host: hostname(), since: isoMillis(wall.now()), token };
  const draft = `${path}.${process.pid}.${count}`;
  writeFileSync(draft, `${JSON.stringify(own)}\n`, { mode: 0o600 });
  try {
    // Two that find the same dead holder both try; a few rounds settle who is first.
    for (let tries = 0; !isTaken(draft, path); tries++) {
      const text = textOf(path);
      if (text === undefined) continue;
      const holder = holderOf(text);
      if (tries >= 10 || (holder && isAlive(holder, path)))
        throw new Error(
          `${file} is in use by the docdouble with process id ${holder?.pid ?? "unknown"}, on ${holder?.host ?? "?"} since ${holder?.since ?? "?"}; stop that one, or give this one a file of its own`,
        );
      putAside(path, text, `${draft}.stale`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  held.add(token);
  return {
    refresh() {
      const now = toDate(wall.now());
      try {
        utimesSync(path, now, now);
      } catch {
        // Somebody took it away.
        retake(path, own);
      }
    },
    release() {
      held.delete(token);
      if (holderOf(textOf(path) ?? "")?.token === token) rmSync(path, { force: true });
    },
  };
}

function retake(path: string, own: Holder): void {
  try {
    writeFileSync(path, `${JSON.stringify(own)}\n`, { mode: 0o600, flag: "wx" });
  } catch {
    // The folder is gone too, or another has taken it.
  }
}

/** A link is made or not made: nobody sees half a lock. */
function isTaken(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    // A file system without links: then the file itself must be new.
    return isCopied(draft, path);
  }
}

function isCopied(draft: string, path: string): boolean {
  try {
    copyFileSync(draft, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Takes a dead lock away. Was it another's by then, it is put back. */
function putAside(path: string, dead: string, aside: string): void {
  try {
    renameSync(path, aside);
  } catch {
    // Somebody else was first.
    return;
  }
  if (textOf(aside) !== dead) isTaken(aside, path);
  rmSync(aside, { force: true });
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Undefined when the text is none of ours: nobody can be asked, so nobody holds it. */
function holderOf(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder;
    return Number.isInteger(holder.pid) && typeof holder.token === "string" ? holder : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(holder: Holder, path: string): boolean {
  if (holder.host !== hostname()) {
    const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return wall.now() - touched < SILENT_MS_MAX;
  }
  const began = beganOf(holder.pid);
  if (holder.pid === process.pid && began === null) return held.has(holder.token);
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // Not allowed to signal it: somebody else's process, and alive.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return holder.began === null || began === null || began === holder.began;
}

/** Clock ticks between the machine's start and the process's; null where the system does not tell. */
function beganOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces; the start is the 22nd field, the 20th after it.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
