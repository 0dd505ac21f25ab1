/**
 * A ring of finished calls. Each entry has its operation id, the rules that acted and the reason of a refusal. Views hide credentials,
 * but matchers see them. The number of dropped entries survives, because no count proves an upper bound then.
 */

import { systemClock } from "../core/clock.ts";
import type { JournalEntry } from "./entry.ts";

export type { BodyPart, Remark, CallerInfo, Difference, JournalEntry } from "./entry.ts";

export interface JournalSnapshot {
  /** Oldest first. */
  entries: JournalEntry[];
  /** The number of dropped entries. */
  dropped?: number;
}

/** Beyond either limit, the journal drops its oldest entries. An option raises both. */
export const ENTRIES_MAX = 10_000;
/** In characters. */
export const LENGTH_MAX = 48 * 1024 * 1024;
/** An entry without its bodies. */
const ENTRY_LENGTH = 2000;

/** About how much memory the entry takes, in characters. */
export function lengthOf({ url, body, responseBody }: JournalEntry): number {
  return ENTRY_LENGTH + url.length + body.length + responseBody.length;
}

interface Kept {
  entry: JournalEntry;
  /** Real milliseconds. NaN for a restored entry. */
  wall: number;
}

export class Journal {
  /** Calls in the order in which rules count them. A rule can delay an answer, so entries come later and in another order. */
  arrivals: JournalEntry[] | undefined;
  #kept: Kept[] = [];
  /** The entries before it are dropped. */
  #head = 0;
  #length = 0;
  #total = 0;
  #loads = 0;
  #dropped = 0;
  #current: string | undefined;
  readonly #watchers = new Set<(entry: JournalEntry) => void>();
  readonly #onError: (error: unknown) => void;
  readonly #entriesMax: number;
  readonly #lengthMax: number;

  constructor(options: { entriesMax?: number | undefined; onError?: (error: unknown) => void } = {}) {
    this.#onError = options.onError ?? (() => {});
    this.#entriesMax = options.entriesMax ?? ENTRIES_MAX;
    this.#lengthMax = LENGTH_MAX * Math.max(1, this.#entriesMax / ENTRIES_MAX);
  }

  add(entry: JournalEntry): void {
    this.#total++;
    this.#kept.push({ entry, wall: systemClock.now() });
    this.#length += lengthOf(entry);
    this.#trim();
    for (const watch of this.#watchers) {
      try {
        watch(entry);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  /** About how much memory all entries take, in characters. */
  get length(): number {
    return this.#length;
  }

  get size(): number {
    return this.#kept.length - this.#head;
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
    return this.#keptSince(number).map(({ entry }) => entry);
  }

  wallTimesSince(number: number): number[] {
    return this.#keptSince(number).map(({ wall }) => wall);
  }

  #keptSince(number: number): Kept[] {
    return this.#kept.slice(Math.max(this.#head, this.#kept.length - (this.#total - number)));
  }

  /** Searches from the latest entry. An index would slow each call, and only people ask for single entries. */
  get(id: string): JournalEntry | undefined {
    return this.all().findLast((entry) => entry.id === id);
  }

  all(): JournalEntry[] {
    return this.since(0);
  }

  latest(count: number): JournalEntry[] {
    const from = Math.max(this.#head, this.#kept.length - count);
    return this.#kept
      .slice(from)
      .map(({ entry }) => entry)
      .reverse();
  }

  /** Keeps the number of dropped entries. */
  remove(match: (entry: JournalEntry) => boolean): JournalEntry[] {
    const removed: JournalEntry[] = [];
    const remaining = this.#kept.slice(this.#head).filter(({ entry }) => {
      const isRemoved = match(entry);
      if (isRemoved) removed.push(entry);
      return !isRemoved;
    });
    this.#total += remaining.length;
    this.#put(remaining);
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
  load({ entries, dropped = 0 }: JournalSnapshot, total = this.#total + entries.length): void {
    this.#dropped = dropped;
    this.#total = total;
    this.#put(entries.map((entry) => ({ entry, wall: Number.NaN })));
  }

  #put(kept: Kept[]): void {
    this.#loads++;
    this.#kept = kept;
    this.#head = 0;
    this.#length = kept.reduce((sum, { entry }) => sum + lengthOf(entry), 0);
    this.#trim();
  }

  /** Never drops the last entry. */
  #trim(): void {
    while (this.size > this.#entriesMax || (this.#length > this.#lengthMax && this.size > 1)) {
      this.#dropped++;
      this.#length -= lengthOf((this.#kept[this.#head++] as Kept).entry);
    }
    // A tenth at once, because each removal moves all later entries.
    if (this.#head * 10 < this.#kept.length) return;
    this.#kept.splice(0, this.#head);
    this.#head = 0;
  }

  /** The number of entries that a limit dropped since the journal was last empty. */
  get dropped(): number {
    return this.#dropped;
  }
}
