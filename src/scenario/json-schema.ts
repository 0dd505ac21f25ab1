/** The JSON Schemas of scenario and fixtures files, for editors: what may be written, before it is checked and completed. */
import * as z from "zod";
import { fixtures } from "./fixtures-schema.ts";
import { scenarioSchema } from "./schema.ts";

export function scenarioJsonSchema(): object {
  return toJsonSchema(scenarioSchema(), "docdouble scenario");
}

export function fixturesJsonSchema(): object {
  return toJsonSchema(fixtures(), "docdouble fixtures");
}

function toJsonSchema(schema: z.ZodType, title: string): object {
  const {
    "~standard": _,
    $schema,
    ...rest
  } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Record<string, unknown>;
  return { $schema, title, ...rest };
}
