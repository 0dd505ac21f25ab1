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

const listed = new WeakMap<z.ZodType, ReadonlySet<string>>();

/** The names of the members that take a list. */
export function listMembers(schema: z.ZodType): ReadonlySet<string> {
  const known = listed.get(schema);
  if (known) return known;
  const shape = (definitionOf(innermost(schema))?.shape ?? {}) as Record<string, z.ZodType>;
  const names = Object.keys(shape).filter((name) => definitionOf(innermost(shape[name] as z.ZodType))?.type === "array");
  const set = new Set(names);
  listed.set(schema, set);
  return set;
}
