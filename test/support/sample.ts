/** An id that is valid for each kind of thing, and belongs to none. */
export const STRANGER = "00000000-0000-4000-8000-000000000000";

/** The part of a JSON Schema that this file reads. */
export interface Json {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Json[];
  oneOf?: Json[];
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  minItems?: number;
  items?: Json;
  required?: string[];
  properties?: Record<string, Json>;
  additionalProperties?: Json | boolean;
  pattern?: string;
  maximum?: number;
  maxItems?: number;
}

/** The smallest value that a JSON Schema accepts. */
export function sample(schema: Json): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const branch = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (branch) return sample(branch);
  switch ([schema.type].flat()[0]) {
    case "string":
      if (schema.format === "email") return "ivo.marek@client.example";
      if (schema.format === "uri") return "https://receiver.example/hook";
      if (schema.format === "uuid") return STRANGER;
      if (schema.format === "date-time") return "2026-03-02T09:00:00Z";
      return "text".padEnd(schema.minLength ?? 0, "x").slice(0, schema.maxLength);
    case "integer":
    case "number":
      return Math.max(schema.minimum ?? 1, 1);
    case "boolean":
      return true;
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}));
    case "object":
      return Object.fromEntries((schema.required ?? []).map((name) => [name, sample(schema.properties?.[name] ?? {})]));
    default:
      return "text";
  }
}
