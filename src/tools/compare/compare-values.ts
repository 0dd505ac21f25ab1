/**
 * Ties ids and links of two JSON values, compares dates by form, and compares names of the account's people and templates by type.
 */
import { own } from "../../engine/core/maps.ts";
import { escapePointer } from "../../engine/core/text.ts";
import type { Difference } from "./difference.ts";
import { isInProgress, isObject, parseJson } from "./exchange.ts";
import { idOf, matchLists } from "./match-lists.ts";
import { dateForm, idKind, isAccountName, isIdName, isUrl } from "./text-kind.ts";
import type { Ties } from "./id-map.ts";

export interface Comparing {
  readonly ties: Ties;
  readonly sent: ReadonlySet<string>;
  readonly origins: { readonly real: string; readonly double: string };
  /** The body lists things of the account that the other side does not have. */
  readonly isAccountList: boolean;
  /** The two values are different things: compare types only, and tie no ids. */
  readonly shapeOnly?: boolean;
  readonly loose?: ReadonlySet<string>;
  /** The real values come from a cleaned cassette, so a replacement says nothing about the text or number that it replaced. */
  readonly isCleaned?: boolean;
  /** Output: entries of an account list had no counterpart. */
  skipped?: boolean;
  /** Output: real ids whose counterpart is not certain. */
  readonly uncertain?: Set<string>;
  /** Output: ids of things that only the real account has. */
  readonly foreign?: Set<string>;
  /** Entries that fill a page of the account list; 0 for later pages. */
  readonly pageSize?: number;
  /** Things changed outside the API at unknown instants, so lists may have another order. */
  readonly isOutOfOrder?: boolean;
  /** Output: an entry is ready in the double while the real service still works on it. */
  isBehind?: boolean;
  /** Output: full pages hold different entries, so the two lists may be cut at different places. */
  isCutElsewhere?: boolean;
}

export function compareValues(real: unknown, double: unknown, comparing: Comparing): Difference[] {
  const found: Difference[] = [];
  walk(real, double, "", "", comparing, found);
  return found;
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
}

function walk(real: unknown, double: unknown, pointer: string, name: string, comparing: Comparing, found: Difference[]): void {
  const add = (kind: Difference["kind"]) => found.push({ kind, pointer, real, double });
  if (double === undefined) {
    if (real !== undefined) add("missing");
  } else if (real === undefined) add("added");
  else if (comparing.loose?.has(name)) return;
  // Different things are in different states, so one of them may lack a value.
  else if (comparing.shapeOnly && (real === null || double === null)) return;
  else if (typeOf(real) !== typeOf(double)) {
    const areIds = isIdName(name) && isScalar(real) && isScalar(double);
    if (areIds && !comparing.shapeOnly) comparing.ties.tie(String(real), String(double));
    add("type");
  } else if (Array.isArray(real)) walkLists(real, double as unknown[], pointer, comparing, found);
  else if (isObject(real)) walkObjects(real, double as Record<string, unknown>, pointer, comparing, found);
  else if (!comparing.shapeOnly) walkScalars(real, double, pointer, name, comparing, found);
}

function walkScalars(
  real: unknown,
  double: unknown,
  pointer: string,
  name: string,
  comparing: Comparing,
  found: Difference[],
): void {
  if (typeof real === "string") {
    const nested = nestedJson(real, double as string);
    if (nested) walk(nested[0], nested[1], pointer, name, comparing, found);
    else if (!areAlike(real, double as string, name, comparing)) found.push({ kind: "value", pointer, real, double });
  } else if (real !== double) {
    if (comparing.isCleaned && isReplacement(String(real))) return;
    if (typeof real === "number" && isIdName(name) && comparing.ties.tie(String(real), String(double))) return;
    if (comparing.skipped && TOTALS.has(name)) return;
    found.push({ kind: "value", pointer, real, double });
  }
}

const TOTALS = new Set(["total", "count", "total_count", "has_more"]);

