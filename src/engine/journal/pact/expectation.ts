/**
 * Turns an answer into what a later answer must look like: its members with types, and the forms of ids, instants and statuses. A member
 * without a value promises nothing, so it is left out. All items of a list must look alike, so only what they share counts.
 */
import { type Json, type Matcher, type Rules, ruleOf } from "./pact-file.ts";

export interface Expectation {
  content: Json;
  rules: Rules;
}

export function expectationOf(answer: Json): Expectation | undefined {
  const rules: Rules = {};
  const content = expected("$", [answer], rules);
  return content === undefined ? undefined : { content, rules };
}

const FORMS: readonly RegExp[] = [
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  /^[A-Za-z][A-Za-z0-9]{21}$/,
];
/** A name with a family, such as `parcel.sent`. */
const WORD = /^([a-z]+)\.[a-z_]+$/;

/** @param samples what stands at this place, once or in each item of a list */
function expected(path: string, samples: readonly Json[], rules: Rules): Json | undefined {
  const [first] = samples;
  if (first === undefined || samples.some((one) => one === null)) return undefined;
  if (samples.every(Array.isArray)) return expectedList(path, samples as Json[][], rules);
  if (samples.every((one) => typeof one === "object" && !Array.isArray(one)))
    return expectedObject(path, samples as Record<string, Json>[], rules);
  if (!samples.every((one) => typeof one === typeof first) || typeof first === "object") return undefined;
  rules[path] = ruleOf(matcherOf(samples));
  return first;
}

function expectedList(path: string, lists: readonly Json[][], rules: Rules): Json {
  const items = lists.flat();
  const inner: Rules = {};
  const item = expected(`${path}[*]`, items, inner);
  const hasItems = item !== undefined && lists.every((one) => one.length > 0);
  rules[path] = ruleOf(hasItems ? { match: "type", min: 1 } : { match: "type" });
  if (!hasItems) return [];
  Object.assign(rules, inner);
  return [item];
}

function expectedObject(path: string, objects: readonly Record<string, Json>[], rules: Rules): Json {
  const [first = {}] = objects;
  const members = Object.keys(first).flatMap((name) => {
    const place = placeOf(path, name);
    if (place === undefined || !objects.every((one) => Object.hasOwn(one, name))) return [];
    const value = expected(
      place,
      objects.map((one) => one[name] as Json),
      rules,
    );
    return value === undefined ? [] : [[name, value] as const];
  });
  if (members.length === 0) rules[path] = ruleOf({ match: "type" });
  return Object.fromEntries(members);
}

/** Undefined for a name that a path cannot hold. */
function placeOf(path: string, name: string): string | undefined {
  if (/^[A-Za-z_]\w*$/.test(name)) return `${path}.${name}`;
  return /['\\]/.test(name) || name === "" ? undefined : `${path}['${name}']`;
}

function matcherOf(samples: readonly Json[]): Matcher {
  if (!samples.every((one) => typeof one === "string")) return { match: typeof samples[0] === "number" ? "number" : "type" };
  const form = FORMS.find((one) => samples.every((text) => one.test(text)));
  if (form) return { match: "regex", regex: form.source };
  const families = new Set(samples.map((text) => WORD.exec(text)?.[1]));
  const [family] = families;
  return families.size === 1 && family !== undefined ? { match: "regex", regex: `^${family}\\.[a-z_]+$` } : { match: "type" };
}
