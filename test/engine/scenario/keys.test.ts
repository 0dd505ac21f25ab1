/**
 * Tests every key in the schema of scenario files: a good value is accepted, and wrong values are refused at their place.
 * The keys come from the schema, so this file covers new keys too.
 */
import { service } from "../../../src/service/service.ts";
import { expect, test } from "vitest";
import { scenarioJsonSchema } from "../../../src/engine/scenario/json-schema.ts";
import { readScenario } from "../../../src/engine/scenario/load.ts";
import { ScenarioError } from "../../../src/engine/scenario/error.ts";

interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  minItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  pattern?: string;
  format?: string;
  minimum?: number;
  exclusiveMinimum?: number;
}

type Path = (string | number)[];

const root = scenarioJsonSchema(service.language) as JsonSchema;
const nameOf = ($ref: string) => $ref.replace("#/$defs/", "");
const resolved = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : (root.$defs?.[nameOf(schema.$ref)] ?? {});

/** Each key once, at the first path that leads to it. Paths use the first item of each list. */
function keysOf(): { path: Path; schema: JsonSchema }[] {
  const found: { path: Path; schema: JsonSchema }[] = [];
  const seen = new Set<string>();
  const visit = (given: JsonSchema, path: Path) => {
    if (given.$ref !== undefined && seen.has(given.$ref)) return;
    if (given.$ref !== undefined) seen.add(given.$ref);
    const schema = resolved(given);
    for (const one of schema.anyOf ?? []) visit(one, path);
    if (schema.items) visit(schema.items, [...path, 0]);
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      if (!found.some((one) => one.path.join() === [...path, name].join())) found.push({ path: [...path, name], schema: inner });
      visit(inner, [...path, name]);
    }
  };
  visit(root, []);
  return found;
}

/** Good values for rules that a schema cannot express, by the last name of the path. */
const GOOD: Readonly<Record<string, unknown>> = {
  version: 1,
  operation: "sendDocument",
  tool: "documents_send",
  now: "2026-03-02T09:00:00Z",
  at: "1h",
  window: "1s",
  send_at: "2030-01-01T00:00:00Z",
  expires_in: "1s",
  created_ago: "1d",
  modified_ago: "1d",
  changed_ago: "1d",
  body: { "$.name": "x" },
  currency: "USD",
  email: "pat@client.example",
  passcode: "passcode1",
  phone_number: "+15550100123",
};

/** Good values of matchers that know all texts, by the path. */
const KNOWN: Readonly<Record<string, unknown>> = {
  "rules.0.when.method": "POST",
  "rules.0.then.patch": [{ op: "add", path: "/name", value: "x" }],
  "rules.0.then.patch.0.path": "/name",
  "expect.requests.0.match.method": "POST",
  "expect.requests.0.match.status": 200,
  "expect.deliveries.0.match.event": "document_state_changed",
  "expect.deliveries.0.match.status": "document.sent",
  "expect.deliveries.0.match.state": "delivered",
  "expect.emails.0.match.kind": "sent",
  "expect.tools.0.name": "documents_send",
};

/** Members that a map needs although the schema makes each of them optional, by the map's path. */
const MAPS: Readonly<Record<string, object>> = {
  "rules.0": { then: { error: "locked" } },
  "rules.0.then": { error: "locked" },
  "rules.0.then.patch.0": { path: "/name", value: "x" },
  "rules.0.when.call": { nth: 1 },
  "webhooks.0": { then: { signature: "valid" } },
  "webhooks.0.then": { signature: "valid" },
  "timers.0": { at: "1h" },
  "expect.client": { truthful: true },
};

/** Members that a key needs in its map, by the key's path. `undefined` removes a member that the key excludes. */
const COMPANIONS: Readonly<Record<string, object>> = {
  "rules.0.then.retry_after": { error: "throttled" },
  "rules.0.then.respond": { error: undefined },
  "rules.0.then.network": { error: undefined },
  "rules.0.then.lasting": { error: "not_found" },
  "rules.0.then.patch": { error: undefined },
  "rules.0.then.stale": { error: undefined },
  "rules.0.when.call.first": { nth: undefined },
  "rules.0.when.call.from": { nth: undefined },
  "rules.0.when.call.every": { nth: undefined },
  "webhooks.0.then.drop": { signature: undefined },
};

