/** Pairs list entries by tied ids, then by likeness, in any order. */
import { isObject } from "./exchange.ts";
import { dateForm, idKind, isIdName } from "./text-kind.ts";
import type { Ties } from "./id-map.ts";

export interface Matched {
  pairs: [real: number, double: number][];
  /** Several entries look alike, so these pairs may be wrong. */
  uncertain: Matched["pairs"];
  realOnly: number[];
  doubleOnly: number[];
  /** Only the real account knows these entries. */
  foreign: number[];
  skipped: boolean;
}

interface Matching {
  ties: Ties;
  /** The entries existed before the story, so an entry on one side alone is not a difference. */
  ofAccount: boolean;
  loose?: ReadonlySet<string>;
}

/** Below this likeness, entries of two accounts are different things. */
const ACCOUNT_LIKENESS_MIN = 0.6;
const ID_NAMES = ["id", "uuid", "user_id"];
/** Members that name a thing to users. */
const NAMES = ["email", "name", "title", "sku", "field_id", "url", "method"];

export function matchLists(real: readonly unknown[], double: readonly unknown[], matching: Matching): Matched {
  const pairs: Matched["pairs"] = [];
  const freeReal = new Set(real.keys());
  const freeDouble = new Set(double.keys());
  const pair = (i: number, j: number) => {
    pairs.push([i, j]);
    freeReal.delete(i);
    freeDouble.delete(j);
  };
  byTiedId(real, double, matching.ties, pair);
  const tied = pairs.length;
  const inside = new Insides(matching.ties);
  // Lists in the same order need no search.
  for (const i of [...freeReal])
    if (freeDouble.has(i) && likeness(real[i], double[i], matching) === 1 && inside.holdsNoIds(real[i])) pair(i, i);
  const candidates: { i: number; j: number; score: number }[] = [];
  for (const i of freeReal)
    for (const j of freeDouble) {
      const score = likeness(real[i], double[j], matching);
      if (score > 0 || !matching.ofAccount) candidates.push({ i, j, score });
    }
  const shared = ({ i, j }: { i: number; j: number }) => inside.shared(real[i], double[j]);
  candidates.sort((a, b) => b.score - a.score || shared(b) - shared(a) || Math.abs(a.i - a.j) - Math.abs(b.i - b.j) || a.i - b.i);
  for (const { i, j, score } of candidates) {
    if (!freeReal.has(i) || !freeDouble.has(j)) continue;
    if (score < 0 || (matching.ofAccount && score < ACCOUNT_LIKENESS_MIN)) continue;
    pair(i, j);
  }
  const [twins, otherTwins] = matching.ofAccount ? [twinsOf(real, matching), twinsOf(double, matching)] : [];
  const isUncertain = ([i, j]: [number, number]) => (twins?.has(i) || otherTwins?.has(j)) && idOf(real[i]) !== undefined;
  const byLikeness = pairs.splice(tied);
  const uncertain = byLikeness.filter((one) => isUncertain(one));
  pairs.push(...byLikeness.filter((one) => !isUncertain(one)));
  pairs.sort((a, b) => a[0] - b[0]);
  const isKnown = (value: unknown, tied: (id: string) => string | undefined) => {
    const id = idOf(value);
    return !matching.ofAccount || id === undefined || tied(id) !== undefined;
  };
  const realOnly = [...freeReal].filter((i) => isKnown(real[i], (id) => matching.ties.doubleOf(id)));
  const doubleOnly = [...freeDouble].filter((j) => isKnown(double[j], (id) => matching.ties.realOf(id)));
  const foreign = [...freeReal].filter((i) => !realOnly.includes(i));
  return {
    ...{ pairs, uncertain, realOnly, doubleOnly, foreign },
    skipped: foreign.length > 0 || doubleOnly.length < freeDouble.size,
  };
}

function byTiedId(real: readonly unknown[], double: readonly unknown[], ties: Ties, pair: (i: number, j: number) => void): void {
  const places = new Map<string, number>();
  for (const [j, value] of double.entries()) {
    const id = idOf(value);
    if (id !== undefined && !places.has(id)) places.set(id, j);
  }
  const taken = new Set<number>();
  for (const [i, value] of real.entries()) {
    const id = idOf(value);
    const j = id === undefined ? undefined : places.get(ties.doubleOf(id) ?? "");
    if (j === undefined || taken.has(j)) continue;
    taken.add(j);
    pair(i, j);
  }
}

