/** Finds the schemas of the service that describe a value of a request or an answer. */
import { findOperation } from "../../engine/runtime/find-operation.ts";
import { service } from "../../service/service.ts";
import { toJSONSchema } from "../../engine/core/json-schemas.ts";
import type { Schema } from "../../engine/core/operation.ts";

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

export interface Place {
  /** The member's name, also for the entries of a list. */
  readonly name: string;
  readonly side: "request" | "answer";
  /** All schemas that the value may have. Empty where the service takes or gives anything. */
  readonly schemas: readonly JsonSchema[];
  /** The operation marks these members as secrets. */
  readonly secrets: readonly string[];
  /** Inside of a refusal, where each text may be a message. */
  readonly isFault?: boolean;
  /** Inside of prices and totals, which the service computes. */
  readonly isAmount?: boolean;
}

export function placeOf(operationId: string, part: "query" | "body" | "answer", status = 0): Place {
  const operation = findOperation(service, operationId);
  const side = part === "answer" ? "answer" : "request";
  const schema = part === "answer" ? operation?.responses[status] : operation?.[part];
  return {
    name: "",
    side,
    schemas: typeof schema === "function" ? choices(jsonSchemaOf(schema, side)) : [],
    secrets: (side === "answer" ? operation?.secret?.response : operation?.secret?.request) ?? [],
  };
}

/** A webhook has no schema, so each of its members has the schemas of all members with this name. */
export const WEBHOOK: Place = { name: "", side: "answer", schemas: [], secrets: [] };

export function memberOf(place: Place, name: string): Place {
  const own = place.schemas.flatMap(({ properties }) =>
    properties && Object.hasOwn(properties, name) ? [properties[name] ?? {}] : [],
  );
  const maps = place.schemas.flatMap(({ properties, additionalProperties: further }) =>
    properties === undefined && typeof further === "object" ? [further] : [],
  );
  const found = own.length > 0 ? own : maps;
  const schemas =
    found.length > 0 ? found.flatMap((one) => choices(one)) : place.side === "answer" ? (named().answers.get(name) ?? []) : [];
  // The account chooses the names of a map, so they say nothing about the values.
  const shown = own.length === 0 && maps.length > 0 ? "" : name;
  return { ...place, name: shown, schemas, isAmount: AMOUNTS.test(name) || (place.isAmount === true && own.length > 0) };
}

const AMOUNTS = /^(?:pricing|summary|grand_total|quotes|pricing_tables)$/;

export function entryOf(place: Place): Place {
  return { ...place, schemas: place.schemas.flatMap(({ items }) => (items ? choices(items) : [])) };
}

export function isListed({ schemas }: Place, text: string): boolean {
  return schemas.some((one) => one.const === text || one.enum?.includes(text));
}

export function takes({ schemas }: Place, ...types: readonly string[]): boolean {
  return schemas.some(({ type }) => [type].flat().some((one) => one !== undefined && types.includes(one)));
}

export function isDate({ name, schemas }: Place): boolean {
  return schemas.some(({ format }) => format === "date-time" || format === "date") || /^date_|_date$|_at$|_time$/.test(name);
}

/** A pattern that a value must have, if there is one. */
export function patternOf({ schemas }: Place): RegExp | undefined {
  const pattern = schemas.find((one) => one.pattern !== undefined && one.format === undefined)?.pattern;
  return pattern === undefined ? undefined : new RegExp(pattern);
}

/** The service alone decides the texts of this member: it lists them somewhere, or a request cannot contain them. */
export function isChosenByService({ name, side }: Place): boolean {
  return side === "answer" && name !== "" && (named().listed.has(name) || !named().sentTexts.has(name));
}

/** A request can contain a text in this member. */
export function isSentText({ name }: Place): boolean {
  return named().sentTexts.has(name);
}

/** The names of all members of requests and answers, and all values that the service lists for them. */
export function schemaWords(): { members: ReadonlySet<string>; values: ReadonlySet<string> } {
  const { members, values } = named();
  return { members, values };
}

interface Named {
  members: ReadonlySet<string>;
  values: ReadonlySet<string>;
  answers: ReadonlyMap<string, readonly JsonSchema[]>;
  sentTexts: ReadonlySet<string>;
  listed: ReadonlySet<string>;
}

let all: Named | undefined;

function named(): Named {
  if (all) return all;
  const answers = new Map<string, JsonSchema[]>();
  const [members, values, sentTexts, listed] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
  const visit = (schema: JsonSchema, name: string, side: Place["side"]): void => {
    for (const one of choices(schema)) {
      for (const value of [one.const, ...(one.enum ?? [])]) if (typeof value === "string") values.add(value);
      if (one.enum || one.const !== undefined) listed.add(name);
      else if (side === "request" && [one.type].flat().includes("string")) sentTexts.add(name);
      if (side === "answer" && name !== "") answers.set(name, [...(answers.get(name) ?? []), one]);
      for (const [inner, value] of Object.entries(one.properties ?? {})) {
        members.add(inner);
        visit(value, inner, side);
      }
      if (one.items) visit(one.items, name, side);
      if (typeof one.additionalProperties === "object") visit(one.additionalProperties, name, side);
    }
  };
  for (const { query, body, responses } of service.operations) {
    for (const schema of [query, body]) if (schema) visit(jsonSchemaOf(schema, "request"), "", "request");
    for (const schema of Object.values(responses))
      if (typeof schema === "function") visit(jsonSchemaOf(schema, "answer"), "", "answer");
  }
  all = { members, values, answers, sentTexts, listed };
  return all;
}

const made = new Map<Schema, JsonSchema>();

function jsonSchemaOf(schema: Schema, side: Place["side"]): JsonSchema {
  const known = made.get(schema);
  if (known) return known;
  const io = side === "request" ? "input" : "output";
  const found = toJSONSchema(schema(), { io, unrepresentable: "any", reused: "inline" }) as JsonSchema;
  made.set(schema, found);
  return found;
}

/** The schemas of a union, each without an inner union. */
function choices(schema: JsonSchema): JsonSchema[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return inner.length === 0 ? [schema] : inner.flatMap((one) => choices(one));
}
