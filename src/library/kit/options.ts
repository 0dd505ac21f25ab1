import type { z } from "zod";
import type { Schema } from "../../engine/core/operation.ts";
import { ApiError, reasonOf } from "../../engine/core/errors.ts";
import { SettingsError } from "../errors.ts";
import { ScenarioError } from "../../engine/scenario/error.ts";
import { mistakesIn } from "../../engine/scenario/parse.ts";
import { valueText } from "../../engine/scenario/plain-problem.ts";
import { FixtureError } from "../../engine/scenario/fixture-error.ts";

export interface Argument<T extends z.ZodType = z.ZodType> {
  name: string;
  is: string;
  schema: Schema<T>;
}

/** Names all mistakes at once. @throws SettingsError */
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

/** Begins the message of a refusal with `method`. @throws SettingsError */
export function named<T>(method: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ScenarioError)
      // A caller knows no lines of a value, so the message leaves them out.
      throw new SettingsError(`${method}: ${error.mistakes.map((one) => inOwnWords(one.message)).join("; ")}`);
    if (error instanceof FixtureError) throw new SettingsError(`${method}: ${error.message}`);
    if (error instanceof ApiError) throw new SettingsError(`${method}: ${withNextStep(error, reasonOf(error))}`);
    throw error;
  }
}

/** Adds the reason to the message of a refusal, because test reports show only the message. */
export function explained(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { detail, options } = error;
  const text = typeof detail === "string" ? detail : Object.values(detail).flat().join(" ");
  error.message = withNextStep(error, error.kind === "not_found" ? (options.why ?? text) : withWhy(text, options.why));
  return error;
}

/** A reason such as "Cannot sign: …" also states the problem, so the text of the service would only repeat it. */
function withWhy(text: string, why: string | undefined): string {
  if (why === undefined) return text;
  return why.startsWith("Cannot ") || why.includes(text) ? why : `${text}: ${why}`;
}

const NEXT_STEP: Readonly<Record<string, string>> = {
  document: "documents.all() lists them.",
  delivery: "webhooks.deliveries() lists them.",
};

function withNextStep({ options }: ApiError, text: string): string {
  const next = NEXT_STEP[options.missing ?? ""];
  return next === undefined ? text : `${text}. ${next}`;
}

function inOwnWords(message: string): string {
  return message.replace(/^(?:when\.operation|then\.(?:error|respond)): /, "").replace(/^then\./, "");
}
