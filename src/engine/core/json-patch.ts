/** JSON Patch. Source: RFC 6902, with JSON Pointer of RFC 6901. */

export const PATCH_OPERATIONS = ["add", "remove", "replace", "move", "copy", "test"] as const;

export type PatchStep =
  | { op: "add" | "replace" | "test"; path: string; value: unknown }
  | { op: "remove"; path: string }
  | { op: "move" | "copy"; path: string; from: string };

/** Copies double a value with each step, so a short patch could fill the memory. The bound counts JSON characters of all copies. */
const COPIES_MAX = 4 * 1024 * 1024;

/** A step does not fit the value. The message begins with the step. */
export class PatchError extends Error {}

/** Why a text is not a JSON Pointer. */
export function pointerProblem(text: string): string | undefined {
  if (text !== "" && !text.startsWith("/")) return `a path begins with "/": "/${text}"`;
  const bad = /~(?![01]).?/.exec(text)?.[0];
  return bad === undefined ? undefined : `"${bad}" is no escape of a path; write ~0 for "~" and ~1 for "/"`;
}

export function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Whether `inner` names a place inside the value at `outer`. */
export function isInside(inner: string, outer: string): boolean {
  return inner.startsWith(`${outer}/`);
}

/** Returns the changed value. The given one stays as it is. @throws PatchError at the first step that does not fit */
export function applyPatch(value: unknown, steps: readonly PatchStep[]): unknown {
  const root: Root = { value: structuredClone(value), copied: 0 };
  for (const step of steps) {
    try {
      applyStep(root, step);
    } catch (error) {
      if (error instanceof PatchError) error.message = `${step.op} ${JSON.stringify(step.path)}: ${error.message}`;
      throw error;
    }
  }
  return root.value;
}

interface Root {
  value: unknown;
  copied: number;
}

function applyStep(root: Root, step: PatchStep): void {
  switch (step.op) {
    case "add":
      put(root, step.path, structuredClone(step.value), "insert");
      return;
    case "remove":
      take(root, step.path);
      return;
    case "replace":
      read(root, step.path);
      put(root, step.path, structuredClone(step.value), "replace");
      return;
    case "move": {
      if (isInside(step.path, step.from)) throw new PatchError("a value cannot move into itself");
      put(root, step.path, take(root, step.from), "insert");
      return;
    }
    case "copy":
      put(root, step.path, copyOf(root, step.from), "insert");
      return;
    default:
      if (!isEqual(read(root, step.path), step.value))
        throw new PatchError(`the value is ${shown(read(root, step.path))}, and not ${shown(step.value)}`);
  }
}

function copyOf(root: Root, pointer: string): unknown {
  const text = JSON.stringify(read(root, pointer));
  root.copied += text.length;
  if (root.copied > COPIES_MAX) throw new PatchError(`the copies of one patch hold more than ${COPIES_MAX} characters`);
  return JSON.parse(text);
}

const INDEX = /^(?:0|[1-9]\d*)$/;

function read({ value: whole }: Root, pointer: string): unknown {
  let value = whole;
  const path: string[] = [];
  for (const step of pointerSteps(pointer)) {
    value = memberOf(value, step, path);
    path.push(step);
  }
  return value;
}

function memberOf(value: unknown, step: string, path: readonly string[]): unknown {
  if (Array.isArray(value)) {
    if (!INDEX.test(step)) throw new PatchError(`${placeOf(path)} is a list, and "${step}" is not an index`);
    if (Number(step) >= value.length) throw new PatchError(`${placeOf(path)} has ${value.length} entries, and none at ${step}`);
    return value[Number(step)];
  }
  if (typeof value !== "object" || value === null) throw new PatchError(`${placeOf(path)} is ${shown(value)} and has no members`);
  if (!Object.hasOwn(value, step)) throw new PatchError(`${placeOf(path)} has no member "${step}"${listed(value)}`);
  return (value as Record<string, unknown>)[step];
}

function put(root: Root, pointer: string, value: unknown, how: "insert" | "replace"): void {
  const path = pointerSteps(pointer);
  const last = path.pop();
  if (last === undefined) {
    root.value = value;
    return;
  }
  const parent = read(root, pointer.slice(0, pointer.lastIndexOf("/")));
  if (Array.isArray(parent)) {
    const at = last === "-" ? parent.length : Number(last);
    if (last !== "-" && !INDEX.test(last)) throw new PatchError(`${placeOf(path)} is a list, and "${last}" is not an index`);
    if (at > parent.length) throw new PatchError(`${placeOf(path)} has ${parent.length} entries, so none can stand at ${at}`);
    parent.splice(at, how === "insert" ? 0 : 1, value);
    return;
  }
  if (typeof parent !== "object" || parent === null)
    throw new PatchError(`${placeOf(path)} is ${shown(parent)} and has no members`);
  // A plain assignment to `__proto__` would change no member.
  Object.defineProperty(parent, last, { value, writable: true, enumerable: true, configurable: true });
}

function take(root: Root, pointer: string): unknown {
  const value = read(root, pointer);
  const path = pointerSteps(pointer);
  const last = path.pop();
  if (last === undefined) {
    root.value = null;
    return value;
  }
  const parent = read(root, pointer.slice(0, pointer.lastIndexOf("/"))) as Record<string, unknown> | unknown[];
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return value;
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(a[name as keyof object], b[name as keyof object]))
  );
}

function placeOf(path: readonly string[]): string {
  return path.length === 0 ? "the whole answer" : JSON.stringify(`/${path.join("/")}`);
}

const SHOWN_MAX = 80;
const NAMES_MAX = 12;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

function listed(value: object): string {
  const names = Object.keys(value);
  return names.length === 0 || names.length > NAMES_MAX ? "" : `; there are ${names.join(", ")}`;
}
