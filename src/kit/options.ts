/** Checks what a caller passes to the test kit. Messages begin with the library's own word. */
import type { z } from "zod";
import type { Schema } from "../core/operation.ts";
import { ApiError } from "../core/errors.ts";
import { FixtureError } from "../domain/seeding/templates.ts";
import { SettingsError } from "../errors.ts";
import { ScenarioError } from "../scenario/error.ts";
import { parse } from "../scenario/parse.ts";

/** The checked value. Names every mistake at once. @throws SettingsError */
export function checked<T extends z.ZodType>(method: string, value: unknown, schema: Schema<T>): z.output<T> {
  return named(method, () => parse(JSON.stringify(value ?? {}), method, schema).value);
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
    if (error instanceof ApiError) throw new SettingsError(`${method}: ${reasonOf(error)}`);
    throw error;
  }
}

/** Removes the parts of a rule, which the caller did not write. */
function inOwnWords(message: string): string {
  return message.replace(/^(?:when\.operation|then\.(?:error|respond)): /, "").replace(/^then\./, "");
}

/** The reason of a refusal: docdouble's explanation, else the service's text. */
export function reasonOf(error: ApiError): string {
  const { why } = error.options;
  return why === undefined || why.startsWith("refused by") ? error.message : why;
}
