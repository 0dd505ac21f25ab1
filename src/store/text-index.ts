/**
 * Finds the rows whose text holds a part of it: each three letters in a row lead to the rows that may have them. Built by
 * the first search and added to from then on; what has become wrong is sorted out by looking at the row itself.
 */

/** Three letters share a bucket with others; looking at the row tells them apart. */
const BUCKETS = 1 << 16;
/** So few candidates are looked at one by one. */
const FEW = 4000;
/** What may be in more than this share of all texts is so common that there is no use in naming them all. */
const COMMON_SHARE = 1 / 8;

export class TextIndex {
  readonly #entries: { id: string; text: string }[] = [];
  /** The entry that holds for an id; older ones of it are void. */
  readonly #latest = new Map<string, number>();
  readonly #buckets = new Map<number, number[]>();

  set(id: string, text: string): void {
    const entry = this.#entries.push({ id, text }) - 1;
    this.#latest.set(id, entry);
    for (const bucket of bucketsOf(text)) {
      const entries = this.#buckets.get(bucket);
      if (!entries) this.#buckets.set(bucket, [entry]);
      else if (entries[entries.length - 1] !== entry) entries.push(entry);
    }
  }

  delete(id: string): void {
    this.#latest.delete(id);
  }

  /** Ids of the texts that hold `part`, or undefined when it is too short or too common to name them. */
  containing(part: string): string[] | undefined {
    const lists = [...new Set(bucketsOf(part))].map((bucket) => this.#buckets.get(bucket) ?? []);
    lists.sort((a, b) => a.length - b.length);
    const common = Math.max(FEW, this.#latest.size * COMMON_SHARE);
    let found = lists[0];
    if (!found || found.length > common) return undefined;
    for (const list of lists.slice(1)) {
      if (found.length <= FEW || list.length > common) break;
      found = inBoth(found, list);
    }
    const ids: string[] = [];
    for (const entry of found) {
      const { id, text } = this.#entries[entry] as { id: string; text: string };
      if (text.includes(part) && this.#latest.get(id) === entry) ids.push(id);
    }
    return ids;
  }
}

/** Of two ascending lists what stands in both. */
function inBoth(a: readonly number[], b: readonly number[]): number[] {
  const both: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = (a[i] as number) - (b[j] as number);
    if (difference === 0) both.push(a[i] as number);
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return both;
}

function bucketsOf(text: string): number[] {
  const buckets: number[] = [];
  for (let i = 0; i + 2 < text.length; i++) {
    const hash = (text.charCodeAt(i) * 1553 + text.charCodeAt(i + 1)) * 937 + text.charCodeAt(i + 2);
    buckets.push(hash % BUCKETS);
  }
  return buckets;
}
