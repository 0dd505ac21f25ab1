/**
 * Sets of slots, the small numbers of rows: a sorted list while small, a bit set when large. Bit sets intersect 32 rows at a
 * time, so a hundred thousand rows cost microseconds.
 */

/** A list stays a list while it takes less memory than the bits. */
const SLOTS_PER_ENTRY = 64;

const NO_BITS = new Uint32Array(0);

export class SlotSet {
  size = 0;
  #list: number[] | undefined = [];
  #bits: Uint32Array = NO_BITS;

  constructor(...slots: number[]) {
    for (const slot of slots) this.add(slot);
  }

  add(slot: number): void {
    if (!this.#list) {
      if (slot >>> 5 >= this.#bits.length) this.#bits = grown(this.#bits, slot);
      if (hasBit(this.#bits, slot)) return;
      setBit(this.#bits, slot);
      this.size++;
      return;
    }
    const at = this.#position(slot);
    if (this.#list[at] === slot) return;
    if (at === this.#list.length) this.#list.push(slot);
    else this.#list.splice(at, 0, slot);
    this.size++;
    const last = this.#list[this.#list.length - 1] as number;
    if (this.size <= SLOTS_PER_ENTRY || this.size * SLOTS_PER_ENTRY <= last) return;
    this.#bits = this.bits();
    this.#list = undefined;
  }

  delete(slot: number): void {
    if (!this.#list) {
      if (!hasBit(this.#bits, slot)) return;
      this.#bits[slot >>> 5] = (this.#bits[slot >>> 5] as number) & ~(1 << (slot & 31));
      this.size--;
      return;
    }
    const at = this.#position(slot);
    if (this.#list[at] !== slot) return;
    this.#list.splice(at, 1);
    this.size--;
  }

  bits(): Uint32Array {
    if (!this.#list) return this.#bits;
    const bits = new Uint32Array(((this.#list[this.#list.length - 1] ?? -1) >> 5) + 1);
    for (const slot of this.#list) setBit(bits, slot);
    return bits;
  }

  slots(): readonly number[] {
    return this.#list ?? slotsOf(this.#bits);
  }

  #position(slot: number): number {
    const list = this.#list as number[];
    let low = 0;
    let high = list.length;
    if (high === 0 || (list[high - 1] as number) < slot) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((list[middle] as number) < slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function hasBit(bits: Uint32Array, slot: number): boolean {
  return (((bits[slot >>> 5] as number) >>> (slot & 31)) & 1) === 1;
}

export function setBit(bits: Uint32Array, slot: number): void {
  bits[slot >>> 5] = (bits[slot >>> 5] as number) | (1 << (slot & 31));
}

/** Intersects `bits` with `others` or its complement. Missing words of `others` are zero. */
export function intersect(bits: Uint32Array, others: Uint32Array, isComplement = false): void {
  const flip = isComplement ? -1 : 0;
  const shared = Math.min(bits.length, others.length);
  for (let i = 0; i < shared; i++) bits[i] = (bits[i] as number) & ((others[i] as number) ^ flip);
  if (!isComplement) bits.fill(0, shared);
}

export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) {
    let word = bits[i] as number;
    if (word === 0) continue;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

export function slotsOf(bits: Uint32Array): number[] {
  const slots: number[] = [];
  for (let i = 0; i < bits.length; i++) {
    for (let word = bits[i] as number; word !== 0; word &= word - 1) slots.push(32 * i + 31 - Math.clz32(word & -word));
  }
  return slots;
}

function grown(bits: Uint32Array, slot: number): Uint32Array {
  const more = new Uint32Array(Math.max((slot >>> 5) + 1, 2 * bits.length));
  more.set(bits);
  return more;
}
