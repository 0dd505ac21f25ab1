/** Ids inside paths and texts. Shorter words are too likely to be plain words. */
const WORD = /[\w-]{16,}/g;

export class Ties {
  readonly #toDouble = new Map<string, string>();
  readonly #toReal = new Map<string, string>();
  #unequal = 0;
  #undo: (() => void)[] | undefined;

  /**
   * Returns false when an id already has another tie. The new pair then stays beside the old pair, so that the same disagreement is
   * reported once.
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

  /** Keeps the new ties only if `attempt` returns true. */
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

  /** Translates a value that is one id, of any length. */
  translateWhole(text: string): string {
    return this.#toDouble.get(text) ?? this.translate(text);
  }
}
