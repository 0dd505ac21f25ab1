import { ApiError } from "../../engine/core/errors.ts";
import { ClockError } from "../../engine/core/clock-settings.ts";
import { TimeLimitError } from "../../engine/core/time-limits.ts";
import { type ClosedError, InboxTimeoutError, SettingsError, VerificationError } from "../errors.ts";
import { ScenarioError } from "../../engine/scenario/error.ts";
import { type Argument, checked } from "./options.ts";

export interface Method {
  takes?: readonly Argument[];
  /** Fails after the sandbox or tenant ends. Methods that only read still work. */
  changes?: true;
  /** Returns a promise, which rejects instead of throwing. */
  waits?: true;
  /** A promise fails only as the network does. All mistakes of the caller show before it. */
  isNetwork?: true;
  /** Messages name files and lines, so they do not begin with the method. */
  namesFiles?: true;
}

export type Methods = Readonly<Record<string, Method>>;

export type Ended = (method: string) => ClosedError | undefined;

type Run = (...args: never[]) => unknown;

/** Guards the methods of `group` at any depth. Other members stay unchanged. */
export function guarded<T extends object>(group: T, methods: Methods, ended: Ended, prefix = ""): T {
  const given: Record<string, unknown> = {};
  for (const name of Object.keys(group)) {
    const path = prefix + name;
    const descriptor = Object.getOwnPropertyDescriptor(group, name) as PropertyDescriptor;
    const value: unknown = descriptor.value;
    if (descriptor.get) Object.defineProperty(given, name, descriptor);
    else if (typeof value === "function") given[name] = guardedMethod(path, methods[path] ?? {}, value as Run, ended);
    else if (isGroup(value, path, methods)) given[name] = guarded(value, methods, ended, `${path}.`);
    else given[name] = value;
  }
  return given as T;
}

function isGroup(value: unknown, path: string, methods: Methods): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prefix = `${path}.`;
  for (const name in methods) if (name.startsWith(prefix)) return true;
  return false;
}

/** @param path the name in messages, such as `clock.advance` */
export function guardedMethod<F extends Run>(
  path: string,
  { takes = [], changes, waits, isNetwork, namesFiles }: Method,
  run: F,
  ended: Ended,
): F {
  const call = (...args: never[]) => {
    // A stack costs more than the rest of most calls, so docdouble reads it only for an error that may need it.
    const caller = () => {
      const place: { stack?: string } = {};
      Error.captureStackTrace(place, call);
      return place;
    };
    const withPlace = (error: unknown, { stack }: { stack?: string }) =>
      atCaller(namesFiles ? error : placed(path, error), stack);
    try {
      const refusal = changes ? ended(path) : undefined;
      if (refusal) throw refusal;
      for (const [i, argument] of takes.entries()) checked(path, args[i], argument);
      const result = run(...args);
      if (isNetwork || !(result instanceof Promise)) return result;
      // When the promise fails, the caller is no longer on the stack.
      const place = caller();
      return result.catch((error: unknown) => Promise.reject(withPlace(error, place)));
    } catch (error) {
      const placedError = withPlace(error, caller());
      if (waits) return Promise.reject(placedError);
      throw placedError;
    }
  };
  return call as F;
}

const MISTAKES = [SettingsError, ScenarioError, TimeLimitError, ClockError, ApiError];

const OF_CALLER = [...MISTAKES, InboxTimeoutError, VerificationError];

/** The stack then begins at the line that called the method, so that a test fails there. An error of docdouble itself keeps its stack. */
function atCaller(error: unknown, stack: string | undefined): unknown {
  const frames = stack?.indexOf("\n    at ") ?? -1;
  if (frames >= 0 && error instanceof Error && OF_CALLER.some((kind) => error instanceof kind))
    error.stack = `${error.name}: ${error.message}${stack?.slice(frames)}`;
  return error;
}

/** Puts the method at the start of a message, unless it is there already. Returns other errors unchanged. */
function placed(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !MISTAKES.some((kind) => error instanceof kind)) return error;
  if (!error.message.startsWith(path)) error.message = `${path}: ${error.message}`;
  return error;
}
