/**
 * Finds candidates whose text may contain a part, by runs of one, two and three letters. Runs share buckets, so the caller must
 * check each candidate's text.
 */
import { SlotSet } from "./slot-set.ts";

const BUCKET_SHIFT = 16;

export class TextIndex {
  readonly #buckets = new Map<number, SlotSet>();

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

  /** Sets that each include every row whose text contains `part`, smallest first. */
  holding(part: string): SlotSet[] {
    const buckets = new Set(bucketsOf(part, Math.min(3, part.length)));
    const sets = Array.from(buckets, (bucket) => this.#buckets.get(bucket) ?? new SlotSet());
    return sets.sort((a, b) => a.size - b.size);
  }
}

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
