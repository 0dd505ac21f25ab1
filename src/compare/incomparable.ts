/** Ids of the real service that have no certain counterpart in the double. A call about one of them cannot be compared. */
import { type CallRequest, isObject } from "./exchange.ts";
import type { Ties } from "./id-map.ts";
import { idOf } from "./match-lists.ts";
import { idKind } from "./text-kind.ts";

export class Incomparable {
  readonly #ties: Ties;
  /** Things that the double refused to create. */
  readonly #orphans = new Set<string>();
  /** Things that look like others. */
  readonly uncertain = new Set<string>();
  /** Things that existed in the real account before the story, or that others made there. */
  readonly foreign = new Set<string>();

  constructor(ties: Ties) {
    this.#ties = ties;
  }

  /** Why the double cannot make a call; undefined when it can. */
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

  /** The double refused a call that made this thing at the real service. */
  addOrphan(body: unknown): void {
    if (!isObject(body)) return;
    for (const name of ["id", "uuid"]) {
      const id = body[name];
      if (typeof id === "string" && idKind(id) !== undefined && this.#ties.doubleOf(id) === undefined) this.#orphans.add(id);
    }
  }

  /**
   * Adds the ids that an answer shows: the thing's own id and the ids in its lists. Call it when the double did not make the call.
   * Ids of other things that the answer refers to stay comparable, because a template, for example, may exist on both sides.
   */
  addForeign(body: unknown): void {
    if (!isObject(body)) return;
    const shown = [body, ...Object.values(body).flatMap((one) => (Array.isArray(one) ? one : []))];
    for (const id of shown.flatMap((one) => idOf(one) ?? [])) if (this.#ties.doubleOf(id) === undefined) this.foreign.add(id);
  }
}

/** What may be an id in the path, the query or the body. */
export function wordsOf({ target, body }: CallRequest): string[] {
  return [target, body.toString("latin1")].flatMap((text) => text.match(/[\w-]{16,}/g) ?? []);
}
