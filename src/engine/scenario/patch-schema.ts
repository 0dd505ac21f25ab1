/** JSON Patch in a rule: a list of steps, each with exactly the members of its operation. */
import * as z from "zod";
import { PATCH_OPERATIONS, type PatchStep, pointerProblem } from "../core/json-patch.ts";

const pointer = () =>
  z.string().superRefine((text, context) => {
    const message = pointerProblem(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

export const patchSchema = () =>
  z
    .array(
      z
        .strictObject({
          op: z.enum(PATCH_OPERATIONS),
          path: pointer(),
          value: z.unknown().optional(),
        })
        .superRefine((step, context) => {
          const mistake = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
          const needsValue = step.op !== "remove";
          const hasValue = Object.hasOwn(step, "value") && step.value !== undefined;
          if (needsValue && !hasValue) mistake([], `${step.op} needs a value; write value: null for null`);
          if (!needsValue && hasValue) mistake(["value"], `${step.op} takes no value`);
        })
        // The checks above leave only whole steps.
        .transform((step) => step as unknown as PatchStep),
    )
    .min(1);
