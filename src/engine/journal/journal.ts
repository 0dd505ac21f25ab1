/**
 * A ring of finished calls. Each entry has its operation id, the rules that acted and the reason of a refusal. Views hide credentials,
 * but matchers see them. The number of dropped entries survives, because no count proves an upper bound then.
 */

import { systemClock } from "../core/clock.ts";
import type { JournalEntry } from "./entry.ts";
import { sizeOf } from "./entry-size.ts";

export type { BodyPart, Remark, CallerInfo, Difference, JournalEntry } from "./entry.ts";
export { sizeOf } from "./entry-size.ts";

export interface JournalSnapshot {
  /** Oldest first. */
  entries: JournalEntry[];
  /** The number of dropped entries. */
  dropped?: number;
}

/** Beyond either limit, the journal drops its oldest entries. An option raises both. */
export const ENTRIES_MAX = 10_000;
export const ENTRY_BYTES_MAX = 48 * 1024 * 1024;
/** The limit for all journals of a process together. Beyond it, the largest journal drops its oldest entries. */
const JOURNALS_BYTES_MAX = 256 * 1024 * 1024;

export class JournalSpace {
  readonly #journals = new Map<Journal, number>();
  readonly #bytesMax: number;
  readonly entriesMax: number;
  #bytes = 0;

  /**
   * @param bytesMax the highest number of bytes of all journals. By default, one full journal fits
   * @param entriesMax the highest number of entries of one journal
   */
  constructor(bytesMax?: number, entriesMax = ENTRIES_MAX) {
    this.#bytesMax = bytesMax ?? Math.max(JOURNALS_BYTES_MAX, bytesFor(entriesMax));
    this.entriesMax = entriesMax;
  }

  /** The bytes of all measured entries. */
  get bytes(): number {
    return this.#bytes;
  }

  join(journal: Journal): void {
    this.#journals.set(journal, 0);
  }

  count(journal: Journal, bytes: number): void {
    const counted = this.#journals.get(journal);
    if (counted === undefined) return;
    this.#journals.set(journal, counted + bytes);
    this.#bytes += bytes;
    while (this.#bytes > this.#bytesMax) if (!this.#largest().dropTenth()) return;
  }

  #largest(): Journal {
    let largest: readonly [Journal, number] | undefined;
    for (const one of this.#journals) if (largest === undefined || one[1] > largest[1]) largest = one;
    return (largest as readonly [Journal, number])[0];
  }

  leave(journal: Journal): void {
    this.#bytes -= this.#journals.get(journal) ?? 0;
    this.#journals.delete(journal);
  }
}

/** A higher number of entries also raises the limit of their bytes. */
function bytesFor(entriesMax: number): number {
  return Math.max(ENTRY_BYTES_MAX, Math.ceil((ENTRY_BYTES_MAX / ENTRIES_MAX) * entriesMax));
}

export class Journal {
  /** Calls in the order in which rules count them. A rule can delay an answer, so entries come later and in another order. */
  arrivals: JournalEntry[] | undefined;
  #entries: JournalEntry[] = [];
  #sizes: number[] = [];
  #head = 0;
  #bytes = 0;
  #walls: number[] = [];
  #total = 0;
  #loads = 0;
  #current: string | undefined;
  readonly #watchers = new Set<(entry: JournalEntry) => void>();
  readonly #space: JournalSpace | undefined;
  readonly #onError: (error: unknown) => void;
  /** The highest number of entries. */
  readonly entriesMax: number;
  #dropped = 0;

  constructor(options: { space?: JournalSpace; onError?: (error: unknown) => void } = {}) {
    this.#space = options.space;
    this.#space?.join(this);
    this.#onError = options.onError ?? (() => {});
    this.entriesMax = options.space?.entriesMax ?? ENTRIES_MAX;
  }

