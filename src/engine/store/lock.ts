/**
 * One server per data file: `FILE.lock` names the holder. The holder listens on a socket in the same directory, which the kernel closes with
 * the process. It also touches the lock every second, as a heartbeat for other machines.
 *
 * docs/decisions/011-the-lock.md gives the reasons and the limits on network disks.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  futimesSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { isoMillis, toDate, systemClock } from "../core/clock.ts";
import { isProcessId } from "../core/process.ts";
import { unguessable } from "../core/ids.ts";
import { probeSocket, bindSocket, type LockSocket } from "./lock-socket.ts";

/**
 * `began` distinguishes processes that reuse a pid. Containers of one machine share `boot`; `pids` is the pid's namespace. Locks of an
 * early version have neither of them, nor a socket.
 */
interface Holder {
  pid: number;
  began: string | null;
  host: string;
  boot?: string | null;
  pids?: string | null;
  socket?: string | null;
  since: string;
  token: string;
}

export interface Lock {
  readonly isLastUncertain: boolean;
  /**
   * Whether this process holds the lock. `retaken`: the lock was removed and is taken again; another process may have held it
   * meanwhile.
   * @throws LostLockError, from then on, when another process holds it; any other error while the lock cannot be written
   */
  check(): "ours" | "retaken";
  refresh(): void;
  release(): void;
}

/** Another server holds the file. This server must not write to it any more. */
export class LostLockError extends Error {
  override readonly name = "LostLockError";
}

/** A holder that cannot be reached counts as silent after this time without a heartbeat. */
const SILENT_MS_MAX = 60_000;
const TRIES_MAX = 100;
const DEPTH_MAX = 20;

