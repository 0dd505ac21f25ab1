import { asymmetricOf } from "./asymmetric.ts";

export interface Miss {
  path: string;
  expected: unknown;
  actual: unknown;
}

/**
 * Finds places where `actual` differs from the wish. An object may have extra members, a list may not. A wish can hold a regular
 * expression, a function or an asymmetric matcher at any depth. Misses show values of `shown`, which hides secrets.
 */
export function misses(path: string, expected: unknown, actual: unknown, shown: unknown = actual): Miss[] {
  const miss = [{ path, expected, actual: shown }];
  const special = testOf(expected);
  if (special) return special(actual) ? [] : miss;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return miss;
    return expected.flatMap((one, i) => misses(`${path}[${i}]`, one, actual[i], memberOf(shown, i)));
  }
  if (isObject(expected)) {
    if (!isObject(actual) || Array.isArray(actual)) return miss;
    return Object.entries(expected).flatMap(([name, one]) =>
      one === undefined && !(name in actual) ? [] : misses(join(path, name), one, actual[name], memberOf(shown, name)),
    );
  }
  return Object.is(expected, actual) ? [] : miss;
}

function memberOf(value: unknown, name: string | number): unknown {
  return isObject(value) ? value[name] : value;
}

export function join(path: string, name: string): string {
  return /^[\w$]+$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

export function testOf(expected: unknown): ((actual: unknown) => boolean) | undefined {
  const matcher = asymmetricOf(expected);
  if (matcher) return matcher.accepts;
  // `search` ignores `lastIndex`, where an earlier test stopped.
  if (expected instanceof RegExp) return (actual) => typeof actual === "string" && actual.search(expected) >= 0;
  if (typeof expected === "function") return (actual) => (expected as (actual: unknown) => unknown)(actual) === true;
  return undefined;
}

const TEXT_MAX = 400;

/** JSON, with asymmetric matchers as their runner writes them. */
export function show(value: unknown): string {
  const text = write(value);
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
}

function write(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value instanceof RegExp) return String(value);
  if (typeof value === "function") return `a value that ${value.name ? `${value.name}()` : "the function"} accepts`;
  const matcher = asymmetricOf(value);
  if (matcher) return matcher.text(write);
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => `${JSON.stringify(name)}:${write(one)}`)
      .join(",")}}`;
  return JSON.stringify(value) ?? String(value);
}
