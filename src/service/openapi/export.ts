/** The served API in OpenAPI 3.1, with its webhooks and with an example of each body. */
import { z } from "../../engine/core/zod-parts.ts";
import { groups, operations } from "../nouns/index.ts";
import { errorsOf, type Operation, parseRoute, type Responses, type Schema } from "../../engine/core/operation.ts";
import type { Dialect } from "../kit/world.ts";
import { dialectOf } from "../kit/world.ts";
import { answerExample, type Examples, examplesOf, requestExample } from "./examples.ts";
import { type Json, titled, toJsonSchema } from "./json-schemas.ts";
import { type Described, withDescriptions } from "./member-descriptions.ts";
import { eventSchemas, webhooksOf } from "./webhooks.ts";

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
      paths[key] = { ...paths[key], [method.toLowerCase()]: toOperation(operation, group.name, examples) };
    }
  return {
    openapi: "3.1.0",
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
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    tags: groups.map(({ name, operations: { length } }) => ({
      name,
      description: `${length} ${length === 1 ? "operation" : "operations"} of the official group ${name}.`,
    })),
    security: [{ apiKey: [] }, { oauth2: ["read", "write"] }],
    paths,
    webhooks: webhooksOf(examples.events),
    components: { securitySchemes: securitySchemes(url), schemas: { ...errorSchemas, ...eventSchemas() } },
  };
}

function toSummary(id: string): string {
  const words = id.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.replace(/^./, (first) => first.toUpperCase());
}

function toOperation(operation: ExportedOperation, tag: string, examples: Examples): Json {
  const described: Described = { operationId: operation.id, group: tag, route: operation.route };
  return {
    operationId: operation.id,
    summary: toSummary(operation.id),
    tags: [tag],
    ...(operation.deprecated === undefined ? {} : { deprecated: true }),
    ...(operation.limits === undefined ? {} : { description: `docdouble: ${operation.limits}.` }),
    ...(operation.security === "none" ? { security: [] } : {}),
    parameters: [
      ...toParameters(described, pathParameters(operation), "path"),
      ...toParameters(described, operation.query, "query"),
    ],
    ...(operation.body ? { requestBody: toRequestBody(operation, operation.body, described, examples) } : {}),
    responses: toResponses(operation, described, examples),
  };
}

function toRequestBody(
  { id, bodyKind = "json", bodyOptional }: ExportedOperation,
  body: Schema,
  described: Described,
  examples: Examples,
): Json {
  const schema = titled(`${id}Request`, withDescriptions(described, "body", toJsonSchema(body, "input")));
  const example = requestExample(examples, id, bodyKind === "urlencoded");
  return { required: !bodyOptional, content: { [MEDIA[bodyKind]]: { schema, ...examplesOf(example) } } };
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
  return Object.entries(properties).map(([name, { description, deprecated, ...inner }]) => ({
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
    required: place === "path" || required.includes(name),
    schema: inner,
  }));
}

function toResponses(operation: ExportedOperation, described: Described, examples: Examples): Json {
  const successes = Object.entries(operation.responses).map(([status, reply], i) => {
    const title = `${operation.id}Response${i === 0 ? "" : status}`;
    const content = contentOf(reply, title, described, answerExample(examples, operation.id, status));
    return [status, { description: REASONS[Number(status)] ?? "Done", ...content }];
  });
  const failures = errorsOf(operation).map((status) => {
    const schema = { $ref: `#/components/schemas/${errorOf(operation, status)}` };
    const example = examplesOf(answerExample(examples, operation.id, String(status)));
    return [status, { description: REASONS[status] ?? "Refused", content: { "application/json": { schema, ...example } } }];
  });
  return Object.fromEntries([...successes, ...failures]);
}

function contentOf(reply: Responses[number] | undefined, title: string, described: Described, example: unknown): Json {
  if (!reply) return {};
  if (typeof reply !== "function") return { content: Object.fromEntries(reply.media.map((media) => [media, fileOf(media)])) };
  const schema = titled(title, withDescriptions(described, "answer", toJsonSchema(reply, "output")));
  return { content: { "application/json": { schema, ...examplesOf(example) } } };
}

/** How files of these types begin. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  "application/pdf": "%PDF-1.7",
  "application/*": "%PDF-1.7",
  "application/zip": "PK\u0003\u0004",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "PK\u0003\u0004",
};

function fileOf(media: string): Json {
  return { schema: { type: "string", contentMediaType: media }, ...examplesOf(BEGINNINGS[media]) };
}

const ERROR_OF: Readonly<Record<Dialect, string>> = { v1: "Error", v2: "ErrorV2", oauth: "OAuthError", admin: "Error" };
const V1_ERRORS: Readonly<Record<number, string>> = { 409: "WrongStatus", 423: "Locked" };
/** Operations whose refusals have a form of their own. */
const OWN_ERRORS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  getDocumentSummary: { 400: "InsightError", 404: "InsightError" },
  getDocumentContent: { 400: "InsightError", 404: "InsightError" },
  getDocumentAiMetadata: { 409: "NotStarted" },
};

function errorOf(operation: ExportedOperation, status: number): string {
  const dialect = dialectOf(operation);
  return OWN_ERRORS[operation.id]?.[status] ?? (dialect === "v1" ? V1_ERRORS[status] : undefined) ?? ERROR_OF[dialect];
}

const text = { type: "string" };

const errorSchemas = {
  Error: {
    type: "object",
    description: "Why the service refuses the call. A send outside the organization adds `info_message` and `links`.",
    required: ["type", "detail"],
    properties: { type: text, detail: {}, info_message: text, links: { type: "array", items: { type: "object" } } },
  },
  WrongStatus: {
    type: "object",
    description: "The status of the document, or of another thing, does not allow the call.",
    required: ["id", "status", "info_message"],
    properties: { id: text, status: text, info_message: text },
  },
  Locked: {
    type: "object",
    description: "Somebody has the document in the editor.",
    required: ["type", "detail", "locked_by_user_id", "lock_type", "expires_at"],
    properties: { type: text, detail: text, locked_by_user_id: text, lock_type: text, expires_at: text },
  },
  ErrorV2: { type: "object", required: ["code"], properties: { code: text, details: {} } },
  InsightError: {
    type: "object",
    description: "`error` for a wrong parameter or an unknown document; `code` and `details` otherwise.",
    properties: {
      error: { type: "object", required: ["code", "message"], properties: { code: text, message: text } },
      code: text,
      details: {},
    },
  },
  NotStarted: { type: "object", required: ["code", "description"], properties: { code: text, description: text } },
  OAuthError: { type: "object", required: ["error"], properties: { error: text } },
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