/** An act that accepts the input, by the name of the input. */
const ACT_FOR: Readonly<Record<string, string>> = {
  fields: "sign",
  pricing: "sign",
  reason: "decline",
  text: "comment",
  to: "forward",
  member: "approve",
  channel: "opt_out",
  expires_in: "lock",
  at: "schedule",
};

function goodFor(schema: JsonSchema, path: Path): unknown {
  const value = KNOWN[path.join(".")] ?? least(schema, String(path.at(-1)));
  return typeof value === "object" && !Array.isArray(value) ? complete(value as object, path) : value;
}

function least(given: JsonSchema, name: string): unknown {
  if (given.$ref !== undefined && nameOf(given.$ref) === "Duration") return "1s";
  const schema = resolved(given);
  const isText =
    name === "body" || [schema.type].flat()[0] === "string" || schema.anyOf !== undefined || schema.type === "number";
  if (name in GOOD && isText) return GOOD[name];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return least(schema.anyOf[0] as JsonSchema, name);
  if (schema.pattern?.includes("\\d") && [schema.type].flat()[0] === "string") return "1";
  switch ([schema.type].flat()[0]) {
    case "object":
      return Object.fromEntries((schema.required ?? []).map((one) => [one, least(schema.properties?.[one] ?? {}, one)]));
    case "array":
      return (schema.minItems ?? 0) > 0 ? [least(schema.items ?? {}, name)] : [];
    case "boolean":
      return true;
    case "integer":
    case "number":
      return Math.max(1, schema.minimum ?? 1);
    case "string":
      return "x";
    default:
      return "x";
  }
}

/** The smallest valid value that contains `path`, with `leaf` at that path. */
function around(given: JsonSchema, path: Path, leaf: unknown, above: Path = []): unknown {
  const [next, ...rest] = path;
  if (next === undefined) return leaf;
  const branch = [given, ...branches(given)]
    .map(resolved)
    .find((one) => (typeof next === "number" ? one.items : one.properties && next in one.properties));
  if (!branch) throw new Error(`no way to ${[...above, ...path].join(".")}`);
  const here = [...above, next];
  if (typeof next === "number") return [around(branch.items as JsonSchema, rest, leaf, here)];
  const value = around(branch.properties?.[next] ?? {}, rest, leaf, here);
  const companions = COMPANIONS[here.join(".")];
  const parts = { ...complete(least(branch, "") as object, above), ...companions, ...withAct(here, rest), [next]: value };
  return Object.fromEntries(Object.entries(parts).filter(([, one]) => one !== undefined));
}

/** Adds the members of `MAPS` to the map at `path`. */
function complete(map: object, path: Path): object {
  return { ...map, ...MAPS[path.join(".")] };
}

/** The act for an input: `with: { reason }` needs an act that takes a reason. */
function withAct(here: Path, rest: Path): object {
  const name = here.at(-1) === "with" ? ACT_FOR[String(rest[0])] : undefined;
  return name === undefined ? {} : { do: name };
}

/** Values of each type, and numbers that are often out of range. */
const CANDIDATES = [null, true, "no such thing", -1, 1.5, [], {}];

/** The candidates that the schema does not accept. */
function wrongFor(given: JsonSchema): unknown[] {
  const schemas = [given, ...branches(given)]
    .map(resolved)
    .filter((one) => one.anyOf === undefined)
    .flatMap((one) => (Array.isArray(one.type) ? one.type.map((type) => ({ ...one, type })) : [one]));
  // A schema that accepts everything has no wrong value.
  if (schemas.some((one) => one.type === undefined && one.enum === undefined && one.const === undefined)) return [];
  return CANDIDATES.filter((value) => !schemas.some((one) => takes(one, value)));
}

function branches(given: JsonSchema): JsonSchema[] {
  return (resolved(given).anyOf ?? []).flatMap((one) => [one, ...branches(one)]);
}

