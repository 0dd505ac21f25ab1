/**
 * Rebuilds the OpenAPI description of the official clients from the installed Node client, which has the same version.
 * The Node client contains the names, members and types of each class, and the path, parameters and bodies of each operation.
 */
import { createRequire } from "node:module";
import * as official from "pandadoc-node-client";

type Json = Record<string, unknown>;
type Functions = Record<string, (...args: never[]) => unknown>;
interface Model {
  getAttributeTypeMap(): { baseName: string; type: string }[];
}
interface Address {
  path: string;
  method: string;
}

const require = createRequire(import.meta.url);
const PLAIN: Record<string, Json> = {
  string: { type: "string" },
  boolean: { type: "boolean" },
  any: { type: "object" },
  Date: { type: "string", format: "date-time" },
};

export interface Ask {
  /** Allows members that the description lacks. Python's official classes accept them. Java's classes would become maps. */
  open: boolean;
}

/** The description. A client made from it has the names of the official client. */
export function officialDescription({ open }: Ask): Json {
  const paths: Record<string, Json> = {};
  for (const [id, tag, request, processor] of operations()) {
    const { path, method } = addressOf(request);
    const operation = { operationId: id, tags: [tag], ...sentBy(request, path), responses: answersOf(processor) };
    paths[path] = { ...paths[path], [method]: operation };
  }
  const models = Object.entries(official as Json).filter(
    (one): one is [string, Model] => "getAttributeTypeMap" in Object(one[1]),
  );
  return {
    openapi: "3.0.3",
    info: { title: "PandaDoc Public API", version: "6.2.0" },
    servers: [{ url: "https://api.pandadoc.com" }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      // Without OAuth, because the generated Java needs another library for it, and no code block of a page uses it.
      securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "Authorization" } },
      schemas: Object.fromEntries(models.map(([name, model]) => [name, schemaOf(model, open)])),
    },
  };
}

/** Name, tag, and the source texts of the functions that make the request and read the answer. */
function* operations(): Generator<[id: string, tag: string, request: string, processor: string]> {
  for (const name of Object.keys(official).filter((one) => one.endsWith("Api"))) {
    const file: Record<string, { prototype: Functions }> = require(`pandadoc-node-client/dist/apis/${name}.js`);
    const [factory, processor] = [file[`${name}RequestFactory`]?.prototype ?? {}, file[`${name}ResponseProcessor`]?.prototype];
    for (const id of Object.getOwnPropertyNames(factory).filter((one) => one !== "constructor"))
      yield [id, name.replace(/Api$/, ""), String(factory[id]), String(processor?.[id])];
  }
}

/** All members may be null, because the Node client does not say which ones may. */
function schemaOf(model: Model, open: boolean): Json {
  const members = model.getAttributeTypeMap().map(({ baseName, type }): [string, Json] => [baseName, typeOf(type, baseName)]);
  // The generator cannot write a member of any type for Python. In an open class, the member needs no description.
  const kept = members.filter(([, { type, additionalProperties }]) => !open || type !== "object" || additionalProperties);
  const properties = Object.fromEntries(kept.map(([name, type]) => [name, { ...type, nullable: true }]));
  return { type: "object", nullable: true, properties, ...(open ? { additionalProperties: {} } : {}) };
}

function typeOf(type: string, name = ""): Json {
  const list = /^Array<(.+)>$/.exec(type)?.[1];
  if (list !== undefined) return { type: "array", items: typeOf(list) };
  const map = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
  if (map !== undefined) return { type: "object", additionalProperties: typeOf(map) };
  // JavaScript has one type for both.
  if (type === "number") return { type: /value|price|cost|qty|opacity/.test(name) ? "number" : "integer" };
  // Lists of values, with or without a name.
  if (/^\d/.test(type)) return { type: "integer" };
  if (type.endsWith("Enum") || type.startsWith("'")) return { type: "string" };
  return PLAIN[type] ?? { $ref: `#/components/schemas/${type}` };
}

function addressOf(request: string): Address {
  const path = /localVarPath = '([^']+)'/.exec(request)?.[1];
  const method = /HttpMethod\.(\w+)/.exec(request)?.[1];
  if (path === undefined || method === undefined) throw new Error(`no address in ${request}`);
  return { path, method: method.toLowerCase() };
}

function sentBy(request: string, path: string): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, schema: PLAIN.string }));
  const queries = request.matchAll(/setQueryParam\("(\w+)", .*?serialize\(\w+, "([^"]+)"/g);
  const inQuery = [...queries].map(([, name, type = ""]) => ({ name, in: "query", schema: typeOf(type, name) }));
  const body = /stringify\(.*?serialize\(\w+, "([^"]+)"/.exec(request)?.[1];
  const requestBody = { required: true, content: { "application/json": { schema: typeOf(body ?? "") } } };
  return { parameters: [...inPath, ...inQuery], ...(body === undefined ? {} : { requestBody }) };
}

function answersOf(processor: string): Json {
  const answers = processor.split('isCodeInRange)("').slice(1);
  return Object.fromEntries(
    answers.map((text) => {
      const block = text.slice(0, text.indexOf("}"));
      const type = /"([^"]+)", "[^"]*"\);/.exec(block)?.[1];
      const file = { "application/pdf": { schema: { type: "string", format: "binary" } } };
      const content = block.includes("getBodyAsFile") ? file : { "application/json": { schema: typeOf(type ?? "") } };
      return [text.slice(0, 3), { description: "…", ...(block.includes("return;") ? {} : { content }) }];
    }),
  );
}
