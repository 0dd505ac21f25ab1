/**
 * The data file: a lowdb adapter that appends changes. Now and then it compacts: it writes the whole state to a new file in small
 * steps and renames it.
 *
 * `write` hands its bytes to the operating system before it returns, so a killed process loses nothing. A sync to the device
 * follows within a second. docs/inside/reliability.md describes the file.
 */
import { existsSync } from "node:fs";
import type { Adapter } from "lowdb";
import { systemClock } from "../core/clock.ts";
import { messageOf } from "../core/text.ts";
import { type Disk, realDisk } from "./disk.ts";
import { realFile, requireOneName } from "./file-identity.ts";
import { type Lock, LostLockError, lock } from "./lock.ts";
import { copyRest, copyTail, writeWhole } from "./compaction.ts";
import { freeName, header, loadLog } from "./log-load.ts";
import { restoreReplaced } from "./replace-file.ts";
import { LineChain, type RecordText } from "./records.ts";

export interface LogContent<Data> {
  empty(): Data;
  convert(value: unknown): Data | undefined;
  apply(data: Data, record: unknown): void;
  /** Changes of `data` since the last call, as records. Every record of a change but the last is marked `more`. */
  changes(data: Data): Iterable<RecordText>;
  whole(data: Data): Iterable<RecordText>;
}

export interface DataHealth {
  file: string;
  ok: boolean;
  bytes: number;
  problem?: string;
  since?: number;
}

export interface LogOptions {
  disk?: Disk;
  compactAt?: number;
  /** Receives a sentence when writing fails, when it works again, and when damaged bytes are cut off. */
  onNotice?: (text: string) => void;
}

export const SYNC_MS = 1000;
const COMPACT_BYTES_MIN = 16 * 1024 * 1024;
const WRITE_BYTES = 1024 * 1024;
/** Bytes held in memory while the disk fails. Beyond them the next attempt writes the whole state. */
const WAITING_BYTES_MAX = 8 * 1024 * 1024;

export class LogFile<Data> implements Adapter<Data> {
  readonly file: string;
  readonly #content: LogContent<Data>;
  readonly #disk: Disk;
  readonly #notice: (text: string) => void;
  #data: Data;
  #lock: Lock | undefined;
  #fd: number | undefined;
  /** Of all lines that were made, also of those that wait or were dropped. A rewrite bridges the gap. */
  #chain = new LineChain();
  #size = 0;
  #wholeSize = 0;
  #isUnsynced = false;
  #syncing: Promise<void> = Promise.resolve();
  #failure: { error: unknown; since: number } | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** The file cannot be extended: the whole state must be written. */
  #isStale = false;
  #wasRetaken = false;
  #compacting: Promise<void> | undefined;
  readonly #compactMin: number;
  #compactAt: number;
  #isClosing = false;
  #cancelTick: () => void = () => {};

  constructor(file: string, content: LogContent<Data>, options: LogOptions = {}) {
    this.file = realFile(file);
    this.#content = content;
    this.#disk = options.disk ?? realDisk;
    this.#notice = options.onNotice ?? ((text) => console.error(text));
    this.#compactMin = options.compactAt ?? COMPACT_BYTES_MIN;
    this.#compactAt = this.#compactMin;
    this.#data = content.empty();
  }

