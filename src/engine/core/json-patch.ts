/** Three operations of JSON Patch. Source: RFC 6902, with JSON Pointer of RFC 6901. */

export const PATCH_OPERATIONS = ["add", "remove", "replace"] as const;

export type PatchStep = { op: "add" | "replace"; path: string; value: unknown } | { op: "remove"; path: string };

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

/** Returns the changed value. The given one stays as it is. @throws PatchError at the first step that does not fit */
export function applyPatch(value: unknown, steps: readonly PatchStep[]): unknown {
  const root: Root = { value: structuredClone(value) };
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
}

function applyStep(root: Root, step: PatchStep): void {
  if (step.op === "remove") {
    remove(root, step.path);
    return;
  }
  if (step.op === "replace") read(root, step.path);
  put(root, step.path, structuredClone(step.value), step.op);
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

function put(root: Root, pointer: string, value: unknown, how: "add" | "replace"): void {
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
    parent.splice(at, how === "add" ? 0 : 1, value);
    return;
  }
  if (typeof parent !== "object" || parent === null)
    throw new PatchError(`${placeOf(path)} is ${shown(parent)} and has no members`);
  // A plain assignment to `__proto__` would change no member.
  Object.defineProperty(parent, last, { value, writable: true, enumerable: true, configurable: true });
}

function remove(root: Root, pointer: string): void {
  read(root, pointer);
  const last = pointerSteps(pointer).pop();
  if (last === undefined) {
    root.value = null;
    return;
  }
  const parent = read(root, pointer.slice(0, pointer.lastIndexOf("/"))) as Record<string, unknown> | unknown[];
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
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
