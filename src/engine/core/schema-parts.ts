import type { z } from "zod";

type Definition = { type: string; [part: string]: unknown };

export function definitionOf(schema: z.ZodType): Definition | undefined {
  return schema._zod?.def as Definition | undefined;
}

/** The schema without defaults, optional marks and transformations. */
export function innermost(schema: z.ZodType): z.ZodType {
  const definition = definitionOf(schema);
  const inner = (definition?.innerType ??
    (definition?.type === "pipe"
      ? definitionOf(definition.in as z.ZodType)?.type === "transform"
        ? definition.out
        : definition.in
      : undefined)) as z.ZodType | undefined;
  return inner ? innermost(inner) : schema;
}
