import type { z } from "zod";
import { getOrMake } from "./maps.ts";

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

const listed = new WeakMap<z.ZodType, ReadonlySet<string>>();

/** The names of the members that take a list. */
export function listMembers(schema: z.ZodType): ReadonlySet<string> {
  return getOrMake(listed, schema, () => {
    const shape = (definitionOf(innermost(schema))?.shape ?? {}) as Record<string, z.ZodType>;
    const names = Object.keys(shape).filter((name) => definitionOf(innermost(shape[name] as z.ZodType))?.type === "array");
    return new Set(names);
  });
}
