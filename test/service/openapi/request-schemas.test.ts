/** Compares each request member of the official description with our schemas: its name, its kinds of JSON, and its bounds. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { operations } from "../../../src/service/nouns/index.ts";
import { parseRoute } from "../../../src/engine/core/operation.ts";
import { OPENAPI_FILE } from "../../support/official-replies.ts";
import { fieldsOf, kindsOf, nameOf, partsOf, type RequestField } from "../../support/request-fields.ts";
import type { Json } from "../../support/sample.ts";

const NAME = existsSync(OPENAPI_FILE) ? "" : ` (skipped: ${OPENAPI_FILE} is not there)`;

/** Intended differences of our schemas, and why. An entry that matches no difference fails the test. */
const DIFFERENCES: readonly { is: RegExp; why: string }[] = [
  { is: /redirect: takes null$/, why: "recorded answers have null there, and clients send back what they read" },
  { is: /verification_settings: takes null$/, why: "the specification: null in details, and clients send back what they read" },
  { is: /fields\.any\.value: takes null$/, why: "public clients send fields without a value" },
  { is: /metadata: takes null$/, why: "the create request takes it, so the update does" },
  { is: /^updateDocument body images\[0\]: takes null$/, why: "the create request takes it, so the update does" },
  { is: /recipients\[0\]\.(first_name|last_name|role): takes null$/, why: "elsewhere in recipients it is taken" },
  {
    is: /^changeDocumentStatus\w* body (data\.)?status: takes number and string$/,
    why: "the official client types the codes as text",
  },
  { is: /^sendDocument body \w+: takes null$/, why: "public clients send members without a value" },
  {
    is: /query (statuses|http_status_code)\[0\]: (refuses integer|takes string)$/,
    why: "in a query a number is a text; the choices are the same",
  },
  { is: /^listDocuments query membership_id: (refuses string|takes array)$/, why: "the changelog: several owners may be named" },
  { is: /^listDocuments query status(__ne)?: (refuses integer|takes array)$/, why: "a repeated status is a list, as in Django" },
  { is: /^listWebhookEvent query error\[0\]: refuses null$/, why: "a query cannot say null" },
  { is: /^searchCatalogItems query (page|per_page): refuses number$/, why: "there is no page and a half" },
  { is: /pricing_method: takes number$/, why: "its three choices are numbers; a schema of choices has no type of its own" },
  { is: /images\[0\]\.is_main: takes null$/, why: "within bundles it is taken" },
  { is: /custom_fields\[0\]\.value: takes null$/, why: "the update takes it, so the creation does" },
  { is: /^createUser body user\.phone_number: takes null$/, why: "recorded answers have null there" },
  { is: /options\.qty_editable: may be missing$/, why: "the official examples leave it out: see quotes.qty_editable" },
  {
    is: /(images\[0\]\.src|custom_fields\[0\]\.name|\.item_or_uuid): is required$/,
    why: "an entry without it says nothing: see catalog.empty_entries",
  },
  { is: /price_settings: takes null$/, why: "answers have null where there are none, and clients send back what they read" },
];

type Node = Record<string, unknown>;

/** Resolves `$ref`, `allOf` and `nullable` in a schema of the description. */
function resolve(document: Node, node: unknown, depth = 0): Json {
  if (typeof node !== "object" || node === null || depth > 40) return {};
  const { $ref, allOf, nullable, ...own } = node as Node;
  const inner = (one: unknown) => resolve(document, one, depth + 1);
  let schema: Node = own;
  if (typeof $ref === "string")
    schema = inner(
      $ref
        .slice(2)
        .split("/")
        .reduce((at: unknown, step) => (at as Node)[step.replace(/~1/g, "/")], document),
    ) as Node;
  else {
    for (const part of (allOf as unknown[] | undefined) ?? []) {
      const { properties, required, ...rest } = inner(part);
      schema = {
        ...rest,
        ...schema,
        ...(properties ? { properties: { ...properties, ...(schema.properties as object) } } : {}),
        required: [...(required ?? []), ...((schema.required as string[]) ?? [])],
      };
    }
    for (const union of ["anyOf", "oneOf"])
      if (schema[union]) schema = { ...schema, [union]: (schema[union] as unknown[]).map(inner) };
    if (schema.properties)
      schema = {
        ...schema,
        properties: Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, inner(one)])),
      };
    if (schema.items) schema = { ...schema, items: inner(schema.items) };
    if (typeof schema.additionalProperties === "object")
      schema = { ...schema, additionalProperties: inner(schema.additionalProperties) };
  }
  return (nullable === true ? { anyOf: [schema, { type: "null" }] } : schema) as Json;
}

