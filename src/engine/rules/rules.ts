/**
 * Armed rules: which calls they match, how often, and with what effect. Rules count calls and use no chance. This file knows no
 * operations or subjects. A `RequestContext` supplies named attributes.
 */
import { compilePattern } from "./pattern.ts";

export interface Matcher {
  eq?: unknown;
  ne?: unknown;
  in?: readonly unknown[] | undefined;
  contains?: string | undefined;
  regex?: string | undefined;
  gt?: number | string | undefined;
  lt?: number | string | undefined;
  exists?: boolean | undefined;
}

/** Matchers by attribute. All must match. */
export type Conditions = Readonly<Record<string, Matcher>>;

export interface CallCount {
  nth?: number | undefined;
  first?: number | undefined;
  from?: number | undefined;
  every?: number | undefined;
  /** Counts separately for each value of this attribute. Default: one count for all calls. */
  per?: string | undefined;
  /** Calls with the same value of this attribute count once, and share their number. */
  of?: string;
}

export interface Rule<Effect> {
  id: string;
  name: string;
  when: Conditions;
  call?: CallCount | undefined;
  times?: number | undefined;
  fallthrough?: boolean | undefined;
  effect: Effect;
  source: string;
  /** The rule in its author's notation. Rules for turns of recipients have none. */
  written?: WrittenRule;
}

export interface WrittenRule {
  when?: unknown;
  then?: unknown;
}

export interface ArmedRule<Effect> extends Rule<Effect> {
  matched: number;
  hits: number;
  /** Hits that changed nothing. They count for `times`, and not as acts of the rule. */
  idle?: number;
  counts: Record<string, number>;
  /** Calls of other operations that the rule waits for, counted since it was added. */
  arrived?: number;
  /** The times of calls inside the window of its rate limit, by credential. */
  windows?: Record<string, number[]>;
}

export type RequestContext = (name: string) => unknown;

type Condition = readonly [attribute: string, matcher: Matcher];

/** A rule of an operation, with its conditions beside the operation. */
interface Candidate<Effect> {
  rule: ArmedRule<Effect>;
  conditions: readonly Condition[];
}

export class Rules<Effect> {
  #rules: ArmedRule<Effect>[] = [];
  #revision = 0;
  readonly #byOperation = new Map<unknown, readonly Candidate<Effect>[]>();

  get revision(): number {
    return this.#revision;
  }

