/** Checks answers against the service's OpenAPI description, if the file exists. */
import { existsSync, readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { parseRoute } from "../../src/engine/core/operation.ts";

export const OPENAPI_FILE = "../shared/reference/openapi.json";

type Json = Record<string, unknown>;

/** Translates `nullable` of OpenAPI 3.0 into a list of types of JSON Schema. */
export function withNulls(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNulls);
  if (typeof node !== "object" || node === null) return node;
  const { nullable, example: _, discriminator: __, ...rest } = node as Json;
  const inner = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withNulls(value)]));
  if (nullable !== true) return inner;
  if (typeof inner.type === "string")
    return {
      ...inner,
      type: [inner.type, "null"],
      ...(Array.isArray(inner.enum) ? { enum: [...new Set([...inner.enum, null])] } : {}),
    };
  return { anyOf: [inner, { type: "null" }] };
}

export interface OfficialReplies {
  /** The errors of the answer as `path message`, or undefined when the description has no JSON body for it. */
  check(route: string, status: number, body: unknown): string[] | undefined;
}

/** The checks, or undefined when the file is missing. */
export function officialReplies(): OfficialReplies | undefined {
  if (!existsSync(OPENAPI_FILE)) return undefined;
  const document = JSON.parse(readFileSync(OPENAPI_FILE, "utf8")) as { paths: Record<string, Record<string, Json>> };
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  // The package's own `url` requires a public host name, but receivers of tests are on this machine.
  ajv.addFormat("url", (text: string) => URL.canParse(text));
  ajv.addSchema(withNulls(document) as object, "official");
  const compiled = new Map<string, ValidateFunction>();
  return {
    check(route, status, body) {
      const { method, path, variant } = parseRoute(route);
      const key = variant ? `${path}?${variant}` : path;
      const operation = document.paths[key]?.[method.toLowerCase()] as { responses?: Record<string, Json> } | undefined;
      const response = operation?.responses?.[status] as { content?: Record<string, { schema?: unknown }> } | undefined;
      // One operation describes its JSON under the media type of its request.
      const media = ["application/json", "multipart/form-data"].find((type) => response?.content?.[type]?.schema);
      if (media === undefined) return undefined;
      const parts = ["paths", key, method.toLowerCase(), "responses", String(status), "content", media, "schema"];
      const pointer = parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
      let validate = compiled.get(pointer);
      if (!validate) {
        validate = ajv.compile({ $ref: `official#/${pointer}` });
        compiled.set(pointer, validate);
      }
      if (validate(body)) return [];
      return [
        ...new Set((validate.errors ?? []).map((one) => `${one.instancePath.replace(/\/\d+/g, "/*")} ${one.message}`)),
      ].sort();
    },
  };
}
