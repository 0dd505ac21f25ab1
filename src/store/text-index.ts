/**
 * Finds the rows whose text may hold a part of it: each one, two and three letters in a row lead to the rows that may have
 * them. What it names is a little more than what holds the part; looking at the row tells them apart.
 */
import { SlotSet } from "./slot-set.ts";

/** There are 2^16 buckets, so letters in a row may share theirs with others. */
const BUCKET_SHIFT = 16;

export class TextIndex {
  readonly #buckets = new Map<number, SlotSet>();

  /** Tells that the text of `slot` has become `after`. */
  replace(slot: number, before: string | undefined, after: string | undefined): void {
    if (before === after) return;
    if (before !== undefined) for (const bucket of bucketsOf(before)) this.#buckets.get(bucket)?.delete(slot);
    if (after === undefined) return;
    for (const bucket of bucketsOf(after)) {
      const slots = this.#buckets.get(bucket);
      if (slots) slots.add(slot);
      else this.#buckets.set(bucket, new SlotSet(slot));
    }
  }

  /** Sets of slots in each of which every text must be that holds `part`, the smallest first. */
  holding(part: string): SlotSet[] {
    const buckets = new Set(bucketsOf(part, Math.min(3, part.length)));
    const sets = Array.from(buckets, (bucket) => this.#buckets.get(bucket) ?? new SlotSet());
    return sets.sort((a, b) => a.size - b.size);
  }
}

/** The buckets of all parts of the text that are no longer than three letters, and no shorter than `least`. */
function bucketsOf(text: string, least = 1): number[] {
  const buckets: number[] = [];
  for (let i = 0; i < text.length; i++) {
    let hash = 0;
    for (let length = 1; length <= 3 && i + length <= text.length; length++) {
      hash = Math.imul(hash + text.charCodeAt(i + length - 1) + 1, 0x9e3779b1);
      if (length >= least) buckets.push(hash >>> BUCKET_SHIFT);
    }
  }
  return buckets;
}
