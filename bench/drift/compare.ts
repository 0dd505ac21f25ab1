/**
 * Compares a description of the API with the served one. Each description becomes a map of facts: one entry for each operation, status,
 * member and value. Two maps that differ in an entry differ in what a client can see.
 */
type Json = Record<string, unknown>;

export interface Difference {
  kind: "operation" | "status" | "member" | "value";
  /** Such as `PATCH /public/v1/documents/{} body.recipients[].email maxLength`. Names of path parameters do not count. */
  place: string;
  /** What docdouble serves, as JSON. Undefined: it serves nothing here. */
  ours: string | undefined;
  theirs: string | undefined;
}

/** The file is not a description that can be compared. */
export class DriftError extends Error {}

const METHODS = ["get", "put", "post", "delete", "patch"];
const VALUES = ["default", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format"] as const;

interface Fact {
  kind: Difference["kind"];
  value: string;
  /** The fact that this one depends on. If the parent differs, only the parent is reported. */
  parent: string | undefined;
}

type Facts = Map<string, Fact>;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** @throws DriftError for anything but OpenAPI 3 */
function factsOf(document: unknown): Facts {
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
      const name = `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{}")}`;
      facts.set(name, { kind: "operation", value: "served", parent: undefined });
      addParameters(facts, resolve, name, [...objectsIn(item.parameters), ...objectsIn(operation.parameters)]);
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

function addParameters(facts: Facts, resolve: Resolve, name: string, parameters: readonly Json[]): void {
  let position = 0;
  for (const one of parameters.map(resolve)) {
    if (one.in !== "query" && one.in !== "path") continue;
    const place = one.in === "path" ? `${name} path[${position++}]` : `${name} query.${String(one.name)}`;
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

function addValue(facts: Facts, place: string, name: string, value: unknown): void {
  facts.set(`${place} ${name}`, { kind: "value", value: JSON.stringify(value), parent: place });
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
  const types = [...new Set([...all("type").flat(), ...(all("nullable").includes(true) ? ["null"] : [])])].sort();
  if (types.length > 0) addValue(facts, place, "type", types);
  const choices = [...all("enum").flat(), ...all("const")].map((one) => JSON.stringify(one));
  if (choices.length > 0) addValue(facts, place, "enum", [...new Set(choices)].sort());
  for (const name of VALUES) {
    const values = all(name);
    if (values.length > 0) addValue(facts, place, name, values.length === 1 ? values[0] : values);
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
  const further = all("additionalProperties").filter(isObject);
  if (further.length > 0) addInner(facts, resolve, `${place}.*`, further, place, inside);
}

function addInner(facts: Facts, resolve: Resolve, at: string, schemas: unknown[], parent: string, seen: ReadonlySet<Json>): void {
  facts.set(at, { kind: "member", value: "known", parent });
  addSchema(facts, resolve, at, schemas.length === 1 ? schemas[0] : { anyOf: schemas }, seen);
}

/** Lists every difference once, by place. @throws DriftError */
export function compareDescriptions(ours: unknown, theirs: unknown): Difference[] {
  const [own, other] = [factsOf(ours), factsOf(theirs)];
  const differs = (place: string): boolean => own.get(place)?.value !== other.get(place)?.value;
  const isBelow = (place: string): boolean => {
    const parent = (own.get(place) ?? other.get(place))?.parent;
    return parent !== undefined && (differs(parent) || isBelow(parent));
  };
  return [...new Set([...own.keys(), ...other.keys()])]
    .filter((place) => differs(place) && !isBelow(place))
    .sort()
    .map((place) => ({
      kind: (own.get(place) ?? (other.get(place) as Fact)).kind,
      place,
      ours: own.get(place)?.value,
      theirs: other.get(place)?.value,
    }));
}

export function toText(differences: readonly Difference[]): string {
  const lines = differences.map(({ kind, place, ours, theirs }) => {
    if (kind !== "value") return `${kind} ${place}: ${ours === undefined ? "only in the file" : "only in docdouble"}`;
    return `${kind} ${place}: ${theirs ?? "absent"} in the file, ${ours ?? "absent"} in docdouble`;
  });
  return [...lines, `${differences.length} ${differences.length === 1 ? "difference" : "differences"}`].join("\n");
}