  #changed(): void {
    this.#revision++;
    this.#byOperation.clear();
  }

  #candidates(operation: unknown): readonly Candidate<Effect>[] {
    let found = this.#byOperation.get(operation);
    if (!found) {
      found = this.#rules
        .filter(({ when }) => when.operation === undefined || matchesAttribute(operation, when.operation))
        .map((rule) => ({ rule, conditions: Object.entries(rule.when).filter(([name]) => name !== "operation") }));
      this.#byOperation.set(operation, found);
    }
    return found;
  }

  arm(source: string, rules: readonly Rule<Effect>[]): void {
    this.#changed();
    const before = new Map(this.#rules.filter((rule) => rule.source === source).map((rule) => [rule.id, rule]));
    const armed = rules.map((rule) => {
      const old = before.get(rule.id);
      const isSame = old && JSON.stringify(strip(old)) === JSON.stringify(rule);
      return isSame ? old : { ...rule, matched: 0, hits: 0, counts: {} };
    });
    this.#rules = [...this.#rules.filter((rule) => rule.source !== source), ...armed];
    this.#rules = [
      ...this.#rules.filter((rule) => rule.source === RUNTIME),
      ...this.#rules.filter((rule) => rule.source !== RUNTIME),
    ];
  }

  put(rule: Rule<Effect>): ArmedRule<Effect> {
    this.#changed();
    const armed: ArmedRule<Effect> = { ...rule, matched: 0, hits: 0, counts: {} };
    const index = this.#rules.findIndex((other) => other.id === rule.id);
    if (index >= 0) this.#rules[index] = armed;
    else this.#rules.unshift(armed);
    return armed;
  }

  queue(rule: Rule<Effect>, isEarlier: (other: Rule<Effect>) => boolean): void {
    this.#changed();
    this.#rules.splice(this.#rules.findLastIndex(isEarlier) + 1, 0, { ...rule, matched: 0, hits: 0, counts: {} });
  }

  get(id: string): ArmedRule<Effect> | undefined {
    return this.#rules.find((rule) => rule.id === id);
  }

  remove(id: string): boolean {
    const index = this.#rules.findIndex((rule) => rule.id === id);
    this.#changed();
    if (index >= 0) this.#rules.splice(index, 1);
    return index >= 0;
  }

  list(): readonly ArmedRule<Effect>[] {
    return this.#rules;
  }

  clear(source?: string): void {
    this.#changed();
    this.#rules = source === undefined ? [] : this.#rules.filter((rule) => rule.source !== source);
  }

  /** Counts the call. Returns the first matching rule, and later matches while `fallthrough` holds. `isCandidate` preselects rules. */
  match(context: RequestContext, isCandidate: (rule: Rule<Effect>) => boolean = () => true): ArmedRule<Effect>[] {
    const acting: ArmedRule<Effect>[] = [];
    const attribute = remember(context);
    for (const { rule, conditions } of this.#candidates(context("operation"))) {
      if (isExhausted(rule) || !isCandidate(rule) || !matchesAll(conditions, attribute)) continue;
      rule.matched++;
      this.#revision++;
      // Without a prefix, values such as `__proto__` would name inherited members.
      const key = rule.call?.per ? `=${String(context(rule.call.per) ?? "")}` : "";
      const count = countCall(rule, key, context);
      if (!counted(rule.call, count)) continue;
      rule.hits++;
      acting.push(rule);
      if (!rule.fallthrough) break;
    }
    return acting;
  }

  /** Rules that changed less than they should. */
  pending(): ArmedRule<Effect>[] {
    return this.#rules.filter(isPending);
  }

  /** The latest hit of the rule changed nothing. */
  hadNoEffect(rule: ArmedRule<Effect>): void {
    rule.idle = (rule.idle ?? 0) + 1;
    this.#revision++;
  }

  /** Counts a call that the rule waits for. Returns its number. */
  countArrival(rule: ArmedRule<Effect>): number {
    rule.arrived = (rule.arrived ?? 0) + 1;
    this.#revision++;
    return rule.arrived;
  }

  snapshot(): ArmedRule<Effect>[] {
    return structuredClone(this.#rules);
  }

  load(rules: readonly ArmedRule<Effect>[]): void {
    this.#changed();
    this.#rules = structuredClone(rules) as ArmedRule<Effect>[];
  }
}

export const RUNTIME = "runtime";

const COUNTS_MAX = 10_000;

function forgetOldest(rule: ArmedRule<unknown>): void {
  const counts = Object.entries(rule.counts);
  const latest = (sign: string) => counts.filter(([name]) => name.startsWith(sign)).slice(-COUNTS_MAX);
  const all = counts.filter(([name]) => name === "");
  const remaining = [...all, ...latest("="), ...latest("#")];
  if (remaining.length < counts.length) rule.counts = Object.fromEntries(remaining);
}

function countCall(rule: ArmedRule<unknown>, key: string, context: RequestContext): number {
  const same = rule.call?.of === undefined ? undefined : `#${key}=${String(context(rule.call.of) ?? "")}`;
  if (rule.matched % COUNTS_MAX === 0) forgetOldest(rule);
  const counted = same === undefined ? undefined : rule.counts[same];
  if (counted !== undefined) return counted;
  const count = (rule.counts[key] ?? 0) + 1;
  rule.counts[key] = count;
  if (same !== undefined) rule.counts[same] = count;
  return count;
}

/** How often the rule changed something. */
export function effectsOf({ hits, idle = 0 }: ArmedRule<unknown>): number {
  return hits - idle;
}

export function isPending(rule: ArmedRule<unknown>): boolean {
  return effectsOf(rule) < (rule.times ?? 1);
}

function strip<Effect>({ matched, hits, idle, counts, arrived, windows, ...rule }: ArmedRule<Effect>): Rule<Effect> {
  return rule as Rule<Effect>;
}

export function isExhausted(rule: ArmedRule<unknown>): boolean {
  return rule.times !== undefined && rule.hits >= rule.times;
}

