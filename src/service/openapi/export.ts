import * as z from "zod";
import { groups, operations } from "../api/index.ts";
import { errorsOf, type Operation, parseRoute, type Schema } from "../../engine/core/operation.ts";
import { type Dialect, dialectOf } from "../model/dialects.ts";
import { toJSONSchema } from "../../engine/core/json-schemas.ts";
import { type Described, withDescriptions } from "./member-descriptions.ts";

type Json = Record<string, unknown>;
type ExportedOperation = Omit<Operation<never>, "handle">;

const MEDIA = {
  json: "application/json",
  multipart: "multipart/form-data",
  urlencoded: "application/x-www-form-urlencoded",
  text: "text/plain",
  bytes: "application/octet-stream",
};

const REASONS: Readonly<Record<number, string>> = {
  200: "Done",
  201: "Created",
  202: "Accepted",
  204: "Done, without a body",
  400: "The request is wrong",
  401: "Credentials are missing or wrong",
  403: "Not permitted",
  404: "Not found",
  409: "Not possible in this state",
  413: "Too large",
  423: "Locked by an editor",
  429: "Too many requests",
  500: "Failed",
};

interface Example {
  request?: unknown;
  status: number;
  response?: unknown;
}
export type Examples = Readonly<Record<string, Example>>;

const EXAMPLE_URL = "http://docdouble.test";

export async function loadExamples(url: string): Promise<Examples> {
  const { default: examples } = await import("../../../fixtures/api-examples.json", { with: { type: "json" } });
  return at(url, examples as Examples);
}

/** Shows this address in examples. */
export function at<T>(url: string, examples: T): T {
  return JSON.parse(JSON.stringify(examples).replaceAll(EXAMPLE_URL, () => JSON.stringify(url).slice(1, -1)));
}

/**
 * Versions of PandaDoc's API. Shapes follow `described`. Behavior follows `specified`, which wins where they differ. Operations and members
 * that `newest` adds are served as far as public copies show them. What it removes stays.
 */
const MODELLED = { described: "8.8.0", specified: "8.11.0", newest: "8.20.0" };

export function exportOpenApi(url: string, version: string, examples: Examples): Json {
  const paths: Record<string, Json> = {};
  for (const group of groups)
    for (const operation of group.operations) {
      const { method, path, variant } = parseRoute(operation.route);
      // PandaDoc's description also gives a separate path to each variant of a query marker.
      const key = variant === undefined ? path : `${path}?${variant}`;
      paths[key] = { ...paths[key], [method.toLowerCase()]: toOperation(operation, group.name, examples[operation.id]) };
    }
  return {
    openapi: "3.0.3",
    info: {
      title: "docdouble",
      version,
      description: [
        "A local test double for PandaDoc's public API, not affiliated with PandaDoc.",
        `It serves ${operations.length} operations.`,
        `Their shapes follow version ${MODELLED.described} of the published description.`,
        `Their rules follow a specification of version ${MODELLED.specified}.`,
        `Version ${MODELLED.newest} is known in part. Operations and members that it is known to add are served too.`,
        "Operations that it lacks are still served.",
      ].join(" "),
      "x-modelled-api": { title: "PandaDoc Public API", ...MODELLED },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url }],
    tags: groups.map(({ name }) => ({ name })),
    security: [{ apiKey: [] }, { oauth2: ["read", "write"] }],
    paths,
    components: { securitySchemes: securitySchemes(url), schemas: errorSchemas },
  };
}

export function toSummary(id: string): string {
  const words = id.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.replace(/^./, (first) => first.toUpperCase());
}

function toOperation(operation: ExportedOperation, tag: string, example: Example | undefined): Json {
  const described: Described = { operationId: operation.id, group: tag, route: operation.route };
  return {
    operationId: operation.id,
    summary: toSummary(operation.id),
    tags: [tag],
    ...(operation.limits === undefined ? {} : { description: `docdouble: ${operation.limits}.` }),
    ...(operation.security === "none" ? { security: [] } : {}),
    parameters: [
      ...toParameters(described, pathParameters(operation), "path"),
      ...toParameters(described, operation.query, "query"),
    ],
    ...(operation.body
      ? {
          requestBody: {
            required: !operation.bodyOptional,
            content: {
              [MEDIA[operation.bodyKind ?? "json"]]: {
                schema: titled(
                  `${operation.id}Request`,
                  withDescriptions(described, "body", toJsonSchema(operation.body, "input")),
                ),
                ...(example?.request === undefined ? {} : { example: toExample(operation, example.request) }),
              },
            },
          },
        }
      : {}),
    responses: toResponses(operation, described, example),
  };
}

