/** Checks what a caller passes to the library. Messages begin with the library's own word. */
import type { z } from "zod";
import type { Schema } from "../core/operation.ts";
import { ApiError, reasonOf } from "../core/errors.ts";
import { FixtureError } from "../domain/seeding/templates.ts";
import { SettingsError } from "../errors.ts";
import { ScenarioError } from "../scenario/error.ts";
import { mistakesIn } from "../scenario/parse.ts";
import { valueText } from "../scenario/plain-problem.ts";

/** One argument of a method. */
export interface Argument<T extends z.ZodType = z.ZodType> {
  /** Such as `the event`. */
  name: string;
  /** What it is, with an example: `is a text such as …`. */
  is: string;
  schema: Schema<T>;
}

/** The checked value. Names every mistake at once. @throws SettingsError */
export function checked<T extends z.ZodType>(method: string, value: unknown, argument: Argument<T>): z.output<T> {
  const schema = argument.schema();
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const { inside, choice } = mistakesIn(result.error.issues, schema);
  const { name, is } = argument;
  throw new SettingsError(
    `${method}: ${inside.length > 0 ? inside.join("; ") : choice === undefined ? `${name} ${is}, not ${valueText(value)}` : `${name} ${valueText(value)} ${choice}`}`,
  );
}

/** Runs `run`, and begins the message of its refusals with `method`. @throws SettingsError */
export function named<T>(method: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ScenarioError)
      // A value has no lines worth naming.
      throw new SettingsError(`${method}: ${error.mistakes.map((one) => inOwnWords(one.message)).join("; ")}`);
    if (error instanceof FixtureError) throw new SettingsError(`${method}: ${error.message}`);
    if (error instanceof ApiError) throw new SettingsError(`${method}: ${withNextStep(error, reasonOf(error))}`);
    throw error;
  }
}

/** Runs `run`. The message of its refusals includes the reason, because test reports show only the message. */
export function withReason<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError) {
      const { detail, options } = error;
      const text = typeof detail === "string" ? detail : Object.values(detail).flat().join(" ");
      error.message = withNextStep(error, options.why === undefined ? text : `${text}: ${options.why}`);
    }
    throw error;
  }
}

function withNextStep({ options }: ApiError, text: string): string {
  return options.missing === "document" ? `${text}. documents.all() lists them.` : text;
}

/** Removes the parts of a rule, which the caller did not write. */
function inOwnWords(message: string): string {
  return message.replace(/^(?:when\.operation|then\.(?:error|respond)): /, "").replace(/^then\./, "");
}

/** Runs `run`. The message of its ScenarioError names no line: the caller passed a value. */
export function withoutPlace<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ScenarioError) error.message = error.mistakes.map((one) => one.message).join("; ");
    throw error;
  }
}
