/** Which id of the real service stands for which id of the double. */

/** Ids as they occur inside paths and texts. Shorter words are too likely to be something else. */
const WORD = /[\w-]{16,}/g;

export class Ties {
  readonly #toDouble = new Map<string, string>();
  readonly #toReal = new Map<string, string>();
  /** Ties whose two ids differ: only these need a translation. */
  #unequal = 0;
  #undo: (() => void)[] | undefined;

  /**
   * Ties two ids. Returns false when one of them is already tied to another: the two worlds disagree about what is the same
   * thing. The new pair is then kept beside the old one, so that the same disagreement is reported once.
   */
  tie(real: string, double: string): boolean {
    const known = this.#toDouble.get(real);
    const back = this.#toReal.get(double);
    if (known === double || back === real) return true;
    if (known === undefined) this.#set(this.#toDouble, real, double);
    if (back === undefined) this.#set(this.#toReal, double, real);
    return known === undefined && back === undefined;
  }

  #set(map: Map<string, string>, from: string, to: string): void {
    map.set(from, to);
    const counts = map === this.#toDouble && from !== to ? 1 : 0;
    this.#unequal += counts;
    this.#undo?.push(() => {
      map.delete(from);
      this.#unequal -= counts;
    });
  }

  /** Ties of `attempt` stay only if it returns true. */
  attempt(attempt: () => boolean): void {
    const undo: (() => void)[] = [];
    this.#undo = undo;
    try {
      if (!attempt()) for (const back of undo.reverse()) back();
    } finally {
      this.#undo = undefined;
    }
  }

  doubleOf(real: string): string | undefined {
    return this.#toDouble.get(real);
  }

  realOf(double: string): string | undefined {
    return this.#toReal.get(double);
  }

  translate(text: string): string {
    if (this.#unequal === 0 || text.length < 1) return text;
    return text.replace(WORD, (word) => this.#toDouble.get(word) ?? word);
  }

  /** Translates one value that is an id as a whole, of any length. */
  translateWhole(text: string): string {
    return this.#toDouble.get(text) ?? this.translate(text);
  }
}