function toExample({ bodyKind }: ExportedOperation, request: unknown): unknown {
  return bodyKind === "urlencoded" && typeof request === "string" ? Object.fromEntries(new URLSearchParams(request)) : request;
}

function pathParameters({ params, route }: ExportedOperation): Schema | undefined {
  const names = [...route.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  if (params || names.length === 0) return params;
  return () => z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
}

function toParameters(described: Described, schema: Schema | undefined, place: "path" | "query"): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = withDescriptions(described, place, toJsonSchema(schema, "input")) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...inner }]) => ({
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    required: place === "path" || required.includes(name),
    schema: inner,
  }));
}

function toResponses(operation: ExportedOperation, described: Described, example: Example | undefined): Json {
  const successes = Object.entries(operation.responses).map(([status, reply], i) => {
    const description = REASONS[Number(status)] ?? "Done";
    if (reply === null) return [status, { description }];
    if (typeof reply === "function") {
      const shown = example?.status === Number(status) && example.response !== undefined ? { example: example.response } : {};
      const answer = withDescriptions(described, "answer", toJsonSchema(reply, "output"));
      const schema = titled(`${operation.id}Response${i === 0 ? "" : status}`, answer);
      return [status, { description, content: { "application/json": { schema, ...shown } } }];
    }
    const file = { schema: { type: "string", format: "binary" } };
    return [status, { description, content: Object.fromEntries(reply.media.map((media) => [media, file])) }];
  });
  const schema = { $ref: `#/components/schemas/${ERROR_OF[dialectOf(operation)]}` };
  const failures = errorsOf(operation).map((status) => [
    String(status),
    { description: REASONS[status] ?? "Refused", content: { "application/json": { schema } } },
  ]);
  return Object.fromEntries([...successes, ...failures]);
}

/** Client generators name a class by its title, and number classes without a title. */
function titled(name: string, schema: Json): Json {
  return { title: name.replace(/^./, (first) => first.toUpperCase()), ...schema };
}

/** Omits checks that JSON Schema cannot express. */
export function toJsonSchema(schema: Schema, io: "input" | "output"): Json {
  return fromZod(schema(), io);
}

function fromZod(schema: z.ZodType, io: "input" | "output"): Json {
  const {
    $schema: _,
    "~standard": __,
    ...rest
  } = toJSONSchema(schema, {
    target: "openapi-3.0",
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === "null") replaceByNull(jsonSchema);
      if (def.type === "number") withoutSafeBounds(jsonSchema);
      for (const step of CHOICES) if (Array.isArray(jsonSchema.anyOf)) step(jsonSchema as Choice);
      if (jsonSchema.nullable === true) allowNull(jsonSchema);
      // Zod's regular expression breaks some generators.
      if (def.type === "string" && jsonSchema.format !== undefined) delete jsonSchema.pattern;
      // Only an uploaded file has a custom schema without a description.
      if (def.type === "custom" && jsonSchema.type === undefined) Object.assign(jsonSchema, { type: "string", format: "binary" });
      // Preprocessed values and query numbers get the schema of their result.
      if (def.type === "pipe" && (def.in._zod.def.type === "transform" || def.out._zod.def.type === "number"))
        Object.assign(jsonSchema, fromZod(def.out as z.ZodType, io));
    },
  }) as Json;
  return rest;
}

export const ALWAYS_NULL = "Always null.";

function replaceByNull(schema: Json): void {
  replace(schema, { type: "string", nullable: true, description: ALWAYS_NULL });
}