  add(entry: JournalEntry): void {
    this.#total++;
    this.#entries.push(entry);
    this.#walls.push(systemClock.now());
    const bytes = sizeOf(entry);
    this.#sizes.push(bytes);
    this.#count(bytes);
    this.#trim();
    for (const watch of this.#watchers) {
      try {
        watch(entry);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#space?.count(this, bytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.length - this.#head;
  }

  /** The number of the latest entry. Dropped entries keep counting. */
  get total(): number {
    return this.#total;
  }

  get current(): string | undefined {
    return this.#current;
  }

  during<Result>(id: string, run: () => Result): Result {
    this.#current = id;
    try {
      return run();
    } finally {
      this.#current = undefined;
    }
  }

  /** Counts restores and resets, which invalidate earlier readings. */
  get loads(): number {
    return this.#loads;
  }

  since(number: number): JournalEntry[] {
    return this.#entries.slice(this.#indexAfter(number));
  }

  wallTimesSince(number: number): number[] {
    return this.#walls.slice(this.#indexAfter(number));
  }

  #indexAfter(number: number): number {
    return Math.max(this.#head, this.#entries.length - (this.#total - number));
  }

  /** Searches from the latest entry. An index would slow each call, and only people ask for single entries. */
  get(id: string): JournalEntry | undefined {
    return this.#entries.findLast((entry) => entry?.id === id);
  }

  all(): JournalEntry[] {
    return this.#entries.slice(this.#head);
  }

  latest(count: number): JournalEntry[] {
    return this.#entries.slice(Math.max(this.#head, this.#entries.length - count)).reverse();
  }

  /** Keeps the number of dropped entries. */
  remove(match: (entry: JournalEntry) => boolean): JournalEntry[] {
    const removed: JournalEntry[] = [];
    const remaining: JournalEntry[] = [];
    const walls: number[] = [];
    for (let i = this.#head; i < this.#entries.length; i++) {
      const entry = this.#entries[i] as JournalEntry;
      if (match(entry)) removed.push(entry);
      else {
        remaining.push(entry);
        walls.push(this.#walls[i] as number);
      }
    }
    this.load({ entries: remaining, dropped: this.#dropped });
    this.#walls = walls;
    return removed;
  }

  clear(): void {
    this.load({ entries: [] });
  }

  watch(watch: (entry: JournalEntry) => void): () => void {
    this.#watchers.add(watch);
    return () => this.#watchers.delete(watch);
  }

  snapshot(): JournalSnapshot {
    return { entries: this.all(), dropped: this.#dropped };
  }

  /** @param total the number of the last entry, if entries already have numbers */
  load(snapshot: JournalSnapshot, total = this.#total + snapshot.entries.length): void {
    this.#loads++;
    this.#dropped = snapshot.dropped ?? 0;
    this.#total = total;
    this.#entries = [...snapshot.entries];
    this.#walls = this.#entries.map(() => Number.NaN);
    this.#head = 0;
    this.#sizes = this.#entries.map(sizeOf);
    this.#count(this.#sizes.reduce((sum, one) => sum + one, 0) - this.#bytes);
    this.#trim();
  }

  close(): void {
    this.#space?.leave(this);
  }

  #trim(): void {
    while (this.#isFull()) this.#dropOldest();
  }

  #isFull(): boolean {
    return this.size > this.entriesMax || (this.#bytes > bytesFor(this.entriesMax) && this.size > 1);
  }

  /** Never drops the last entry. Returns false when it drops nothing. */
  dropTenth(): boolean {
    const count = this.size > 1 ? Math.ceil(this.size / 10) : 0;
    for (let i = 0; i < count; i++) this.#dropOldest();
    return count > 0;
  }

  /** The number of entries that a limit dropped since the journal was last empty. */
  get dropped(): number {
    return this.#dropped;
  }

  #dropOldest(): void {
    this.#dropped++;
    (this.#entries as (JournalEntry | undefined)[])[this.#head] = undefined;
    this.#head++;
    this.#count(-(this.#sizes[this.#head - 1] as number));
    if (this.#head > 1000 && this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#sizes = this.#sizes.slice(this.#head);
      this.#walls = this.#walls.slice(this.#head);
      this.#head = 0;
    }
  }
}
