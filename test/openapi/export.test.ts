import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { operations } from "../../src/api/index.ts";
import { parseRoute } from "../../src/core/operation.ts";
import { exportOpenApi } from "../../src/openapi/export.ts";
import { VERSION } from "../../src/sandbox.ts";
import { testWorld } from "../support/world.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is read freely
const document = exportOpenApi("http://127.0.0.1:4010", VERSION) as any;

/** What OpenAPI 3.0 asks of the parts that are exported; names it does not know are refused. */
const OPENAPI = {
  type: "object",
  required: ["openapi", "info", "paths", "components", "security", "servers", "tags"],
  properties: {
    openapi: { const: "3.0.3" },
    info: { type: "object", required: ["title", "version"], properties: { title: { const: "docdouble" } } },
    servers: { type: "array", minItems: 1, items: { type: "object", required: ["url"] } },
    paths: {
      type: "object",
      minProperties: 1,
      additionalProperties: false,
      patternProperties: {
        "^/": {
          type: "object",
          additionalProperties: false,
          patternProperties: { "^(get|post|put|patch|delete)$": { $ref: "#/definitions/operation" } },
        },
      },
    },
    components: {
      type: "object",
      required: ["securitySchemes", "schemas"],
      properties: {
        schemas: { type: "object", additionalProperties: { $ref: "#/definitions/schema" } },
      },
    },
  },
  definitions: {
    operation: {
      type: "object",
      required: ["operationId", "tags", "responses", "parameters"],
      additionalProperties: false,
      properties: {
        operationId: { type: "string", pattern: "^[a-zA-Z0-9]+$" },
        description: { type: "string" },
        tags: { type: "array", minItems: 1, maxItems: 1, items: { type: "string" } },
        security: { const: [] },
        parameters: {
          type: "array",
          items: {
            type: "object",
            required: ["name", "in", "required", "schema"],
            additionalProperties: false,
            properties: {
              name: { type: "string" },
              in: { enum: ["path", "query"] },
              required: { type: "boolean" },
              schema: { $ref: "#/definitions/schema" },
            },
          },
        },
        requestBody: {
          type: "object",
          required: ["required", "content"],
          properties: { required: { type: "boolean" }, content: { $ref: "#/definitions/content" } },
        },
        responses: {
          type: "object",
          minProperties: 1,
          additionalProperties: false,
          patternProperties: {
            "^[2345]\\d\\d$": {
              type: "object",
              required: ["description"],
              additionalProperties: false,
              properties: { description: { type: "string", minLength: 1 }, content: { $ref: "#/definitions/content" } },
            },
          },
        },
      },
    },
    content: {
      type: "object",
      minProperties: 1,
      additionalProperties: {
        type: "object",
        required: ["schema"],
        additionalProperties: false,
        properties: { schema: { $ref: "#/definitions/schema" } },
      },
    },
    schema: {
      type: "object",
      properties: {
        $ref: { type: "string", pattern: "^#/components/schemas/\\w+$" },
        type: { enum: ["string", "number", "integer", "boolean", "array", "object"] },
        nullable: { type: "boolean" },
        enum: { type: "array" },
        items: { $ref: "#/definitions/schema" },
        properties: { type: "object", additionalProperties: { $ref: "#/definitions/schema" } },
        additionalProperties: { anyOf: [{ type: "boolean" }, { $ref: "#/definitions/schema" }] },
        anyOf: { type: "array", minItems: 1, items: { $ref: "#/definitions/schema" } },
        oneOf: { type: "array", minItems: 1, items: { $ref: "#/definitions/schema" } },
        allOf: { type: "array", minItems: 1, items: { $ref: "#/definitions/schema" } },
        // Words of later JSON Schema drafts, which OpenAPI 3.0 does not have.
        const: false,
        $defs: false,
        prefixItems: false,
        propertyNames: false,
        $schema: false,
      },
    },
  },
};

describe("openapi.json", () => {
  test("is an OpenAPI 3.0 document", () => {
    const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
    const validate = ajv.compile(OPENAPI);
    validate(document);
    expect(validate.errors).toBeNull();
  });

  // proves: spec:paths
  test("has every served operation once, under its path, with its statuses", () => {
    const found = Object.entries(document.paths).flatMap(([path, item]) =>
      // biome-ignore lint/suspicious/noExplicitAny: the document is read freely
      Object.entries(item as any).map(([method, one]: [string, any]) => ({
        id: one.operationId,
        route: `${method.toUpperCase()} ${path}`,
        statuses: Object.keys(one.responses).map(Number).sort(),
        pathNames: one.parameters.filter((parameter: { in: string }) => parameter.in === "path").length,
      })),
    );
    const served = operations.map(({ id, route, responses, errors }) => ({
      id,
      route,
      statuses: [...new Set([...Object.keys(responses).map(Number), ...errors])].sort(),
      pathNames: [...parseRoute(route).path.matchAll(/\{\w+\}/g)].length,
    }));
    const byRoute = (a: { route: string }, b: { route: string }) => (a.route < b.route ? -1 : 1);
    expect(found.sort(byRoute)).toEqual(served.sort(byRoute));
  });

  test("refers only to schemas that it has", () => {
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(Object.keys(document.components.schemas)).toContain(name);
  });

  test("describes numbers and lists of a query as what they are", () => {
    const parameters = document.paths["/public/v1/documents"].get.parameters as { name: string; schema: object }[];
    const schemaOf = (name: string) => parameters.find((one) => one.name === name)?.schema;
    expect(schemaOf("count")).toEqual({ type: "integer", minimum: 1, maximum: 100 });
    expect(schemaOf("metadata")).toEqual({ type: "array", items: { type: "string" } });
  });

  test("describes a file as a binary part", () => {
    const { requestBody } = document.paths["/public/v1/documents?upload"].post;
    expect(requestBody.content["multipart/form-data"].schema.properties.file).toEqual({ type: "string", format: "binary" });
  });

  test("an answer of the server fits what the document says of it", async () => {
    const world = await testWorld();
    const { status, body } = await world.request("GET", "/openapi.json", { key: null });
    expect(status).toBe(200);
    expect(body.servers).toEqual([{ url: world.sandbox.url }]);
    expect(body.paths).toEqual(JSON.parse(JSON.stringify(document.paths)));

    const { schema } = body.paths["/public/v1/templates"].get.responses[200].content["application/json"];
    const validate = addFormats.default(new Ajv({ strict: false })).compile(schema);
    const templates = await world.call("listTemplates");
    expect(validate(templates.body), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ results: [{ id: 7 }] })).toBe(false);
  });
});