function isScalar(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function walkObjects(
  real: Record<string, unknown>,
  double: Record<string, unknown>,
  pointer: string,
  comparing: Comparing,
  found: Difference[],
): void {
  // Lists first, because a partly matched list decides how totals compare.
  const names = [...new Set([...Object.keys(real), ...Object.keys(double)])];
  const weight = (name: string) => (Array.isArray(real[name]) ? 0 : 1);
  for (const name of names.sort((a, b) => weight(a) - weight(b)))
    walk(own(real, name), own(double, name), `${pointer}/${escapePointer(name)}`, name, comparing, found);
}

function walkLists(real: unknown[], double: unknown[], pointer: string, comparing: Comparing, found: Difference[]): void {
  const ofAccount = comparing.isAccountList && pointer.split("/").length <= 2;
  if (comparing.shapeOnly) {
    if (real.length > 0 && double.length > 0) walk(real[0], double[0], `${pointer}/0`, "", comparing, found);
    return;
  }
  const { pairs, uncertain, realOnly, doubleOnly, foreign, skipped } = matchLists(real, double, {
    ties: comparing.ties,
    ofAccount,
    loose: comparing.loose,
  });
  if (skipped) comparing.skipped = true;
  for (const i of foreign) comparing.foreign?.add(idOf(real[i]) as string);
  for (const [i, j] of pairs) {
    const isBehind = ofAccount && isInProgress(real[i]) && !isInProgress(double[j]);
    if (isBehind) comparing.isBehind = true;
    walk(real[i], double[j], `${pointer}/${i}`, "", isBehind ? { ...comparing, shapeOnly: true } : comparing, found);
  }
  for (const [i, j] of uncertain) {
    walk(real[i], double[j], `${pointer}/${i}`, "", { ...comparing, shapeOnly: true }, found);
    comparing.uncertain?.add(idOf(real[i]) as string);
  }
  const isFull = ofAccount && Math.max(real.length, double.length) >= (comparing.pageSize ?? Number.POSITIVE_INFINITY);
  const isOutOfStep = comparing.isOutOfOrder || comparing.skipped || (comparing.foreign?.size ?? 0) > 0;
  const mayBeCutElsewhere = isFull && (isOutOfStep || [...real, ...double].some(isInProgress));
  if (mayBeCutElsewhere) comparing.isCutElsewhere ||= realOnly.length + doubleOnly.length > 0;
  else {
    for (const i of realOnly) found.push({ kind: "missing", pointer: `${pointer}/${i}`, real: real[i], double: undefined });
    for (const j of doubleOnly) found.push({ kind: "added", pointer: `${pointer}/${j}`, real: undefined, double: double[j] });
  }
  // Without any pair, compare at least the form of the entries.
  if (ofAccount && pairs.length + uncertain.length === 0 && real.length > 0 && double.length > 0)
    walk(real[0], double[0], `${pointer}/0`, "", { ...comparing, shapeOnly: true }, found);
}

function nestedJson(real: string, double: string): [unknown, unknown] | undefined {
  if (!/^[[{]/.test(real) || !/^[[{]/.test(double) || real === double) return undefined;
  const [a, b] = [parseJson(real), parseJson(double)];
  return a === undefined || b === undefined ? undefined : [a, b];
}

/** Also ties ids. */
export function areAlike(real: string, double: string, name: string, comparing: Comparing): boolean {
  const { ties, sent, origins } = comparing;
  const kind = idKind(real);
  if (real === double) {
    if (kind !== undefined && !sent.has(real)) ties.tie(real, double);
    return true;
  }
  const form = dateForm(real);
  if (form !== undefined || dateForm(double) !== undefined) return form === dateForm(double);
  const wasSent = sent.has(real) || sent.has(double);
  if (comparing.isCleaned && !wasSent && isReplacement(real)) return true;
  if (isUrl(real) && isUrl(double)) return !wasSent && areAlikeUrls(real, double, comparing);
  if (ties.doubleOf(real) === double) return true;
  const areIds = kind !== undefined && idKind(double) !== undefined;
  if (
    (areIds || isIdName(name)) &&
    real !== "" &&
    double !== "" &&
    !(wasSent && ties.doubleOf(real) === undefined && ties.realOf(double) === undefined)
  )
    return ties.tie(real, double) && (kind === idKind(double) || kind === "token" || (areIds && !isIdName(name)));
  if (isAccountName(name) && !wasSent) return true;
  return plain(ties.translate(real), origins.real) === plain(double, origins.double);
}

/** A word for a whole text, or a number of at least five digits, as the cleaner of cassettes writes them. */
function isReplacement(text: string): boolean {
  return /^(?:(?:Text|Name) \d+|text\d+|[-+]?9(?:[.,]?\d){4,}%?)$/.test(text);
}

function plain(text: string, origin: string): string {
  return text
    .replaceAll(origin, "")
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z?/g, "DATE")
    .replace(/\b\d+ seconds?\b/g, "N seconds");
}

/** Addresses of the two sides compare by path. Other hosts (pages, file stores) compare by form. */
function areAlikeUrls(real: string, double: string, { ties, origins, isCleaned }: Comparing): boolean {
  const [a, b] = [new URL(real), new URL(double)];
  const [paths, others] = [a.pathname.split("/"), b.pathname.split("/")];
  let alike = paths.length === others.length;
  if (alike)
    for (const [i, part] of paths.entries()) {
      const other = others[i] as string;
      // A HAR hides the end of a link that lets its reader in.
      if (part === other || (isCleaned && isReplacement(part.replaceAll("%20", " ")))) continue;
      const areIds = idKind(part) !== undefined && idKind(other) !== undefined;
      if (!areIds || !ties.tie(part, other)) alike = false;
    }
  const isOwn = a.origin === originOf(origins.real) && b.origin === originOf(origins.double);
  return !isOwn || (alike && [...a.searchParams.keys()].join() === [...b.searchParams.keys()].join());
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
