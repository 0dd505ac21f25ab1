/** How methods of the library check and refuse: with the name of the method, and at the line of the caller. */
import type { z } from "zod";
import { ClockError } from "../../engine/core/clock-settings.ts";
import { ApiError, reasonOf } from "../../engine/core/errors.ts";
import type { Schema } from "../../engine/core/operation.ts";
import { TimeLimitError } from "../../engine/core/time-limits.ts";
import { ScenarioError } from "../../engine/scenario/error.ts";
import { FixtureError } from "../../engine/scenario/fixture-error.ts";
import { mistakesIn } from "../../engine/scenario/parse.ts";
import { valueText } from "../../engine/scenario/plain-problem.ts";
import { type ClosedError, InboxTimeoutError, SettingsError, VerificationError } from "../errors.ts";

interface How {
  /** Fails after the sandbox or tenant ends. Methods that only read still work. */
  changes?: true;
  /** Returns a promise, which rejects instead of throwing. */
  waits?: true;
  /** A promise fails only as the network does. All mistakes of the caller show before it. */
  isNetwork?: true;
  /** Messages name files and lines, so they do not begin with the method. */
  namesFiles?: true;
}

type Ended = (method: string) => ClosedError | undefined;
type Run = (...args: never[]) => unknown;

/** Each function takes the path of a method, such as `clock.advance`, and what it does. */
export function methodsOf(ended: Ended) {
  const made =
    (how: How) =>
    <F extends Run>(path: string, run: F): F =>
      method(path, how, run, ended);
  return {
    reads: made({}),
    waits: made({ waits: true }),
    changes: made({ changes: true }),
    waitsAndChanges: made({ changes: true, waits: true }),
    fetches: made({ changes: true, waits: true, isNetwork: true }),
    readsFiles: made({ changes: true, namesFiles: true }),
  };
}

function method<F extends Run>(path: string, { changes, waits, isNetwork, namesFiles }: How, run: F, ended: Ended): F {
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
export function placed(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !MISTAKES.some((kind) => error instanceof kind)) return error;
  if (!error.message.startsWith(path)) error.message = `${path}: ${error.message}`;
  return error;
}

/** @param sentence what the argument is: `the rule is an object such as { … }`. @throws SettingsError */
export function object<T>(value: T, sentence: string): T & object {
  if (typeof value === "object" && value !== null) return value;
  throw new SettingsError(`${sentence}, not ${valueText(value)}`);
}

/** @throws SettingsError */
export function text<T>(value: T, sentence: string): T & string {
  if (typeof value === "string" && value !== "") return value;
  throw new SettingsError(`${sentence}, not ${valueText(value)}`);
}

/** Names all mistakes at once. @param sentence as of `object`. @throws SettingsError */
export function checked<T extends z.ZodType>(value: unknown, schema: Schema<T>, sentence: string): z.output<T> {
  const result = schema().safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const { inside, choice } = mistakesIn(result.error.issues, schema());
  if (inside.length > 0) throw new SettingsError(inside.join("; "));
  const [name] = sentence.split(/ (?:is|are) /);
  throw new SettingsError(
    choice === undefined ? `${sentence}, not ${valueText(value)}` : `${name} ${valueText(value)} ${choice}`,
  );
}

/** A refusal of the service or of a file, in the words of the library. @throws SettingsError */
export function inOwnWords<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ScenarioError)
      // A caller knows no lines of a value, so the message leaves them out.
      throw new SettingsError(error.mistakes.map((one) => withoutPlace(one.message)).join("; "));
    if (error instanceof FixtureError) throw new SettingsError(error.message);
    if (error instanceof ApiError) throw new SettingsError(withNextStep(error, reasonOf(error)));
    throw error;
  }
}

/** Adds the reason to the message of a refusal, because test reports show only the message. */
export function explained(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { detail, options } = error;
  const words = typeof detail === "string" ? detail : Object.values(detail).flat().join(" ");
  error.message = withNextStep(error, error.kind === "not_found" ? (options.why ?? words) : withWhy(words, options.why));
  return error;
}

/** A reason such as "Cannot sign: …" also states the problem, so the text of the service would only repeat it. */
function withWhy(words: string, why: string | undefined): string {
  if (why === undefined) return words;
  return why.startsWith("Cannot ") || why.includes(words) ? why : `${words}: ${why}`;
}

const NEXT_STEP: Readonly<Record<string, string>> = {
  document: "documents.all() lists them.",
  delivery: "webhooks.deliveries() lists them.",
};

function withNextStep({ options }: ApiError, words: string): string {
  const next = NEXT_STEP[options.missing ?? ""];
  return next === undefined ? words : `${words}. ${next}`;
}

function withoutPlace(message: string): string {
  return message.replace(/^(?:when\.operation|then\.(?:error|respond)): /, "").replace(/^then\./, "");
}
