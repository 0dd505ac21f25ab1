/** Guards public methods: checks their arguments, refuses changes after the end, and lets messages begin with the method. */
import { ApiError } from "../core/errors.ts";
import { ClockError } from "../core/clock-settings.ts";
import { TimeLimitError } from "../core/time-limits.ts";
import { PatternError } from "../engine/pattern.ts";
import { type ClosedError, SettingsError } from "../errors.ts";
import { ScenarioError } from "../scenario/error.ts";
import { type Argument, checked } from "./options.ts";

/** How a public method is called. */
export interface Method {
  /** The arguments in their order. Where a method checks one itself, it is left out. */
  takes?: readonly Argument[];
  /** It changes something, so it fails after the end. Reads still work then. */
  changes?: true;
  /** It returns a promise, which rejects instead of a throw. */
  waits?: true;
  /** Its messages name files and lines, so that they do not begin with the method. */
  namesFiles?: true;
}

export type Methods = Readonly<Record<string, Method>>;

/** The refusal of a call after the end; undefined while the object of the methods is in use. */
export type Ended = (method: string) => ClosedError | undefined;

type Run = (...args: never[]) => unknown;

/** The methods of `group`, at any depth, under their names in `methods`. Other members stay as they are. */
export function guarded<T extends object>(group: T, methods: Methods, ended: Ended, prefix = ""): T {
  const descriptors = Object.getOwnPropertyDescriptors(group) as Record<string, PropertyDescriptor>;
  for (const [name, descriptor] of Object.entries(descriptors)) {
    const path = `${prefix}${name}`;
    const value: unknown = descriptor.value;
    if (typeof value === "function") descriptor.value = guardedMethod(path, methods[path] ?? {}, value as Run, ended);
    else if (isGroup(value, path, methods)) descriptor.value = guarded(value, methods, ended, `${path}.`);
  }
  return Object.defineProperties({}, descriptors) as T;
}

function isGroup(value: unknown, path: string, methods: Methods): value is object {
  return typeof value === "object" && value !== null && Object.keys(methods).some((name) => name.startsWith(`${path}.`));
}

/** @param path the name in messages, such as `clock.advance` */
export function guardedMethod<F extends Run>(
  path: string,
  { takes = [], changes, waits, namesFiles }: Method,
  run: F,
  ended: Ended,
): F {
  const withPlace = (error: unknown) => (namesFiles ? error : placed(path, error));
  const call = (...args: never[]) => {
    try {
      const refusal = changes ? ended(path) : undefined;
      if (refusal) throw refusal;
      for (const [i, argument] of takes.entries()) checked(path, args[i], argument);
      const result = run(...args);
      return result instanceof Promise ? result.catch((error: unknown) => Promise.reject(withPlace(error))) : result;
    } catch (error) {
      if (waits) return Promise.reject(withPlace(error));
      throw withPlace(error);
    }
  };
  return call as F;
}

const MISTAKES = [SettingsError, ScenarioError, TimeLimitError, ClockError, PatternError, ApiError];

/** Lets the message of a refusal begin with the method, unless it does so already. Returns other errors unchanged. */
function placed(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !MISTAKES.some((kind) => error instanceof kind)) return error;
  if (!error.message.startsWith(path)) error.message = `${path}: ${error.message}`;
  return error;
}
