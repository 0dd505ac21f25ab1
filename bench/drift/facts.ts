/**
 * Turns a description of the API into a map of facts: one entry for each operation, status, member and value. A fact says what a client can
 * send or read, whatever the spelling: `nullable`, lists of types, unions, references and inline schemas give equal facts.
 */
export type Json = Record<string, unknown>;

export interface Fact {
  kind: "operation" | "status" | "member" | "value";
  value: string;
  /** The fact that this one depends on. If the parent differs, only the parent is reported. */
  parent: string | undefined;
}

export type Facts = Map<string, Fact>;

/** The file is not a description that can be compared. */
export class DriftError extends Error {}

const METHODS = ["get", "put", "post", "delete", "patch"];
const VALUES = [
  "default",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "pattern",
  "format",
] as const;

/** Two names of one format. Formats of numbers say how a program stores them, and JSON has one kind of number. */
const FORMATS: Readonly<Record<string, string>> = { url: "uri" };
const NUMBER_FORMATS: readonly unknown[] = ["int32", "int64", "float", "double"];

export const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const unique = (values: readonly string[]): string[] => [...new Set(values)].sort();

/** @throws DriftError for anything but OpenAPI 3 */
export function factsOf(document: unknown): Facts {
  if (
    !isObject(document) ||
    typeof document.openapi !== "string" ||
    !document.openapi.startsWith("3.") ||
    !isObject(document.paths)
  )
    throw new DriftError("The file is not an OpenAPI 3 description: it needs `openapi: 3.x` and `paths`.");
  const facts: Facts = new Map();
  const resolve = resolver(document);
  for (const [path, item] of Object.entries(document.paths)) {
    if (!isObject(item)) throw new DriftError(`The path ${path} is not an object.`);
    for (const method of METHODS) {
      const operation = item[method];
      if (!isObject(operation)) continue;
      const name = `${method.toUpperCase()} ${path.replace(/\{[^{}]*\}/g, "{}")}`;
      facts.set(name, { kind: "operation", value: "served", parent: undefined });
      const parameters = [...objectsIn(item.parameters), ...objectsIn(operation.parameters)].map(resolve);
      addParameters(facts, resolve, name, path, parameters);
      addBody(facts, resolve, name, resolve(operation.requestBody));
      for (const [status, answer] of Object.entries(isObject(operation.responses) ? operation.responses : {})) {
        const place = `${name} ${status}`;
        facts.set(place, { kind: "status", value: "declared", parent: name });
        if (Number(status) < 400) addSchema(facts, resolve, place, schemaIn(resolve(answer)));
      }
    }
  }
  return facts;
}

type Resolve = (node: unknown) => Json;

function resolver(document: Json): Resolve {
  const resolve = (node: unknown, depth = 0): Json => {
    if (!isObject(node)) return {};
    if (typeof node.$ref !== "string") return node;
    const steps = node.$ref.split("/").slice(1);
    const found = steps.reduce<unknown>(
      (at, step) => (isObject(at) ? at[decodeURIComponent(step).replace(/~1/g, "/").replace(/~0/g, "~")] : undefined),
      document,
    );
    if (found === undefined || !node.$ref.startsWith("#/") || depth > 20)
      throw new DriftError(`The file refers to ${node.$ref}, which it does not hold.`);
    return resolve(found, depth + 1);
  };
  return (node) => resolve(node);
}

/** A parameter of the operation replaces one of the path that has the same name. Path parameters count in the order of the path. */
function addParameters(facts: Facts, resolve: Resolve, name: string, path: string, parameters: readonly Json[]): void {
  const byName = new Map(parameters.map((one) => [`${String(one.in)} ${String(one.name)}`, one]));
  const inPath = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, inner]) => inner);
  for (const one of byName.values()) {
    if (one.in !== "query" && one.in !== "path") continue;
    const place = one.in === "path" ? `${name} path[${inPath.indexOf(String(one.name))}]` : `${name} query.${String(one.name)}`;
    facts.set(place, { kind: "member", value: "known", parent: name });
    if (one.in === "query") addValue(facts, place, "required", one.required === true);
    addSchema(facts, resolve, place, one.schema);
  }
}

function addBody(facts: Facts, resolve: Resolve, name: string, body: Json): void {
  const schema = schemaIn(body);
  if (schema === undefined) return;
  const place = `${name} body`;
  facts.set(place, { kind: "member", value: "known", parent: name });
  addValue(facts, place, "required", body.required === true);
  addSchema(facts, resolve, place, schema);
}

function schemaIn(holder: Json): unknown {
  if (!isObject(holder.content)) return undefined;
  const [media] = Object.values(holder.content).filter(isObject);
  return media?.schema;
}

function addValue(facts: Facts, place: string, name: string, value: unknown, parent = place): void {
  facts.set(`${place} ${name}`, { kind: "value", value: JSON.stringify(value), parent });
}

