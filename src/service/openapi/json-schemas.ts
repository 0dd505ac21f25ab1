/** Schemas of zod in the words of JSON Schema 2020-12. */
import type * as z from "zod";
import { toJSONSchema } from "../../engine/core/json-schemas.ts";
import type { Schema } from "../../engine/core/operation.ts";

export type Json = Record<string, unknown>;

/** Omits checks that JSON Schema cannot express. */
export function toJsonSchema(schema: Schema, io: "input" | "output"): Json {
  return fromZod(schema(), io);
}

export const FILE: Json = { type: "string", contentMediaType: "application/octet-stream" };

function fromZod(schema: z.ZodType, io: "input" | "output"): Json {
  const {
    $schema: _,
    "~standard": __,
    ...rest
  } = toJSONSchema(schema, {
    target: "draft-2020-12",
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === "number") withoutSafeBounds(jsonSchema);
      // The format says the same in one word.
      if (def.type === "string" && jsonSchema.format !== undefined) delete jsonSchema.pattern;
      // Only an uploaded file has a custom schema without a description.
      if (def.type === "custom" && jsonSchema.type === undefined) Object.assign(jsonSchema, FILE);
      // Preprocessed values and query numbers get the schema of their result.
      if (def.type === "pipe" && (def.in._zod.def.type === "transform" || def.out._zod.def.type === "number"))
        Object.assign(jsonSchema, fromZod(def.out as z.ZodType, io));
    },
  }) as Json;
  return rest;
}

function withoutSafeBounds(schema: Json): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** A title names the type that a client generator makes. */
export function titled(name: string, schema: Json): Json {
  return { title: name.replace(/^./, (first) => first.toUpperCase()), ...schema };
}
