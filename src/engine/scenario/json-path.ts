/** JSON paths: `$.a.b[0]`, `['a.b']`, `[*]`, `..name`. Paths that can match several values return a list. */

type Step = { kind: "member"; name: string } | { kind: "each" } | { kind: "anywhere"; name: string };

export interface JsonPath {
  steps: Step[];
  isMany: boolean;
}

export class JsonPathError extends Error {}

const NAME = /^[^.[\]()\s]+/;
const QUOTED = /^\[\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/;
const INDEX = /^\[\s*(\d+)\s*\]/;

function readStep(rest: string, isFirst: boolean): [Step, number] | undefined {
  const each = /^(?:\.\*|\[\*\])/.exec(rest);
  if (each) return [{ kind: "each" }, each[0].length];
  if (rest.startsWith("..")) {
    const name = NAME.exec(rest.slice(2))?.[0];
    return name === undefined ? undefined : [{ kind: "anywhere", name }, 2 + name.length];
  }
  const quoted = QUOTED.exec(rest);
  if (quoted) return [{ kind: "member", name: (quoted[1] ?? quoted[2] ?? "").replace(/\\(.)/g, "$1") }, quoted[0].length];
  const index = INDEX.exec(rest);
  if (index) return [{ kind: "member", name: index[1] as string }, index[0].length];
  const dot = rest.startsWith(".") ? 1 : 0;
  const name = dot === 1 || isFirst ? NAME.exec(rest.slice(dot))?.[0] : undefined;
  return name === undefined ? undefined : [{ kind: "member", name }, dot + name.length];
}

const CACHE_MAX = 1000;
const cache = new Map<string, JsonPath>();

/** @throws JsonPathError */
export function parseJsonPath(text: string): JsonPath {
  const cached = cache.get(text);
  if (cached) return cached;
  const path: JsonPath = { steps: [], isMany: false };
  let at = text.startsWith("$") ? 1 : 0;
  while (at < text.length) {
    const read = readStep(text.slice(at), at === 0);
    if (!read)
      throw new JsonPathError(
        `the path ${text} cannot be read at "${text.slice(at)}"; there are $.a.b, [0], ['a.b'], [*] and ..a`,
      );
    path.steps.push(read[0]);
    path.isMany ||= read[0].kind !== "member";
    at += read[1];
  }
  if (cache.size >= CACHE_MAX) cache.clear();
  cache.set(text, path);
  return path;
}

/** The names of a path up to `..`, which finds members anywhere. Undefined stands for each member of a list or a map. @throws JsonPathError */
export function memberPath(text: string): (string | undefined)[] {
  const { steps } = parseJsonPath(text);
  const end = steps.findIndex(({ kind }) => kind === "anywhere");
  return steps.slice(0, end < 0 ? undefined : end).map((step) => (step.kind === "member" ? step.name : undefined));
}

/** @throws JsonPathError */
export function jsonPath(value: unknown, text: string): unknown {
  const { steps, isMany } = parseJsonPath(text);
  let found: unknown[] = [value];
  for (const step of steps)
    found = step.kind === "anywhere" ? descendants(found, step.name) : found.flatMap((one) => children(one, step));
  if (!isMany) return found[0];
  return found.length === 0 ? undefined : found;
}

/** Wraps each found value in a list, because a value may itself be a list. */
function children(value: unknown, step: Exclude<Step, { kind: "anywhere" }>): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  if (step.kind === "member") return Object.hasOwn(value, step.name) ? [(value as Record<string, unknown>)[step.name]] : [];
  return Object.values(value);
}

/**
 * Visits each map once, so `$..a..a..a` takes linear time. Keeps its own stack, because values may nest deeper than the call stack.
 */
function descendants(roots: readonly unknown[], name: string): unknown[] {
  const found: unknown[] = [];
  const visited = new Set<object>();
  const waiting = [...roots].reverse();
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null || visited.has(value)) continue;
    visited.add(value);
    if (Object.hasOwn(value, name)) found.push((value as Record<string, unknown>)[name]);
    const inner: unknown[] = Object.values(value);
    for (let i = inner.length - 1; i >= 0; i--) waiting.push(inner[i]);
  }
  return found;
}
