import { type CallRequest, isObject } from "./exchange.ts";
import type { Ties } from "./id-map.ts";
import { idOf } from "./match-lists.ts";
import { idKind } from "./text-kind.ts";

export class Incomparable {
  readonly #ties: Ties;
  readonly #orphans = new Set<string>();
  readonly uncertain = new Set<string>();
  /** These things existed in the real account before the story, or another client made them. */
  readonly foreign = new Set<string>();

  constructor(ties: Ties) {
    this.#ties = ties;
  }

  /** Undefined when the double can make the call. */
  reasonFor(request: CallRequest): string | undefined {
    if (this.#orphans.size + this.uncertain.size + this.foreign.size === 0) return undefined;
    const words = wordsOf(request);
    if (words.some((id) => this.#orphans.has(id))) return "the double refused to create the thing it names";
    if (words.some((id) => this.uncertain.has(id))) return "several things look like the one it names";
    if (words.some((id) => this.isForeign(id))) return "only the real account has the thing it names";
    return undefined;
  }

  isOrphan(id: string): boolean {
    return this.#orphans.has(id);
  }

  isForeign(id: string): boolean {
    return this.foreign.has(id) && this.#ties.doubleOf(id) === undefined;
  }

  addOrphan(body: unknown): void {
    if (!isObject(body)) return;
    for (const name of ["id", "uuid"]) {
      const id = body[name];
      if (typeof id === "string" && idKind(id) !== undefined && this.#ties.doubleOf(id) === undefined) this.#orphans.add(id);
    }
  }

  /**
   * Adds a thing's own id and the ids in its lists, for a call that the double did not make. Ids of other things stay comparable,
   * because a template may exist on both sides.
   */
  addForeign(body: unknown): void {
    if (!isObject(body)) return;
    const shown = [body, ...Object.values(body).flatMap((one) => (Array.isArray(one) ? one : []))];
    for (const id of shown.flatMap((one) => idOf(one) ?? [])) if (this.#ties.doubleOf(id) === undefined) this.foreign.add(id);
  }
}

export function wordsOf({ target, body }: CallRequest): string[] {
  return [target, body.toString("latin1")].flatMap((text) => text.match(/[\w-]{16,}/g) ?? []);
}
