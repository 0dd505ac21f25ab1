/** What the schemas of the service say about each member, by its name. */
import { toJSONSchema } from "../../engine/core/json-schemas.ts";
import { lazy, parseRoute, type Schema } from "../../engine/core/operation.ts";
import { service } from "../../service/service.ts";

interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

interface Words {
  members: Set<string>;
  /** The values that the service lists for a member. */
  listed: Map<string, Set<string>>;
  numbers: Set<string>;
  dates: Set<string>;
  patterns: Map<string, RegExp>;
  /** Fixed segments of paths, and the markers of routes, such as `upload`. */
  segments: Set<string>;
}

/** Lists of the service that its schemas do not state. */
const FURTHER: readonly (readonly [name: string, values: readonly string[]])[] = [
  ["grant_type", ["authorization_code", "refresh_token"]],
  ["format", ["plaintext", "markdown"]],
  ["status", Array.from({ length: 20 }, (_, number) => String(number))],
  ["type", ["detailed", "short", "headline", "xshort"]],
];

const words = lazy((): Words => {
  const found: Words = {
    members: new Set(),
    listed: new Map(FURTHER.map(([name, values]) => [name, new Set(values)])),
    numbers: new Set(),
    dates: new Set(),
    patterns: new Map(),
    segments: new Set(),
  };
  for (const { query, body, responses } of service.operations) {
    for (const schema of [query, body]) if (schema) visit(jsonSchemaOf(schema, "input"), "", found);
    for (const schema of Object.values(responses))
      if (typeof schema === "function") visit(jsonSchemaOf(schema, "output"), "", found);
  }
  for (const { route } of [...service.operations, ...service.unserved]) {
    const { path, variant } = parseRoute(route);
    for (const one of path.split("/")) if (!one.startsWith("{")) found.segments.add(one);
    if (variant !== undefined) found.segments.add(variant);
  }
  return found;
});

function jsonSchemaOf(schema: Schema, io: "input" | "output"): JsonSchema {
  return toJSONSchema(schema(), { io, unrepresentable: "any", reused: "inline" }) as JsonSchema;
}

function visit(schema: JsonSchema, name: string, found: Words): void {
  const { type, format, pattern, properties = {}, additionalProperties: further } = schema;
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) visit(one, name, found);
  const values = [...(schema.enum ?? []), ...("const" in schema ? [schema.const] : [])];
  if (values.length > 0) found.listed.set(name, new Set([...(found.listed.get(name) ?? []), ...values.map(String)]));
  const types = [type].flat();
  if (types.includes("number") || types.includes("integer")) found.numbers.add(name);
  if (format === "date-time" || format === "date") found.dates.add(name);
  else if (pattern !== undefined && format === undefined) found.patterns.set(name, new RegExp(pattern));
  for (const [inner, one] of Object.entries(properties)) {
    found.members.add(inner);
    visit(one, inner, found);
  }
  if (schema.items) visit(schema.items, name, found);
  if (typeof further === "object") visit(further, "", found);
}

export function isMember(name: string): boolean {
  return words().members.has(name);
}

export function isSegment(text: string): boolean {
  return words().segments.has(text);
}

/** An event is named as the trigger of its subscription. */
export function isListed(name: string, value: string): boolean {
  return (
    words()
      .listed.get(name === "event" ? "triggers" : name)
      ?.has(value) ?? false
  );
}

export function takesNumber(name: string): boolean {
  return words().numbers.has(name);
}

export function isDateName(name: string): boolean {
  return words().dates.has(name) || /^date_|_date$|_at$|_time$/.test(name);
}

export function patternOf(name: string): RegExp | undefined {
  return words().patterns.get(name);
}

const SECRET =
  /(?:token|secret|password|passcode|passphrase|pin|credentials?|authorization|signature|cookie|otp|(?:api|shared|access|private|signing)[_-]?key|^key|^code)s?$/i;

export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}
