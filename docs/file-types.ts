/** Writes the TypeScript types of scenario and fixtures files from their JSON Schema, so that users of the types need no zod. */
import { service } from "../src/service/service.ts";
import { operationIds } from "../src/service/nouns/index.ts";
import { EVENTS, STATUSES } from "../src/service/nouns/documents/status-machine.ts";
import { PAGE_IDS } from "../src/service/pages/page-call.ts";
import { scenarioJsonSchema } from "../src/engine/scenario/json-schema.ts";
import { ACTS } from "../src/service/kit/names.ts";

interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  description?: string;
  required?: string[];
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
}

/** Unions of words that have a name. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  DocumentStatus: STATUSES,
  EventName: EVENTS,
  Act: ACTS,
  OperationId: operationIds().sort(),
  PageName: PAGE_IDS,
};

/** Names for objects that occur several times, by the member with the first occurrence. */
const REPEATED: Readonly<Record<string, string>> = {
  roles: "TemplateRoleFile",
  fields: "TemplateFieldFile",
  tokens: "TemplateVariableFile",
  pricing_tables: "PricingTableFile",
  content_placeholders: "LibraryPlaceholderFile",
  price_configuration: "CatalogPriceFile",
  summary: "QuoteSummaryFile",
  discounts: "QuoteAdjustmentFile",
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ScenarioFile: "A scenario as its file contains it.",
  RuleFile: "A rule as its file contains it.",
  FixturesFile: "Seed data: a fixtures file, or the `world` of a scenario.",
  Duration: "Such as `250ms`, `3s`, `5m`, `2h` or `5d`.",
  Matcher: "A scalar means equality; a map is a matcher.",
};

export function fileTypes(): string {
  const { $defs = {}, ...root } = scenarioJsonSchema(service.language) as JsonSchema;
  const repeated = repeatedObjects({ ...root, $defs });
  const known: Known = {
    names: new Map(Object.entries(repeated).map(([name, schema]) => [JSON.stringify(schema), name])),
    wholes: Object.entries($defs),
  };
  const all = { ScenarioFile: root, ...$defs, ...repeated };
  return [
    "/** The types of scenario and fixtures files. */",
    ...Object.entries(LISTS).map(([name, words]) => `export type ${name} = ${words.map(literal).join(" | ")};`),
    ...Object.entries(all).map(([name, schema]) => {
      const comment = DESCRIPTIONS[name] === undefined ? "" : `/** ${DESCRIPTIONS[name]} */\n`;
      const body = schema.properties === undefined ? typeOf(schema, "", known) : objectOf(schema, "", known);
      return `${comment}export ${body.startsWith("{\n") ? `interface ${name} ${body}` : `type ${name} = ${body};`}`;
    }),
    "",
  ].join("\n\n");
}

/** The objects that `REPEATED` lists, by name. @throws when an object occurs only once */
function repeatedObjects(root: JsonSchema): Record<string, JsonSchema> {
  const places = new Map<string, JsonSchema[]>();
  const found: Record<string, JsonSchema> = {};
  const visit = (schema: JsonSchema, member: string): void => {
    const name = REPEATED[member];
    if (schema.properties !== undefined) {
      const key = JSON.stringify(schema);
      const same = [...(places.get(key) ?? []), schema];
      places.set(key, same);
      if (same.length > 1 && name !== undefined) found[name] ??= schema;
    }
    for (const [inner, one] of Object.entries({ ...schema.$defs, ...schema.properties })) visit(one, inner);
    for (const one of [schema.items, schema.additionalProperties, ...(schema.anyOf ?? [])])
      if (typeof one === "object") visit(one, member);
  };
  visit(root, "");
  const missing = Object.values(REPEATED).filter((name) => !(name in found));
  if (missing.length > 0) throw new Error(`no object stands twice for ${missing.join(", ")}`);
  return found;
}

const literal = (value: unknown): string => JSON.stringify(value);

/** `names` maps the schema of an object to its name. `wholes` are the objects that others may be a part of. */
interface Known {
  names: ReadonlyMap<string, string>;
  wholes: readonly [name: string, schema: JsonSchema][];
}

function typeOf(schema: JsonSchema, indent: string, known: Known): string {
  if (schema.$ref !== undefined) return schema.$ref.replace("#/$defs/", "");
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum);
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, indent, known)).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent, known)).join(" | ");
  if (schema.type === "array") return listOf(typeOf(schema.items ?? {}, indent, known));
  if (schema.type === "object")
    return known.names.get(JSON.stringify(schema)) ?? partOf(schema, known) ?? objectOf(schema, indent, known);
  if (schema.type === "integer") return "number";
  return schema.type ?? "unknown";
}

/** The type of an object that lacks some members of a larger one, as `Omit`. The two must share at least ten members. */
function partOf({ properties = {}, required = [] }: JsonSchema, { wholes }: Known): string | undefined {
  const members = Object.entries(properties);
  if (members.length < 10) return undefined;
  const whole = wholes.find(
    ([, one]) =>
      JSON.stringify(one.required ?? []) === JSON.stringify(required) &&
      members.every(([name, schema]) => JSON.stringify(one.properties?.[name]) === JSON.stringify(schema)),
  );
  if (!whole) return undefined;
  const absent = Object.keys(whole[1].properties ?? {}).filter((name) => !(name in properties));
  return `Omit<${whole[0]}, ${absent.map(literal).join(" | ")}>`;
}

function union(words: readonly unknown[]): string {
  const named = Object.entries(LISTS).find(
    ([, list]) => list.length === words.length && list.every((one) => words.includes(one)),
  );
  return named?.[0] ?? words.map(literal).join(" | ");
}

function listOf(item: string): string {
  return item.includes(" | ") && !/^({|Omit<)/.test(item) ? `(${item})[]` : `${item}[]`;
}

function objectOf(
  { properties, required = [], propertyNames, additionalProperties }: JsonSchema,
  indent: string,
  known: Known,
): string {
  if (properties === undefined) {
    const value = typeof additionalProperties === "object" ? typeOf(additionalProperties, indent, known) : "unknown";
    return propertyNames?.enum === undefined
      ? `Record<string, ${value}>`
      : `Partial<Record<${union(propertyNames.enum)}, ${value} | undefined>>`;
  }
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : literal(name);
    const type = typeOf(schema, inner, known);
    const comment = schema.description === undefined ? "" : `${inner}/** ${schema.description} */\n`;
    return `${comment}${inner}${required.includes(name) ? `${key}: ${type};` : `${key}?: ${type} | undefined;`}`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}