function takes(schema: JsonSchema, value: unknown): boolean {
  if (schema.const !== undefined) return value === schema.const;
  if (schema.enum) return schema.enum.includes(value);
  switch (schema.type) {
    case "integer":
      return Number.isInteger(value) && (value as number) >= (schema.minimum ?? -2);
    case "number":
      return typeof value === "number" && value >= (schema.minimum ?? -2) && value > (schema.exclusiveMinimum ?? -2);
    case "array":
      return Array.isArray(value) && (schema.minItems ?? 0) === 0;
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "null":
      return value === null;
    default:
      return typeof value === schema.type && schema.pattern === undefined && schema.format === undefined;
  }
}

function mistakesOf(value: unknown, text = JSON.stringify(value, null, 1)): ScenarioError["mistakes"] {
  try {
    readScenario(text, "keys.json", service.language, () => '{ "version": 1 }');
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.mistakes;
    throw error;
  }
}

/** The path of the first list. Cases of the same list can share one file, as items of that list. */
const listOf = (path: Path): Path =>
  path.slice(
    0,
    Math.max(
      0,
      path.findIndex((key) => typeof key === "number"),
    ),
  );

interface Case {
  path: Path;
  wrong: unknown;
}

/** Groups the cases of each list into one file. Each other case gets a separate file. */
function filesOf(cases: readonly Case[]): { list: Path; file: Case[] }[] {
  const files = new Map<string, { list: Path; file: Case[] }>();
  for (const [i, one] of cases.entries()) {
    const list = listOf(one.path);
    const name = list.join(".") || String(i);
    const known = files.get(name);
    if (known) known.file.push(one);
    else files.set(name, { list, file: [one] });
  }
  return [...files.values()];
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);
}

test("every key accepts a good value", () => {
  const keys = keysOf();
  expect(keys.length).toBeGreaterThan(350);
  const faults = keys.flatMap(({ path, schema }) =>
    mistakesOf(around(root, path, goodFor(schema, path))).map((one) => `${path.join(".")}: ${one.message}`),
  );
  expect(faults).toEqual([]);
});

test("every key refuses values of another type or out of range, and names file, line and path", () => {
  const cases = keysOf().flatMap(({ path, schema }) => wrongFor(schema).map((wrong) => ({ path, wrong })));
  expect(cases.length).toBeGreaterThan(1200);
  const faults: string[] = [];
  for (const { list, file } of filesOf(cases)) {
    const wholes = file.map(({ path, wrong }) => around(root, path, wrong));
    const rows = wholes.map((one) => (at(one, list) as unknown[])[0]);
    const whole = list.length > 0 ? around(root, list, rows) : wholes[0];
    const text = JSON.stringify(whole, null, 1);
    const lines = text.split("\n");
    const lineByPath = new Map<string, number>();
    for (const { file: name, line, message } of mistakesOf(whole, text)) {
      if (name !== "keys.json") faults.push(`${name} is not the file`);
      const where = message.slice(0, message.indexOf(": ")).split(".");
      for (let length = 1; length <= where.length; length++) lineByPath.set(where.slice(0, length).join("."), line);
    }
    for (const [i, { path, wrong }] of file.entries()) {
      const where = (list.length > 0 ? path.with(list.length, i) : path).join(".");
      const line = lineByPath.get(where);
      if (line === undefined) faults.push(`${where}: ${JSON.stringify(wrong)} is taken`);
      else if (!lines[line - 1]?.includes(`"${path.at(-1)}"`)) faults.push(`${where}: line ${line} is ${lines[line - 1]}`);
    }
  }
  expect(faults).toEqual([]);
});

test("every map refuses an unknown name", () => {
  const faults: string[] = [];
  const maps = new Map(keysOf().map(({ path, schema }) => [path.slice(0, -1).join("."), { path, schema }]));
  for (const [map, { path, schema }] of maps) {
    const whole = around(root, path, goodFor(schema, path));
    (at(whole, path.slice(0, -1)) as Record<string, unknown>).nosuchname = 1;
    const mistakes = mistakesOf(whole).map((one) => one.message);
    const where = map === "" ? "" : `${map}: `;
    if (mistakes.length !== 1 || !mistakes[0]?.startsWith(`${where}unknown name "nosuchname"`))
      faults.push(`${map}: ${mistakes.join("; ") || "taken"}`);
  }
  expect(maps.size).toBeGreaterThan(60);
  expect(faults).toEqual([]);
});