function twinsOf(real: readonly unknown[], { loose }: Matching): Set<number> {
  const looks = real.map((value) =>
    JSON.stringify(value, (name, one) => {
      if (loose?.has(name)) return undefined;
      return typeof one === "string" && (isIdName(name) || dateForm(one) !== undefined || idKind(one) !== undefined) ? "" : one;
    }),
  );
  return new Set([...looks.keys()].filter((i) => looks.indexOf(looks[i] as string) !== looks.lastIndexOf(looks[i] as string)));
}

export function idOf(value: unknown): string | undefined {
  if (typeof value === "string") return idKind(value) === undefined ? undefined : value;
  if (!isObject(value)) return undefined;
  for (const name of ID_NAMES) {
    const id = value[name];
    if (typeof id === "string" || typeof id === "number") return String(id);
  }
  return undefined;
}

function formOf(value: Record<string, unknown>): string | undefined {
  const id = ID_NAMES.map((name) => value[name]).find((one) => typeof one === "string" || typeof one === "number");
  return typeof id === "string" ? idKind(id) : typeof id;
}

/** The share of members that agree, from 0 to 1. Negative for two things that cannot be the same. */
function likeness(real: unknown, double: unknown, { ties, ofAccount, loose }: Matching): number {
  if (!isObject(real) || !isObject(double)) return scalarLikeness(real, double, ties);
  const [id, otherId] = [idOf(real), idOf(double)];
  // An id already has another tie. Ids of different forms say nothing, because one thing may have several.
  if (id !== undefined && otherId !== undefined && formOf(real) === formOf(double)) {
    if ((ties.doubleOf(id) ?? otherId) !== otherId) return -1;
    if ((ties.realOf(otherId) ?? id) !== id) return -1;
  }
  let same = 0;
  let all = 0;
  for (const [name, value] of Object.entries(real)) {
    const other = double[name];
    // A member that one side lacks says nothing about the identity of the thing.
    if (other === undefined) continue;
    if ((typeof value === "object" && value !== null) || loose?.has(name)) continue;
    if (typeof value === "string" && (isIdName(name) || dateForm(value) !== undefined)) {
      if (ties.doubleOf(value) === undefined) continue;
      all++;
      if (ties.doubleOf(value) === other) same++;
      continue;
    }
    all++;
    if (value === other || (typeof value === "string" && typeof other === "string" && ties.translate(value) === other)) same++;
    else if (ofAccount && NAMES.includes(name)) return 0;
  }
  return all === 0 ? 0 : same / all;
}

class Insides {
  readonly #ties: Ties;
  readonly #known = new Map<unknown, ReadonlySet<string>>();

  constructor(ties: Ties) {
    this.#ties = ties;
  }

  holdsNoIds(entry: unknown): boolean {
    return this.#idsIn(entry).size === 0;
  }

  /** Counts ids inside the real entry that are tied to ids inside the double's entry. */
  shared(real: unknown, double: unknown): number {
    const others = this.#idsIn(double);
    return [...this.#idsIn(real)].filter((id) => others.has(this.#ties.doubleOf(id) ?? id)).length;
  }

  #idsIn(entry: unknown): ReadonlySet<string> {
    const known = this.#known.get(entry);
    if (known) return known;
    const ids = new Set<string>();
    const collect = (value: unknown): void => {
      if (typeof value === "string" && idKind(value) !== undefined) ids.add(value);
      else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
    };
    // The entry's own members are compared by `likeness`.
    if (isObject(entry)) for (const value of Object.values(entry)) if (typeof value === "object") collect(value);
    this.#known.set(entry, ids);
    return ids;
  }
}

function scalarLikeness(real: unknown, double: unknown, ties: Ties): number {
  if (real === double) return 1;
  if (typeof real !== "string" || typeof double !== "string") return 0;
  const [known, back] = [ties.doubleOf(real), ties.realOf(double)];
  if (known === double) return 1;
  if (known !== undefined || back !== undefined) return -1;
  return idKind(real) !== undefined && idKind(real) === idKind(double) ? 0.5 : 0;
}