/** OpenAPI 3.0 has no null type. */
function allowNull(schema: Json): void {
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
  if (schema.type !== undefined) return;
  delete schema.nullable;
  const typed = (schema.anyOf as Json[] | undefined)?.find((one) => one.type !== undefined);
  if (typed) typed.nullable = true;
}

function withoutSafeBounds(schema: Json): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

type Choice = Json & { anyOf: Json[] };

const CHOICES = [withoutNull, joinValues, withoutTextTwins, replaceByAny];

/** OpenAPI 3.0 ignores `nullable` without a type, so a member of the union takes it. */
function withoutNull(schema: Choice): void {
  const rest = schema.anyOf.filter((one) => one.description !== ALWAYS_NULL);
  const typed = rest.find((one) => one.type !== undefined);
  if (rest.length === schema.anyOf.length || !typed) return;
  typed.nullable = true;
  schema.anyOf = rest;
}

/** Generators would make a class of each constant. */
function joinValues(schema: Choice): void {
  const isNumber = (one: Json) => one.type === "number" && Array.isArray(one.enum);
  const numbers = schema.anyOf.filter(isNumber).flatMap((one) => one.enum as number[]);
  if (numbers.length < 2) return;
  const joined = { type: numbers.every(Number.isInteger) ? "integer" : "number", enum: numbers };
  const rest = schema.anyOf.filter((one) => !isNumber(one));
  if (rest.length > 0) schema.anyOf = [joined, ...rest];
  else {
    const { anyOf: _, ...unchanged } = schema;
    replace(schema, { ...unchanged, ...joined });
  }
}

/** Generators would give the same names to the members of both enums. */
function withoutTextTwins(schema: Choice): void {
  const [numbers, texts, ...others] = schema.anyOf;
  if (!numbers || !texts || others.length > 0 || !Array.isArray(numbers.enum) || !Array.isArray(texts.enum)) return;
  if (texts.type !== "string" || numbers.enum.map(String).join() !== texts.enum.join()) return;
  const { anyOf: _, ...unchanged } = schema;
  replace(schema, { ...unchanged, ...numbers, description: "Also accepted as text." });
}

/** Generators write code that does not compile for a union of text, number and unnamed object. */
function replaceByAny(schema: Choice): void {
  const isPlain = (one: Json) => ["string", "boolean", "number", "integer"].includes(one.type as string);
  const isMap = (one: Json) => one.type === "object" && one.additionalProperties !== undefined && one.properties === undefined;
  const { anyOf: choice, ...rest } = schema;
  if (!choice.some(isPlain) || !choice.some(isMap) || !choice.every((one) => isPlain(one) || isMap(one))) return;
  const types = choice.map((one) => one.type).join(", ");
  replace(schema, { ...rest, description: `One of ${types}${choice.some((one) => one.nullable === true) ? ", null" : ""}.` });
}

function replace(schema: Json, by: Json): void {
  for (const name of Object.keys(schema)) delete schema[name];
  Object.assign(schema, by);
}

const ERROR_OF: Readonly<Record<Dialect, string>> = { v1: "Error", v2: "ErrorV2", oauth: "OAuthError", admin: "Error" };

const errorSchemas = {
  Error: {
    type: "object",
    description: "`type` and `detail`; a conflict shows the document's `id`, `status` and `info_message` instead.",
    properties: { type: { type: "string" }, detail: {}, info_message: { type: "string" } },
  },
  ErrorV2: { type: "object", properties: { code: { type: "string" }, details: {} } },
  OAuthError: { type: "object", required: ["error"], properties: { error: { type: "string" } } },
};

function securitySchemes(url: string): Json {
  return {
    apiKey: { type: "apiKey", in: "header", name: "Authorization", description: "`API-Key <key>`" },
    oauth2: {
      type: "oauth2",
      flows: {
        authorizationCode: {
          authorizationUrl: `${url}/oauth2/authorize`,
          tokenUrl: `${url}/oauth2/access_token`,
          refreshUrl: `${url}/oauth2/access_token`,
          scopes: {
            read: "View templates and documents",
            write: "Create, send, delete and download documents",
            "read+write": "Deprecated: send `read write`",
          },
        },
      },
    },
  };
}