/** The parts of the official request, in the form of `partsOf`. */
function officialParts(document: Node, route: string): Record<string, Json> {
  const { method, path, variant } = parseRoute(route);
  const at = (document.paths as Record<string, Record<string, Node>>)[variant ? `${path}?${variant}` : path] ?? {};
  const one = at[method.toLowerCase()] ?? {};
  const content = (one.requestBody as { content?: Record<string, { schema: unknown }> } | undefined)?.content;
  const schema = content && Object.values(content)[0]?.schema;
  const query = [...((at.parameters as unknown as Node[]) ?? []), ...((one.parameters as Node[]) ?? [])]
    .map((parameter) => (parameter.$ref ? (resolve(document, parameter) as Node) : parameter))
    .filter((parameter) => parameter.in === "query" && parameter.name !== variant);
  return {
    ...(schema ? { body: resolve(document, schema) } : {}),
    query: {
      type: "object",
      required: query.filter((parameter) => parameter.required === true).map((parameter) => String(parameter.name)),
      properties: Object.fromEntries(query.map((parameter) => [parameter.name, resolve(document, parameter.schema)])),
    },
  };
}

/** The differences of our field from the official field. */
function differences(ours: RequestField | undefined, theirs: RequestField): string[] {
  if (!ours) return ["is not read"];
  const found: string[] = [];
  const [own, official] = [kindsOf(ours), kindsOf(theirs)];
  if (own && official) {
    const refused = [...official].filter((kind) => !own.has(kind));
    const taken = [...own].filter((kind) => !official.has(kind));
    if (refused.length > 0) found.push(`refuses ${refused.join(" and ")}`);
    if (taken.length > 0) found.push(`takes ${taken.join(" and ")}`);
  }
  for (const bound of ["minimum", "maximum", "maxLength", "minItems", "maxItems"] as const) {
    const value = (field: RequestField) => field.branches.map((one) => one[bound]).find((one) => one !== undefined);
    if (value(theirs) !== undefined && value(ours) === undefined) found.push(`has no ${bound}`);
  }
  return found;
}

/** The members of prices. Of other members, the description often leaves out that they are required. */
const PRICED = /pricing_tables|^(quoteUpdate|createCatalogItem|updateCatalogItem) /;

function needs(ours: RequestField | undefined, theirs: RequestField): string[] {
  if (!ours || ours.required === theirs.required) return [];
  return [theirs.required ? "may be missing" : "is required"];
}

describe(`requests against the official description${NAME}`, () => {
  test.skipIf(NAME !== "")(`every official field is read, with the same kinds and bounds${NAME}`, () => {
    const document = JSON.parse(readFileSync(OPENAPI_FILE, "utf8")) as Node;
    const found: string[] = [];
    const matched = new Set<RegExp>();
    for (const one of operations) {
      const ours = Object.fromEntries(partsOf(one));
      for (const [part, schema] of Object.entries(officialParts(document, one.route))) {
        const own = new Map(fieldsOf(ours[part as "body"] ?? {}).map((field) => [nameOf(field.path), field]));
        for (const field of fieldsOf(schema)) {
          if (field.path.length === 0) continue;
          const name = nameOf(field.path);
          const isPriced = PRICED.test(`${one.id} ${name}`);
          for (const text of [...differences(own.get(name), field), ...(isPriced ? needs(own.get(name), field) : [])]) {
            const line = `${one.id} ${part} ${name}: ${text}`;
            const known = DIFFERENCES.filter(({ is }) => is.test(line));
            if (known.length === 0) found.push(line);
            for (const { is } of known) matched.add(is);
          }
        }
      }
    }
    expect(found).toEqual([]);
    expect(DIFFERENCES.filter(({ is }) => !matched.has(is)).map(({ is }) => is)).toEqual([]);
  });
});
