/**
 * The data file: a lowdb adapter that appends what changed and never writes the whole again, but for now and then, in small
 * steps, to a new file beside it. What is appended has left the process when `write` returns, so that a kill of the process
 * loses nothing; that it is on the device is seen to every second. docs/reliability.md describes the file.
 */
import { existsSync } from "node:fs";
import type { Adapter } from "lowdb";
import { systemClock } from "../core/clock.ts";
import { messageOf } from "../core/text.ts";
import { type Disk, realDisk } from "./disk.ts";
import { realFile, requireOneName } from "./file-identity.ts";
import { type Lock, LostLockError, lock } from "./lock.ts";
import { freeName, header, loadLog } from "./log-load.ts";
import { restoreReplaced } from "./replace-file.ts";
import { encode } from "./records.ts";

/** What a log is of: how to read a record into it, what changed since it was last asked, and all of it. */
export interface Logged<Data> {
  empty(): Data;
  /** Takes what an earlier version wrote as one JSON value. Undefined when it is none of ours. */
  convert(value: unknown): Data | undefined;
  apply(data: Data, record: unknown): void;
  /** Each record as JSON; those of one change end with one that is not marked `more`. */
  changes(): Iterable<string>;
  whole(data: Data): Iterable<string>;
}

export interface DataHealth {
  file: string;
  ok: boolean;
  bytes: number;
  /** What is wrong, in words, and since when (epoch ms). */
  problem?: string;
  since?: number;
}

export interface LogOptions {
  disk?: Disk;
  /** The log is written anew once it is this long, in bytes, and twice as long as when it was last whole. */
  compactAt?: number;
  /** Told in a sentence when writing fails and when it works again, and of what was cut off. */
  onNotice?: (text: string) => void;
}

/** Wall ms between two times that what was written is seen onto the device, and between two tries when writing fails. */
export const SYNC_MS = 1000;
const COMPACT_BYTES_MIN = 16 * 1024 * 1024;
/** What waits for a disk that takes nothing. Beyond it everything is written anew when it does. */
const WAITING_BYTES_MAX = 8 * 1024 * 1024;
/** How long writing anew may hold up everything else, wall ms. */
const SLICE_MS = 4;
const BLOCK_BYTES = 256 * 1024;

export class LogFile<Data> implements Adapter<Data> {
  readonly file: string;
  readonly #logged: Logged<Data>;
  readonly #disk: Disk;
  readonly #notice: (text: string) => void;
  #data: Data;
  #lock: Lock | undefined;
  #fd: number | undefined;
  /** Where the next record goes. */
  #size = 0;
  /** How long the file was when it was last written whole. */
  #wholeSize = 0;
  /** Written and not yet seen onto the device. */
  #isUnsynced = false;
  #syncing: Promise<void> = Promise.resolve();
  #failure: { error: unknown; since: number } | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** What the file holds cannot be added to: it must be written anew. */
  #isStale = false;
  /** The lock was gone for a while: another may have written to the file. */
  #wasRetaken = false;
  #compacting: Promise<void> | undefined;
  readonly #compactMin: number;
  #compactAt: number;
  #isClosing = false;
  #cancelTick: () => void = () => {};

  constructor(file: string, logged: Logged<Data>, options: LogOptions = {}) {
    // A link stays a link when the file behind it is replaced.
    this.file = realFile(file);
    this.#logged = logged;
    this.#disk = options.disk ?? realDisk;
    this.#notice = options.onNotice ?? ((text) => console.error(text));
    this.#compactMin = options.compactAt ?? COMPACT_BYTES_MIN;
    this.#compactAt = this.#compactMin;
    this.#data = logged.empty();
  }

