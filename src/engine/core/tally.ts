/** Counts of things that a limit deleted. They prove upper bounds when the things themselves are gone. */
import type { CountRange } from "./count-limits.ts";

/** Whether things with given traits meet a question. `perhaps`: the answer needs more than the traits. */
export type Fit = "yes" | "no" | "perhaps";

export type Counted<Traits> = Traits & { readonly count: number };

export class Tally<Traits extends object> {
  readonly #counts = new Map<string, { traits: Traits; count: number }>();
  readonly #keyOf: (traits: Traits) => string;
  #total = 0;
  #revision = 0;

  /** @param keyOf equal traits have equal keys, and other traits have others */
  constructor(keyOf: (traits: Traits) => string) {
    this.#keyOf = keyOf;
  }

  /** The number of all things. */
  get total(): number {
    return this.#total;
  }

  /** Grows with each change. */
  get revision(): number {
    return this.#revision;
  }

  add(traits: Traits, count = 1): void {
    const key = this.#keyOf(traits);
    const known = this.#counts.get(key);
    if (known) known.count += count;
    else this.#counts.set(key, { traits, count });
    this.#total += count;
    this.#revision++;
  }

  all(): Counted<Traits>[] {
    return [...this.#counts.values()].map(({ traits, count }) => ({ ...traits, count }));
  }

  load(all: readonly Counted<Traits>[]): void {
    this.#counts.clear();
    this.#total = 0;
    this.#revision++;
    for (const { count, ...traits } of all) this.add(traits as unknown as Traits, count);
  }

  /** Forgets the things that surely fit. */
  remove(fitOf: (traits: Traits) => Fit): void {
    this.load(this.all().filter((one) => fitOf(one) !== "yes"));
  }

  /** The least and the greatest number of things that fit. */
  range(fitOf: (traits: Traits) => Fit): CountRange {
    const range = { min: 0, max: 0 };
    for (const { traits, count } of this.#counts.values()) {
      const answer = fitOf(traits);
      if (answer === "yes") range.min += count;
      if (answer !== "no") range.max += count;
    }
    return range;
  }
}