/** The schemas of which a value needs to match one or all. Members of all of them count. */
function branchesOf(resolve: Resolve, node: unknown, seen: ReadonlySet<Json>): Json[] {
  const schema = resolve(node);
  if (seen.has(schema)) return [];
  const inside = new Set([...seen, schema]);
  const inner = (["allOf", "anyOf", "oneOf"] as const).flatMap((name) => (Array.isArray(schema[name]) ? schema[name] : []));
  return [schema, ...inner.flatMap((one: unknown) => branchesOf(resolve, one, inside))];
}

function addSchema(facts: Facts, resolve: Resolve, place: string, node: unknown, seen: ReadonlySet<Json> = new Set()): void {
  const branches = branchesOf(resolve, node, seen);
  const inside = new Set([...seen, ...branches]);
  const all = (name: string): unknown[] => branches.flatMap((one) => (one[name] === undefined ? [] : [one[name]]));
  addTypes(facts, place, branches);
  for (const name of VALUES) {
    const values = unique(branches.flatMap((one) => keywordOf(one, name)).map((one) => JSON.stringify(one)));
    if (values.length > 0) facts.set(`${place} ${name}`, { kind: "value", value: values.join(" or "), parent: place });
  }
  const required = new Set(all("required").flat());
  const members = new Map<string, unknown[]>();
  for (const branch of branches)
    for (const [name, inner] of Object.entries(isObject(branch.properties) ? branch.properties : {}))
      members.set(name, [...(members.get(name) ?? []), inner]);
  for (const [name, inner] of members) {
    const at = `${place}.${name}`;
    facts.set(at, { kind: "member", value: "known", parent: place });
    addValue(facts, at, "required", required.has(name));
    addSchema(facts, resolve, at, inner.length === 1 ? inner[0] : { anyOf: inner }, inside);
  }
  const items = all("items");
  if (items.length > 0) addInner(facts, resolve, `${place}[]`, items, place, inside);
  const further = all("additionalProperties").filter((one) => isObject(one) || one === true);
  const isFree = members.size === 0 && all("type").flat().includes("object") && !all("additionalProperties").includes(false);
  if (further.some(isObject) || isFree) addInner(facts, resolve, `${place}.*`, further.filter(isObject), place, inside);
}

/** Types, null and the allowed values. A schema without a type has the types that its values or members need. */
function addTypes(facts: Facts, place: string, branches: readonly Json[]): void {
  const stated: string[] = [];
  const implied: string[] = [];
  const choices: unknown[] = [];
  for (const branch of branches) {
    const types = [branch.type].flat().filter((one): one is string => typeof one === "string");
    const values = [...(Array.isArray(branch.enum) ? branch.enum : []), ...("const" in branch ? [branch.const] : [])];
    stated.push(...types, ...(branch.nullable === true || values.includes(null) ? ["null"] : []));
    choices.push(...values.filter((one) => one !== null));
    if (types.length > 0) continue;
    implied.push(...values.filter((one) => one !== null).map((one) => typeof one));
    if (isObject(branch.properties) || isObject(branch.additionalProperties)) implied.push("object");
    if (branch.items !== undefined) implied.push("array");
  }
  const types = unique([...stated, ...implied]).filter((one, _, known) => one !== "integer" || !known.includes("number"));
  const isImplied = stated.every((one) => one === "null");
  if (types.length > 0) addValue(facts, place, "type", types, isImplied && choices.length > 0 ? `${place} enum` : place);
  // A query holds texts, so 100 and "100" are one value there.
  const isText = place.includes(" query.");
  if (choices.length > 0)
    addValue(facts, place, "enum", unique(choices.map((one) => (isText ? String(one) : JSON.stringify(one)))));
}

/** The value of a keyword in one schema, in the spelling of OpenAPI 3.1. Bounds that every number keeps do not count. */
function keywordOf(schema: Json, name: (typeof VALUES)[number]): unknown[] {
  const value = schema[name];
  if (name === "exclusiveMinimum" || name === "exclusiveMaximum") {
    const bound = name === "exclusiveMinimum" ? schema.minimum : schema.maximum;
    return value === true ? [bound] : typeof value === "number" ? [value] : [];
  }
  if (name === "minimum" && schema.exclusiveMinimum === true) return [];
  if (name === "maximum" && schema.exclusiveMaximum === true) return [];
  if ((name === "minimum" || name === "maximum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) return [];
  if (name === "uniqueItems" && value === false) return [];
  if (name === "format" && NUMBER_FORMATS.includes(value)) return [];
  if (name === "format" && typeof value === "string") return [FORMATS[value] ?? value];
  if (name === "default" && value === null) return [];
  return value === undefined ? [] : [value];
}

function addInner(facts: Facts, resolve: Resolve, at: string, schemas: unknown[], parent: string, seen: ReadonlySet<Json>): void {
  facts.set(at, { kind: "member", value: "known", parent });
  addSchema(facts, resolve, at, schemas.length === 1 ? schemas[0] : { anyOf: schemas }, seen);
}
