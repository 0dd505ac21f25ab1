/**
 * lowdb's adapter for the data file. It appends the changes of each turn of the event loop as one line, which the operating system has
 * before an answer leaves. Now and then it compacts: it writes the whole state to a new file and renames it.
 */
import { appendFileSync, closeSync, existsSync, fstatSync, fsyncSync, openSync, realpathSync, renameSync, rmSync } from "node:fs";
import type { SyncAdapter } from "lowdb";
import { systemClock } from "../core/clock.ts";
import { readRegularBytes } from "../core/regular-file.ts";
import { messageOf } from "../core/text.ts";
import { blocksOf, lineOf, readLines, type Saved } from "./data-lines.ts";
import { lock } from "./lock.ts";

export interface DataHealth {
  ok: boolean;
  bytes: number;
  problem?: string;
  since?: number;
}

const OWNER_ONLY = 0o600;
/** A smaller file is not worth a rewrite. */
const COMPACT_BYTES_MIN = 1024 * 1024;
const RETRY_MS = 1000;

export class DataFile implements SyncAdapter<Saved> {
  readonly #file: string;
  readonly #notice: (text: string) => void;
  #release = () => {};
  #fd: number | undefined;
  #size = 0;
  #stateSize = 0;
  #touched = new Map<string, readonly string[]>();
  #failure: { error: unknown; since: number; cancel: () => void } | undefined;

  constructor(file: string, notice: (text: string) => void) {
    this.#file = existsSync(file) ? realpathSync(file) : file;
    this.#notice = notice;
  }

  get health(): DataHealth {
    const state = { ok: this.#failure === undefined, bytes: this.#size };
    return this.#failure ? { ...state, problem: messageOf(this.#failure.error), since: this.#failure.since } : state;
  }

  /** @throws when the file is damaged or foreign, cannot be used, or another process holds it. The file then stays as it is */
  read(): Saved {
    this.#release = lock(this.#file);
    try {
      const saved = this.#load();
      this.#compact(saved);
      return saved;
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** The next write appends the value at this path. */
  touch(...path: readonly string[]): void {
    this.#touched.set(JSON.stringify(path), path);
  }

  /** Never throws. After a failure the whole state is written again, once that is possible. */
  write(saved: Saved): void {
    if (this.#failure || this.#fd === undefined || this.#touched.size === 0) return;
    try {
      const isRemoved = fstatSync(this.#fd).nlink === 0;
      if (isRemoved || this.#size > Math.max(COMPACT_BYTES_MIN, 3 * this.#stateSize)) this.#compact(saved);
      else this.#append(saved);
    } catch (error) {
      this.#notice(
        `cannot write ${this.#file}: ${messageOf(error)}; docdouble still answers, and keeps changes in memory until it can write them`,
      );
      this.#retryLater(saved, error, systemClock.now());
    }
  }

  /** Releases the file in any case. @throws when changes could not be written */
  close(saved: Saved): void {
    try {
      this.#failure?.cancel();
      if (this.#failure || !existsSync(this.#file)) this.#compact(saved);
    } catch (error) {
      throw new Error(`cannot write ${this.#file}: ${messageOf(error)}; the last changes are lost`);
    } finally {
      if (this.#fd !== undefined) closeSync(this.#fd);
      this.#fd = undefined;
      this.#release();
    }
  }

  #retryLater(saved: Saved, error: unknown, since: number): void {
    const cancel = systemClock.after(RETRY_MS, () => {
      try {
        this.#compact(saved);
        this.#failure = undefined;
        this.#notice(`${this.#file} is written again; nothing is missing`);
      } catch (next) {
        this.#retryLater(saved, next, since);
      }
    });
    this.#failure = { error, since, cancel };
  }

  #append(saved: Saved): void {
    const line = lineOf(saved, this.#touched.values());
    appendFileSync(this.#fd as number, line);
    this.#size += line.length;
    this.#touched.clear();
  }

  /** Writes the whole state to a new file, which then replaces the old one. */
  #compact(saved: Saved): void {
    const draft = `${this.#file}.new`;
    const fd = openSync(draft, "w", OWNER_ONLY);
    let size = 0;
    try {
      for (const block of blocksOf(saved)) {
        appendFileSync(fd, block);
        size += block.length;
      }
      fsyncSync(fd);
    } catch (error) {
      closeSync(fd);
      rmSync(draft, { force: true });
      throw error;
    }
    closeSync(fd);
    // Windows replaces no open file.
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    renameSync(draft, this.#file);
    this.#fd = openSync(this.#file, "a");
    this.#size = this.#stateSize = size;
    this.#touched.clear();
  }

  #load(): Saved {
    if (!existsSync(this.#file)) return new Map();
    const read = readLines(readRegularBytes(this.#file, Number.MAX_SAFE_INTEGER));
    if (read.damaged !== undefined)
      throw new Error(
        `line ${read.damaged} of ${this.#file} is damaged, or the file is no data file of docdouble; use a complete copy, or start with a fresh file`,
      );
    if (read.torn !== undefined)
      this.#notice(`${this.#file}: line ${read.torn} lacks its end, so the change of this line is dropped`);
    return read.saved;
  }
}