  get #draft(): string {
    return `${this.file}.new`;
  }

  get health(): DataHealth {
    const { error, since } = this.#failure ?? {};
    const state = { file: this.file, ok: this.#failure === undefined, bytes: this.#size };
    // Without the path that Node adds: not everybody who may ask needs to know it.
    return since === undefined ? state : { ...state, problem: messageOf(error).split(", ")[0] as string, since };
  }

  /**
   * Opens the file, made when it is not there. @throws when it is none of ours, when it cannot be used, or when another
   * living process holds it; then it is left alone
   */
  async read(): Promise<Data> {
    try {
      requireOneName(this.file);
      this.#lock = await lock(this.file);
      // Another may have made the link while the lock was taken.
      requireOneName(this.file);
      this.#disk.remove(this.#draft);
      restoreReplaced(this.file);
      const fd = existsSync(this.file) ? this.#disk.open(this.file, "r+") : undefined;
      this.#fd = fd;
      if (fd !== undefined) await this.#load(fd);
      // A file that is new, or cut off within its first line.
      if (this.#size === 0) {
        this.#fd ??= this.#disk.open(this.file, "w+");
        this.#disk.truncate(this.#fd, 0);
        this.#append([header(false)]);
      }
      // A holder that was only suspended goes on writing to the file that it has open: that is not this one any more.
      if (this.#lock.isLastUncertain) await this.#rewrite();
    } catch (error) {
      this.#drop();
      throw error;
    }
    this.#tick();
    return this.#data;
  }

  /** Appends what changed. It has left the process before this returns; a failure is told by `health` and tried again. */
  async write(): Promise<void> {
    if (this.#fd === undefined) return;
    try {
      this.#writeChanges();
    } catch (error) {
      // A change that cannot be put into words is missing in the log: only writing all of it anew helps.
      this.#isStale = true;
      this.#fail(error);
    }
  }

  #writeChanges(): void {
    let lines: Buffer[] = [];
    let bytes = 0;
    for (const json of this.#logged.changes()) {
      const line = encode(json);
      lines.push(line);
      bytes += line.length;
      if (bytes < 4 * BLOCK_BYTES) continue;
      this.#put(lines);
      lines = [];
      bytes = 0;
    }
    if (lines.length > 0) this.#put(lines);
  }

  #put(lines: readonly Buffer[]): void {
    if (this.#failure === undefined && !this.#isStale) {
      try {
        this.#append(lines);
        this.#maybeCompact();
        return;
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#wait(lines);
  }

  /** Sees everything onto the device. @throws when it cannot be written */
  async flush(): Promise<void> {
    await this.write();
    await this.#lookAfter();
    if (this.#failure !== undefined) throw new Error(`cannot write ${this.file}: ${messageOf(this.#failure.error)}`);
  }

  /** Lets the file go, whether or not its last changes could be written. @throws when they could not */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelTick();
    try {
      if (this.#fd !== undefined) await this.flush();
    } finally {
      await this.#compacting?.catch(() => {});
      await this.#syncing;
      this.#drop();
    }
  }

  #drop(): void {
    if (this.#fd !== undefined) this.#disk.close(this.#fd);
    this.#fd = undefined;
    this.#lock?.release();
    this.#lock = undefined;
  }

  async #load(fd: number): Promise<void> {
    const found = loadLog(this.#disk, fd, this.file, this.#notice, (record) => this.#logged.apply(this.#data, record));
    switch (found.is) {
      case "fresh":
        return;
      case "log":
        this.#size = found.size;
        this.#wholeSize = found.wholeSize;
        this.#planCompaction();
        return;
      case "other": {
        // A file of the earlier form, one JSON value, is written in this one.
        const converted = this.#logged.convert(found.value);
        if (converted === undefined)
          throw new Error(`${this.file} was not written by this version of docdouble; start with a fresh file`);
        this.#data = converted;
        await this.#rewrite();
      }
    }
  }

  #append(lines: readonly Buffer[]): void {
    this.#requireLock();
    const fd = this.#fd as number;
    const bytes = lines.length === 1 ? (lines[0] as Buffer) : Buffer.concat(lines);
    this.#disk.write(fd, bytes, this.#size);
    this.#size += bytes.length;
    this.#isUnsynced = true;
  }

  /** @throws while the file may not be written to */
  #requireLock(): void {
    if (this.#lock?.check() !== "retaken") return;
    this.#wasRetaken = true;
    this.#isStale = true;
    throw new Error("its lock was taken away");
  }

  #wait(lines: readonly Buffer[]): void {
    if (this.#isStale && this.#compacting === undefined) return;
    for (const line of lines) this.#waitingBytes += line.length;
    this.#waiting.push(...lines);
    if (this.#waitingBytes <= WAITING_BYTES_MAX) return;
    this.#isStale = true;
    this.#forgetWaiting();
  }

  #forgetWaiting(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #fail(error: unknown): void {
    if (this.#failure === undefined)
      this.#notice(
        error instanceof LostLockError
          ? `${error.message}; answers go on, and what changes is kept in memory only`
          : `cannot write ${this.file}: ${messageOf(error)}; answers go on, and what changes is kept in memory until it can be written`,
      );
    this.#failure = { error, since: this.#failure?.since ?? systemClock.now() };
  }

  /** Writes what waits for a disk that failed. Failing again is no news. */
  async #mend(): Promise<void> {
    if (this.#failure === undefined && !this.#isStale) return;
    try {
      if (this.#lock?.check() === "retaken") this.#wasRetaken = this.#isStale = true;
      while (this.#isStale) await this.#rewrite();
      const fd = this.#fd as number;
      // A write that failed may have left a part of itself.
      this.#disk.truncate(fd, this.#size);
      this.#appendWaiting();
      await this.#disk.sync(fd);
      this.#appendWaiting();
      if (this.#failure !== undefined) this.#notice(`${this.file} is written again; nothing is missing`);
      this.#failure = undefined;
    } catch (error) {
      this.#fail(error);
    }
  }

  #appendWaiting(): void {
    if (this.#waiting.length > 0) this.#append(this.#waiting);
    this.#forgetWaiting();
  }

  #sync(): Promise<void> {
    const fd = this.#fd;
    if (fd === undefined || !this.#isUnsynced) return this.#syncing;
    this.#isUnsynced = false;
    this.#syncing = this.#syncing
      .then(() => (fd === this.#fd ? this.#disk.sync(fd) : undefined))
      .catch((error: unknown) => {
        // What the device did not take may be forgotten by the system: only writing all of it again helps.
        this.#isStale = true;
        this.#fail(error);
      });
    return this.#syncing;
  }

  /** Once a second: onto the device, or another try. */
  #tick(): void {
    this.#cancelTick = systemClock.after(SYNC_MS, () => {
      void this.#lookAfter().finally(() => {
        if (!this.#isClosing) this.#tick();
      });
    });
  }

  async #lookAfter(): Promise<void> {
    try {
      this.#requireLock();
      this.#lock?.refresh();
      if (this.#failure === undefined && !this.#disk.isAt(this.#fd as number, this.file)) {
        this.#isStale = true;
        throw new Error("the file was taken away or replaced");
      }
    } catch (error) {
      this.#fail(error);
    }
    if (this.#failure === undefined && !this.#isStale) await this.#sync();
    else await this.#mend();
  }

  #planCompaction(): void {
    this.#compactAt = Math.max(this.#compactMin, 2 * this.#wholeSize);
  }

  #maybeCompact(): void {
    if (this.#size < this.#compactAt || this.#compacting !== undefined || this.#isClosing) return;
    void this.#rewrite().catch((error: unknown) => {
      // The log itself goes on; there is only no room for a shorter one.
      this.#notice(`cannot write ${this.#draft}: ${messageOf(error)}; ${this.file} goes on growing`);
      this.#compactAt = this.#size + this.#compactMin;
    });
  }

  /** Writes the whole state to a file beside this one, and that in its place. Changes go on meanwhile. */
  #rewrite(): Promise<void> {
    this.#compacting ??= this.#writeWhole().finally(() => {
      this.#compacting = undefined;
    });
    return this.#compacting;
  }

  async #writeWhole(): Promise<void> {
    // What changes from here on is behind this place in the old file, or waits.
    const from = this.#size;
    const wasStale = this.#isStale || this.#size === 0;
    const fd = this.#disk.open(this.#draft, "w+");
    this.#isStale = false;
    this.#forgetWaiting();
    let size = 0;
    try {
      const wholeSize = await this.#writeAll(fd, () => this.#isClosing && !wasStale);
      size = wasStale ? wholeSize : await this.#copyTail(fd, wholeSize, from);
      await this.#disk.sync(fd);
      if (this.#isClosing && !wasStale) throw new Error("closing");
      // From here on nothing else happens in between.
      this.#requireLock();
      this.#keepForeign();
      size = wasStale ? this.#writeWaiting(fd, size) : this.#copyRest(fd, size, from + size - wholeSize);
      this.#disk.rename(this.#draft, this.file);
      this.#wasRetaken = false;
      this.#wholeSize = wholeSize;
    } catch (error) {
      this.#disk.close(fd);
      this.#disk.remove(this.#draft);
      this.#isStale ||= wasStale;
      if (this.#isClosing && !wasStale) return;
      throw error;
    }
    const old = this.#fd;
    this.#fd = fd;
    this.#size = size;
    this.#isUnsynced = true;
    this.#planCompaction();
    this.#syncing = this.#syncing.then(() => this.#disk.syncDirectory(this.file));
    if (old !== undefined) void this.#syncing.finally(() => this.#disk.close(old));
  }

  /** Another's file in the place of ours, or its changes in ours, is kept beside it. */
  #keepForeign(): void {
    const fd = this.#fd;
    if (fd === undefined || !this.#disk.exists(this.file)) return;
    const isGrown = this.#wasRetaken && this.#disk.size(fd) > this.#size;
    if (this.#disk.isAt(fd, this.file) && !isGrown) return;
    const aside = freeName(this.#disk, `${this.file}.replaced`);
    this.#disk.rename(this.file, aside);
    this.#notice(`${this.file} was changed by another program; what it wrote is kept in ${aside}`);
  }

  async #writeAll(fd: number, isInVain: () => boolean): Promise<number> {
    let size = 0;
    let block: Buffer[] = [header(true)];
    let bytes = 0;
    const put = async () => {
      const all = Buffer.concat(block);
      block = [];
      bytes = 0;
      await this.#disk.writeSoon(fd, all, size);
      size += all.length;
    };
    let begun = systemClock.elapsed();
    for (const json of this.#logged.whole(this.#data)) {
      const line = encode(json);
      block.push(line);
      bytes += line.length;
      if (bytes >= BLOCK_BYTES) await put();
      if (systemClock.elapsed() - begun < SLICE_MS) continue;
      await systemClock.soon();
      if (isInVain()) break;
      begun = systemClock.elapsed();
    }
    block.push(encode('{"whole":true}'));
    await put();
    return size;
  }

  /** Copies what was appended since `from`, but for a last bit. */
  async #copyTail(fd: number, wholeSize: number, from: number): Promise<number> {
    let done = from;
    while (this.#size - done > BLOCK_BYTES) {
      const block = Buffer.alloc(Math.min(4 * BLOCK_BYTES, this.#size - done));
      this.#disk.read(this.#fd as number, block, done);
      await this.#disk.writeSoon(fd, block, wholeSize + done - from);
      done += block.length;
    }
    return wholeSize + done - from;
  }

  #copyRest(fd: number, size: number, done: number): number {
    const rest = Buffer.alloc(this.#size - done);
    this.#disk.read(this.#fd as number, rest, done);
    this.#disk.write(fd, rest, size);
    return size + rest.length;
  }

  #writeWaiting(fd: number, size: number): number {
    const waiting = Buffer.concat(this.#waiting);
    this.#disk.write(fd, waiting, size);
    this.#forgetWaiting();
    return size + waiting.length;
  }
}