  get #draft(): string {
    return `${this.file}.new`;
  }

  get health(): DataHealth {
    const { error, since } = this.#failure ?? {};
    const state = { file: this.file, ok: this.#failure === undefined, bytes: this.#size };
    // Drops the path that Node appends: readers of the health answer need not learn it.
    return since === undefined ? state : { ...state, problem: messageOf(error).split(", ")[0] as string, since };
  }

  /**
   * Opens the file, or creates it. @throws when the content is foreign, the file is unusable, or another living process holds it;
   * the file stays untouched
   */
  async read(): Promise<Data> {
    try {
      requireOneName(this.file);
      this.#lock = await lock(this.file);
      // Somebody may have linked the file before the lock was taken.
      requireOneName(this.file);
      this.#disk.remove(this.#draft);
      restoreReplaced(this.file);
      const fd = existsSync(this.file) ? this.#disk.open(this.file, "r+") : undefined;
      this.#fd = fd;
      if (fd !== undefined) await this.#load(fd);
      if (this.#size === 0) {
        this.#fd ??= this.#disk.open(this.file, "w+");
        this.#disk.truncate(this.#fd, 0);
        this.#append([header(this.#chain, false)]);
      }
      // A suspended holder may wake up and write to its open file. The rewrite replaces that file.
      if (this.#lock.isLastUncertain) await this.#rewrite();
    } catch (error) {
      this.#release();
      throw error;
    }
    this.#tick();
    return this.#data;
  }

  /**
   * Appends the changes of `data` and hands them to the operating system. Never rejects: `health` reports a failure, and the next
   * tick retries.
   */
  async write(data: Data): Promise<void> {
    this.#data = data;
    if (this.#fd === undefined) return;
    try {
      this.#writeChanges();
    } catch (error) {
      // A change that cannot be serialized is missing from the log. Only a rewrite restores it.
      this.#isStale = true;
      this.#fail(error);
    }
  }

  #writeChanges(): void {
    let lines: Buffer[] = [];
    let bytes = 0;
    for (const record of this.#content.changes(this.#data)) {
      const line = this.#chain.encode(record);
      lines.push(line);
      bytes += line.length;
      if (bytes < WRITE_BYTES) continue;
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

  async flush(): Promise<void> {
    await this.write(this.#data);
    await this.#maintain();
    if (this.#failure !== undefined) throw new Error(`cannot write ${this.file}: ${messageOf(this.#failure.error)}`);
  }

  /** Closes the file and releases the lock in any case. @throws when the last changes could not be written */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#cancelTick();
    try {
      if (this.#fd !== undefined) await this.flush();
    } finally {
      await this.#compacting?.catch(() => {});
      await this.#syncing;
      this.#release();
    }
  }

  #release(): void {
    if (this.#fd !== undefined) this.#disk.close(this.#fd);
    this.#fd = undefined;
    this.#lock?.release();
    this.#lock = undefined;
  }

  async #load(fd: number): Promise<void> {
    const found = loadLog(this.#disk, fd, this.file, this.#notice, (record) => this.#content.apply(this.#data, record));
    switch (found.is) {
      case "fresh":
        return;
      case "log":
        this.#size = found.size;
        this.#wholeSize = found.wholeSize;
        this.#chain = new LineChain(found.last);
        this.#planCompaction();
        if (found.isUnchained) await this.#rewrite();
        return;
      case "other": {
        const converted = this.#content.convert(found.value);
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

  #requireLock(): void {
    if (this.#lock?.check() !== "retaken") return;
    this.#wasRetaken = true;
    this.#isStale = true;
    throw new Error("somebody removed its lock");
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
          ? `${error.message}; docdouble still answers, and keeps changes in memory only`
          : `cannot write ${this.file}: ${messageOf(error)}; docdouble still answers, and keeps changes in memory until it can write them`,
      );
    this.#failure = { error, since: this.#failure?.since ?? systemClock.now() };
  }

  async #repair(): Promise<void> {
    if (this.#failure === undefined && !this.#isStale) return;
    try {
      if (this.#lock?.check() === "retaken") this.#wasRetaken = this.#isStale = true;
      while (this.#isStale) await this.#rewrite();
      const fd = this.#fd as number;
      // A failed write may have left part of its bytes.
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
        // After a failed sync the system may drop the bytes. Only a rewrite restores them.
        this.#isStale = true;
        this.#fail(error);
      });
    return this.#syncing;
  }

  #tick(): void {
    this.#cancelTick = systemClock.after(SYNC_MS, () => {
      void this.#maintain().finally(() => {
        if (!this.#isClosing) this.#tick();
      });
    });
  }

  async #maintain(): Promise<void> {
    try {
      this.#requireLock();
      this.#lock?.refresh();
      if (this.#failure === undefined && !this.#disk.isAt(this.#fd as number, this.file)) {
        this.#isStale = true;
        throw new Error("somebody removed or replaced the file");
      }
    } catch (error) {
      this.#fail(error);
    }
    if (this.#failure === undefined && !this.#isStale) await this.#sync();
    else await this.#repair();
  }

  #planCompaction(): void {
    this.#compactAt = Math.max(this.#compactMin, 2 * this.#wholeSize);
  }

  #maybeCompact(): void {
    if (this.#size < this.#compactAt || this.#compacting !== undefined || this.#isClosing) return;
    void this.#rewrite().catch((error: unknown) => {
      this.#notice(`cannot write ${this.#draft}: ${messageOf(error)}; ${this.file} goes on growing`);
      this.#compactAt = this.#size + this.#compactMin;
    });
  }

  #rewrite(): Promise<void> {
    this.#compacting ??= this.#writeWhole().finally(() => {
      this.#compacting = undefined;
    });
    return this.#compacting;
  }

  async #writeWhole(): Promise<void> {
    const from = this.#size;
    const wasStale = this.#isStale || this.#size === 0;
    const fd = this.#disk.open(this.#draft, "w+");
    this.#isStale = false;
    this.#forgetWaiting();
    let size = 0;
    try {
      const isInVain = () => this.#isClosing && !wasStale;
      const wholeSize = await writeWhole(this.#disk, fd, this.#content.whole(this.#data), this.#chain.last, isInVain);
      size = wasStale ? wholeSize : await copyTail(this.#disk, this.#fd as number, from, () => this.#size, fd, wholeSize);
      await this.#disk.sync(fd);
      if (isInVain()) throw new Error("closing");
      // From here on the work is synchronous: no change can intervene.
      this.#requireLock();
      this.#keepForeign();
      size = wasStale
        ? this.#writeWaiting(fd, size)
        : copyRest(this.#disk, this.#fd as number, from + size - wholeSize, this.#size, fd, size);
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

  #keepForeign(): void {
    const fd = this.#fd;
    if (fd === undefined || !this.#disk.exists(this.file)) return;
    const isGrown = this.#wasRetaken && this.#disk.size(fd) > this.#size;
    if (this.#disk.isAt(fd, this.file) && !isGrown) return;
    const aside = freeName(this.#disk, `${this.file}.replaced`);
    this.#disk.rename(this.file, aside);
    this.#notice(`${this.file} was changed by another program; what it wrote is kept in ${aside}`);
  }

  #writeWaiting(fd: number, size: number): number {
    const waiting = Buffer.concat(this.#waiting);
    this.#disk.write(fd, waiting, size);
    this.#forgetWaiting();
    return size + waiting.length;
  }
}