/** Takes the lock of `file`. @throws when a living process holds it, or when the lock cannot be read or written */
export async function lock(file: string): Promise<Lock> {
  const path = `${file}.lock`;
  const token = unguessable().slice(0, 16);
  const { socket, name } = await socketFor(path, token);
  const began = beganOf(process.pid);
  const holder: Holder = {
    pid: process.pid,
    began,
    host: hostname(),
    boot: bootId(),
    pids: pidNamespace(),
    socket: name,
    since: isoMillis(systemClock.now()),
    token,
  };
  const draft = `${path}.${token}`;
  try {
    writeFileSync(draft, `${JSON.stringify(holder)}\n`, { mode: 0o600, flag: "wx" });
    const isLastUncertain = await acquire(file, path, draft);
    return new HeldLock(file, path, holder, socket, isLastUncertain);
  } catch (error) {
    socket?.close();
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

async function socketFor(path: string, token: string): Promise<{ socket: LockSocket | undefined; name: string | null }> {
  const name = process.platform === "win32" ? `\\\\.\\pipe\\docdouble-${token}` : `.docdouble-${token}`;
  try {
    return { socket: await bindSocket(socketPath(path, name)), name };
  } catch {
    return { socket: undefined, name: null };
  }
}

function socketPath(lockPath: string, name: string): string {
  return name.startsWith("\\\\") ? name : join(dirname(lockPath), name);
}

/**
 * Links `path` to `draft`. A process that replaces a dead holder first takes the succession lock, named by the dead holder's
 * token. So one process alone replaces it, and a death on the way is handled the same way.
 * @returns whether the last holder may still be alive
 */
async function acquire(file: string, path: string, draft: string, depth = 0): Promise<boolean> {
  for (let tries = 0; ; tries++) {
    if (isLinked(draft, path)) return false;
    const text = textOf(path);
    if (text === undefined) {
      if (tries >= TRIES_MAX) throw new Error(`cannot take ${path}: others make and remove it all the time`);
      await systemClock.soon();
      continue;
    }
    const holder = holderOf(text);
    // Without links the lock is written in place: its writer needs a moment.
    if (!holder && tries < 3) {
      await systemClock.soon();
      continue;
    }
    const state = holder ? await stateOf(holder, path) : "dead";
    if (holder && state === "alive")
      throw new Error(
        `${file} is in use by the docdouble with process id ${holder.pid}, on ${holder.host} since ${holder.since}; stop that one, or give this one a file of its own`,
      );
    if (depth >= DEPTH_MAX) throw new Error(`cannot take ${path}: too many died while they took it; remove ${file}.lock*`);
    const succession = holder ? `${file}.lock.after.${holder.token.replace(/[^\w-]/g, "_")}` : `${path}.after.nobody`;
    const isUncertain = await acquire(file, succession, draft, depth + 1);
    if (textOf(path) === text) {
      renameSync(succession, path);
      if (holder?.socket && !holder.socket.startsWith("\\\\")) rmSync(socketPath(path, holder.socket), { force: true });
      return isUncertain || state === "silent";
    }
    rmSync(succession, { force: true });
  }
}

class HeldLock implements Lock {
  readonly isLastUncertain: boolean;
  readonly #file: string;
  readonly #path: string;
  readonly #holder: Holder;
  readonly #socket: LockSocket | undefined;
  #fd: number | undefined;
  #identity: string;
  #lost: LostLockError | undefined;

  constructor(file: string, path: string, holder: Holder, socket: LockSocket | undefined, isLastUncertain: boolean) {
    this.#file = file;
    this.#path = path;
    this.#holder = holder;
    this.#socket = socket;
    this.isLastUncertain = isLastUncertain;
    this.#fd = openSync(path, "r+");
    this.#identity = identityOf(fstatSync(this.#fd, { bigint: true }));
  }

  check(): "ours" | "retaken" {
    if (this.#lost) throw this.#lost;
    const named = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    if (named && identityOf(named) === this.#identity) return "ours";
    if (named && holderOf(textOf(this.#path) ?? "")?.token !== this.#holder.token) throw this.#lose();
    try {
      if (!named) this.#writeAnew();
      this.#open();
    } catch (error) {
      if (error instanceof LostLockError) throw error;
      throw new Error(
        `somebody removed its lock, and docdouble cannot create it again: ${(error as NodeJS.ErrnoException).code}`,
      );
    }
    return "retaken";
  }

  #writeAnew(): void {
    const draft = `${this.#path}.${this.#holder.token}`;
    try {
      writeFileSync(draft, `${JSON.stringify(this.#holder)}\n`, { mode: 0o600 });
      if (!isLinked(draft, this.#path)) throw this.#lose();
    } finally {
      rmSync(draft, { force: true });
    }
  }

  #open(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#fd = openSync(this.#path, "r+");
    this.#identity = identityOf(fstatSync(this.#fd, { bigint: true }));
  }

  #lose(): LostLockError {
    const by = holderOf(textOf(this.#path) ?? "");
    const who = by ? `the docdouble with process id ${by.pid}, on ${by.host} since ${by.since}` : "another process";
    this.#lost = new LostLockError(`${this.#file} is in use by ${who}: this server has stopped writing to it`);
    return this.#lost;
  }

  refresh(): void {
    if (this.#lost || this.#fd === undefined) return;
    this.#socket?.refresh();
    const now = toDate(systemClock.now());
    // By descriptor, so that another process's lock is never touched.
    futimesSync(this.#fd, now, now);
  }

  release(): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
    if (holderOf(orNothing(() => readFileSync(this.#path, "utf8")) ?? "")?.token === this.#holder.token)
      rmSync(this.#path, { force: true });
    this.#socket?.close();
  }
}

function identityOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev}:${ino}`;
}

function isLinked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (code === "ENOENT") throw error;
    // The file system has no links: an exclusive copy takes their place.
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

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new Error(`cannot read the lock ${path}: ${code}; make it readable, or remove it when no docdouble uses the file`);
  }
}

function holderOf(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder;
    return Number.isInteger(holder.pid) && typeof holder.token === "string" ? holder : undefined;
  } catch {
    return undefined;
  }
}

async function stateOf(holder: Holder, path: string): Promise<"alive" | "dead" | "silent"> {
  const boot = bootId();
  const isHere = holder.boot != null && boot !== null ? holder.boot === boot : holder.host === hostname();
  if (isHere && holder.socket) {
    const asked = await probeSocket(socketPath(path, holder.socket));
    if (asked !== "unknown") return asked;
  }
  // A pid is valid in its own namespace only.
  if (isHere && (holder.pids ?? null) === pidNamespace()) return isRunning(holder) ? "alive" : "dead";
  // An early version named neither socket nor namespace, and trusted the process id. Its process may run in another container.
  if (isHere && holder.pids === undefined && !isRunning(holder)) return "silent";
  const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return systemClock.now() - touched < SILENT_MS_MAX ? "alive" : "silent";
}

function isRunning(holder: Holder): boolean {
  if (!isProcessId(holder.pid)) return false;
  const began = beganOf(holder.pid);
  return holder.began === null || began === null || began === holder.began;
}

/** Clock ticks between the start of the machine and of the process; null where the system has no /proc. */
function beganOf(pid: number): string | null {
  const text = orNothing(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The process name in parentheses may hold spaces; the start time is field 22.
  return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function bootId(): string | null {
  return orNothing(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()) ?? null;
}

function pidNamespace(): string | null {
  return orNothing(() => readlinkSync("/proc/self/ns/pid")) ?? null;
}

function orNothing<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
