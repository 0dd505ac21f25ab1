/** Whether a place can exist in the values that a schema describes. Where the schema does not say, it can. */
import type * as z from "zod";
import { isInside, type PatchStep, pointerSteps } from "../core/json-patch.ts";
import { hint } from "../core/text.ts";
import { namesAt } from "./parse.ts";

interface Definition {
  type: string;
  shape?: Record<string, unknown>;
  catchall?: unknown;
  element?: unknown;
  valueType?: unknown;
  options?: unknown[];
  innerType?: unknown;
  in?: unknown;
  out?: unknown;
  getter?: () => unknown;
}

const SCALARS = new Set(["string", "number", "int", "boolean", "null", "literal", "enum", "undefined", "never"]);

/** Whether a value of the schema can have a member at this place. */
export function canHave(schema: unknown, [step, ...further]: readonly string[]): boolean {
  const definition = (schema as { _zod?: { def?: Definition } } | undefined)?._zod?.def;
  if (step === undefined || !definition) return true;
  const { type, shape, catchall, element, valueType, options, innerType, getter } = definition;
  if (shape && Object.hasOwn(shape, step)) return canHave(shape[step], further);
  if (shape) return catchall !== undefined && typeOf(catchall) !== "never";
  if (element !== undefined) return /^(?:-|0|[1-9]\d*)$/.test(step) && canHave(element, further);
  if (valueType !== undefined) return canHave(valueType, further);
  if (options) return options.some((one) => canHave(one, [step, ...further]));
  if (innerType !== undefined) return canHave(innerType, [step, ...further]);
  if (getter) return canHave(getter(), [step, ...further]);
  if (type === "pipe") return [definition.in, definition.out].some((one) => canHave(one, [step, ...further]));
  return !SCALARS.has(type);
}

function typeOf(schema: unknown): string | undefined {
  return (schema as { _zod?: { def?: Definition } })._zod?.def?.type;
}

/**
 * The places of a patch that no answer has, with a sentence for each. The name of `operation` is for the sentence.
 *
 * @param answers the schemas of the successful answers
 */
export function unknownPlaces(
  steps: readonly PatchStep[],
  operation: string,
  answers: readonly z.ZodType[],
): [index: number, message: string][] {
  const made: string[] = [];
  const isMade = (pointer: string) => made.some((one) => pointer === one || isInside(pointer, one));
  return steps.flatMap(({ op, path: pointer }, index) => {
    const isKnown = isMade(pointer);
    if (op !== "remove") made.push(pointer);
    if (isKnown) return [];
    const path = pointerSteps(pointer);
    // The place that is added may be new. Its parent must exist.
    const known = op === "add" ? path.slice(0, -1) : path;
    const length = known.findIndex((_, i) => !answers.some((one) => canHave(one, known.slice(0, i + 1))));
    if (length < 0) return [];
    const names = answers.flatMap((one) => namesAt(one, known.slice(0, length)));
    return [[index, `the answer of ${operation} has no ${JSON.stringify(pointer)}${hint(known[length] as string, names)}`]];
  });
}
