/** Places in the values that a schema describes. */
import type * as z from "zod";
import { type PatchStep, pointerSteps } from "../core/json-patch.ts";
import { definitionOf, innermost } from "../core/schema-parts.ts";
import { hint } from "../core/text.ts";
import { namesAt } from "./parse.ts";

interface Parts {
  type: string;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
}

const ANY_VALUE = ["unknown", "any", "custom", "lazy"];

/** Whether a value of the schema can have a member at this place. Where the schema does not say, it can. */
export function canHave(schema: z.ZodType, [step, ...further]: readonly string[]): boolean {
  if (step === undefined) return true;
  const { type, shape, catchall, element, valueType, options } = definitionOf(innermost(schema)) as unknown as Parts;
  if (options) return options.some((one) => canHave(one, [step, ...further]));
  const member = shape?.[step] ?? element ?? valueType;
  if (member) return (element === undefined || /^\d+$/.test(step)) && canHave(member, further);
  return shape ? catchall !== undefined && definitionOf(catchall)?.type !== "never" : ANY_VALUE.includes(type);
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
  return steps.flatMap(({ op, path: pointer }, index) => {
    const isKnown = made.some((one) => pointer === one || pointer.startsWith(`${one}/`));
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