export function matches(when: Conditions, context: RequestContext): boolean {
  return matchesAll(Object.entries(when), context);
}

function matchesAll(conditions: readonly Condition[], context: RequestContext): boolean {
  return conditions.every(([name, matcher]) => matchesAttribute(context(name), matcher));
}

/** Finds each attribute once, however many rules ask for it. */
function remember(context: RequestContext): RequestContext {
  const known = new Map<string, unknown>();
  return (name) => {
    if (!known.has(name)) known.set(name, context(name));
    return known.get(name);
  };
}

function counted(call: CallCount | undefined, count: number): boolean {
  if (!call) return true;
  if (call.nth !== undefined && count !== call.nth) return false;
  if (call.first !== undefined && count > call.first) return false;
  if (call.from !== undefined && count < call.from) return false;
  return call.every === undefined || count % call.every === 0;
}

export function matchesAttribute(value: unknown, matcher: Matcher): boolean {
  if (matcher.exists !== undefined && isPresent(value) !== matcher.exists) return false;
  if (matcher.ne !== undefined && anyOf(value, (one) => same(one, matcher.ne))) return false;
  if (matcher.eq !== undefined && !anyOf(value, (one) => same(one, matcher.eq))) return false;
  if (matcher.in && !anyOf(value, (one) => matcher.in?.some((wanted) => same(one, wanted)) ?? false)) return false;
  if (matcher.contains !== undefined && !anyOf(value, (one) => textOf(one).includes(matcher.contains as string))) return false;
  if (matcher.regex !== undefined) {
    const pattern = compilePattern(matcher.regex);
    if (!anyOf(value, (one) => pattern.test(textOf(one)))) return false;
  }
  if (matcher.gt !== undefined && !anyOf(value, (one) => compare(one, matcher.gt as number | string) > 0)) return false;
  return matcher.lt === undefined || anyOf(value, (one) => compare(one, matcher.lt as number | string) < 0);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function anyOf(value: unknown, test: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 ? value.some(test) : test(Array.isArray(value) ? undefined : value);
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // Missing values equal null, because files can write only null.
  if (a === undefined || a === null || b === undefined || b === null) return (a ?? null) === (b ?? null);
  if (typeof a === "object" || typeof b === "object") return JSON.stringify(a) === JSON.stringify(b);
  return String(a) === String(b);
}

function compare(value: unknown, bound: number | string): number {
  if (value === undefined || value === null) return Number.NaN;
  if (typeof bound === "number") return Number(value) - bound;
  return textOf(value) < bound ? -1 : textOf(value) > bound ? 1 : 0;
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function explain(rule: ArmedRule<unknown>, what = "call"): string {
  const parts = Object.entries(rule.when)
    .filter(([name]) => name !== "phase")
    .map(([name, matcher]) => `${name} ${explainMatcher(matcher)}`);
  const call = rule.call ? ` on ${explainCall(rule.call, what)}` : "";
  const times = rule.times === undefined ? "" : `, ${rule.times} time${rule.times === 1 ? "" : "s"}`;
  const state = isExhausted(rule) ? "; spent" : "";
  return `acts when ${parts.length > 0 ? parts.join(" and ") : `any ${what} comes`}${call}${times}; matched ${rule.matched}, acted ${effectsOf(rule)}${state}`;
}

function explainCall(call: CallCount, what: string): string {
  const words: string[] = [];
  if (call.nth !== undefined) words.push(`${what} ${call.nth}`);
  if (call.first !== undefined) words.push(`the first ${call.first}`);
  if (call.from !== undefined) words.push(`from ${what} ${call.from}`);
  if (call.every !== undefined) words.push(`every ${call.every}. ${what}`);
  return words.join(", ") + (call.per ? ` per ${call.per}` : "");
}

function explainMatcher(matcher: Matcher): string {
  return Object.entries(matcher)
    .map(([name, wanted]) => (name === "in" && Array.isArray(wanted) && wanted.length === 1 ? ["eq", wanted[0]] : [name, wanted]))
    .map(([name, wanted]) => `${name === "eq" ? "is" : name === "ne" ? "is not" : name} ${JSON.stringify(wanted)}`)
    .join(" and ");
}
