import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { operations } from "../../../src/service/api/index.ts";
import { errorsOf, parseRoute } from "../../../src/engine/core/operation.ts";
import { exportOpenApi, loadExamples } from "../../../src/service/openapi/export.ts";
import { VERSION } from "../../../src/library/sandbox.ts";
import { withNulls } from "../../support/official-replies.ts";
import { testWorld } from "../../support/world.ts";

const URL_SHOWN = "http://127.0.0.1:4010";
// biome-ignore lint/suspicious/noExplicitAny: the document is read freely
const document = exportOpenApi(URL_SHOWN, VERSION, await loadExamples(URL_SHOWN)) as any;

/** The rules of OpenAPI 3.0 for the exported parts. Unknown names are refused. */
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
        summary: { type: "string", minLength: 1 },
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
              description: { type: "string" },
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
        properties: { schema: { $ref: "#/definitions/schema" }, example: {} },
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
        // Keywords of later JSON Schema drafts, which OpenAPI 3.0 lacks.
        const: false,
        $defs: false,
        prefixItems: false,
        propertyNames: false,
        $schema: false,
      },
    },
  },
};

interface Member {
  place: string;
  name: string;
  description: string | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the document is read freely
function membersOf({ operationId, parameters, requestBody, responses }: any): Member[] {
  const bodies = [requestBody, ...Object.values(responses)].flatMap((one) =>
    // biome-ignore lint/suspicious/noExplicitAny: the document is read freely
    Object.values((one as any)?.content ?? {}).flatMap(({ schema }: any) => membersIn(schema, operationId)),
  );
  return [...parameters.map((one: Omit<Member, "place">) => ({ ...one, place: `${operationId} ${one.name}` })), ...bodies];
}

// biome-ignore lint/suspicious/noExplicitAny: the document is read freely
function membersIn(schema: any, place: string): Member[] {
  if (typeof schema !== "object" || schema.$ref) return [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    const inner = `${place} ${name}`;
    return [{ place: inner, name, description: (one as Member).description }, ...membersIn(one, inner)];
  });
  const inside = [schema.items, schema.additionalProperties, ...["anyOf", "oneOf", "allOf"].flatMap((kind) => schema[kind])];
  return [...own, ...inside.filter(Boolean).flatMap((one) => membersIn(one, place))];
}

/** True for a sentence of at least three words that says more than the name. */
function saysSomething({ name, description = "" }: Member): boolean {
  const words = description.toLowerCase().match(/[a-z]+/g) ?? [];
  const own = words.filter((word) => !["the", "a", "an", "is", "this", "its"].includes(word));
  return words.length >= 3 && /^[A-Z].*\.$/.test(description) && own.join("_") !== name.toLowerCase();
}

describe("openapi.json", () => {
  test("conforms to the schema of OpenAPI 3.0", () => {
    const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
    const validate = ajv.compile(OPENAPI);
    validate(document);
    expect(validate.errors).toBeNull();
  });

  test("passes a validator of OpenAPI documents", async () => {
    const plain = JSON.parse(JSON.stringify(document));
    expect(await new Validator().validate(plain)).toEqual({ valid: true });
    plain.paths["/public/v1/documents"].get.responses = {};
    expect(await new Validator().validate(plain)).toMatchObject({ valid: false });
  });

  test("describes each member of each operation in a sentence that says more than its name", () => {
    const members = Object.values(document.paths as Record<string, object>).flatMap((item) =>
      Object.values(item).flatMap((operation) => membersOf(operation)),
    );
    expect(members.length).toBeGreaterThan(3000);
    expect(members.filter((one) => !saysSomething(one)).map(({ place, description }) => `${place}: ${description}`)).toEqual([]);
    // The check itself finds descriptions that only repeat the name or say nothing.
    expect(saysSomething({ place: "", name: "time_limit", description: "The time limit." })).toBe(false);
    expect(saysSomething({ place: "", name: "id", description: "An id." })).toBe(false);
  });

  test("has a valid example for each JSON answer and each JSON body", () => {
    const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
    // URLs in examples may point to this machine.
    ajv.addFormat("url", (text: string) => URL.canParse(text));
    const without: string[] = [];
    for (const operation of Object.values(document.paths as Record<string, object>).flatMap((item) => Object.values(item))) {
      const { operationId: id, requestBody, responses } = operation;
      const success = Object.keys(responses).find(
        (status) => status < "300" && responses[status].content?.["application/json"]?.example,
      );
      if (
        success === undefined &&
        Object.values<{ content?: object }>(responses).some(
          (one, i) => i === 0 && one.content && "application/json" in one.content,
        )
      )
        without.push(id);
      const contents = [
        requestBody?.content["application/json"],
        requestBody?.content["application/x-www-form-urlencoded"],
        success && responses[success].content["application/json"],
      ].filter(Boolean);
      for (const { schema, example } of contents) {
        if (example === undefined) without.push(`${id}: body`);
        else {
          const validate = ajv.compile(withNulls(schema) as object);
          expect.soft(validate(example), `${id}: ${JSON.stringify(validate.errors)}`).toBe(true);
        }
      }
    }
    expect(without).toEqual([]);
  });

  test("has each served operation once, with its path and its statuses", () => {
    const found = Object.entries(document.paths).flatMap(([path, item]) =>
      // biome-ignore lint/suspicious/noExplicitAny: the document is read freely
      Object.entries(item as any).map(([method, one]: [string, any]) => ({
        id: one.operationId,
        route: `${method.toUpperCase()} ${path}`,
        statuses: Object.keys(one.responses).map(Number).sort(),
        pathNames: one.parameters.filter((parameter: { in: string }) => parameter.in === "path").length,
      })),
    );
    const served = operations.map((one) => ({
      id: one.id,
      route: one.route,
      statuses: [...new Set([...Object.keys(one.responses).map(Number), ...errorsOf(one)])].sort(),
      pathNames: [...parseRoute(one.route).path.matchAll(/\{\w+\}/g)].length,
    }));
    const byRoute = (a: { route: string }, b: { route: string }) => (a.route < b.route ? -1 : 1);
    expect(found.sort(byRoute)).toEqual(served.sort(byRoute));
  });

  test("refers only to schemas that it contains", () => {
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(Object.keys(document.components.schemas)).toContain(name);
  });

  test("describes numbers and lists of a query with their types", () => {
    const parameters = document.paths["/public/v1/documents"].get.parameters as { name: string; schema: object }[];
    const schemaOf = (name: string) => parameters.find((one) => one.name === name)?.schema;
    expect(schemaOf("count")).toEqual({ type: "integer", minimum: 1, maximum: 100 });
    expect(schemaOf("metadata")).toEqual({ type: "array", items: { type: "string" } });
  });

  test("suits client generators: named classes, dates with a format, no patterns for formats, no null types", () => {
    const titles: string[] = [];
    const walk = (value: unknown, visit: (schema: Record<string, unknown>) => void): void => {
      if (typeof value !== "object" || value === null) return;
      if (!Array.isArray(value)) visit(value as Record<string, unknown>);
      for (const [name, inner] of Object.entries(value)) if (name !== "example") walk(inner, visit);
    };
    walk(document.paths, (schema) => {
      if (typeof schema.title === "string") titles.push(schema.title);
      expect
        .soft(schema.type === undefined ? schema.nullable : undefined, "nullable means nothing without a type")
        .toBeUndefined();
      if (Array.isArray(schema.enum)) {
        const names = schema.enum.map(String);
        expect.soft(new Set(names).size, `${names}`).toBe(names.length);
        expect.soft(schema.enum.includes(null)).toBe(schema.nullable === true);
      }
      if (["email", "uuid", "date-time"].includes(schema.format as string)) expect.soft(schema.pattern).toBeUndefined();
    });
    expect(titles).toContain("CreateDocumentRequest");
    expect(new Set(titles).size).toBe(titles.length);
    const list = document.paths["/public/v1/documents"].get.responses[200].content["application/json"].schema;
    const { date_created, date_completed } = list.properties.results.items.properties;
    expect(date_created).toEqual({ type: "string", format: "date-time", description: expect.any(String) });
    expect(date_completed).toEqual({ type: "string", format: "date-time", nullable: true, description: expect.any(String) });
    const { value } =
      document.paths["/public/v1/documents/{id}/fields"].get.responses[200].content["application/json"].schema.properties.fields
        .items.properties;
    expect(value).toEqual({ description: expect.stringMatching(/\. One of string, boolean, object, null\.$/) });
  });

  test("describes integers without JavaScript's bounds, and numeric choices as one enum", () => {
    expect(JSON.stringify(document.paths)).not.toContain(String(Number.MAX_SAFE_INTEGER));
    const bodyOf = (path: string, method: string) => document.paths[path][method].requestBody.content["application/json"].schema;
    expect(bodyOf("/public/v1/documents/{id}/status", "patch").properties.status).toEqual({
      type: "integer",
      enum: [2, 10, 11, 12],
      description: expect.stringMatching(/\. Also accepted as text\.$/),
    });
    const item = bodyOf("/public/v2/product-catalog/items", "post").properties.bundle_items.items.properties.item_or_uuid
      .anyOf[1];
    expect(item.properties.price_configuration.properties.pricing_method).toMatchObject({ type: "integer", enum: [0, 1, 2] });
  });

  test("describes a file as a binary part", () => {
    const { requestBody } = document.paths["/public/v1/documents?upload"].post;
    expect(requestBody.content["multipart/form-data"].schema.properties.file).toMatchObject({ type: "string", format: "binary" });
  });

  test("describes real answers of the server", async () => {
    const world = await testWorld();
    const { status, body } = await world.request("GET", "/openapi.json", { key: null });
    expect(status).toBe(200);
    expect(body.servers).toEqual([{ url: world.sandbox.url }]);
    const own = JSON.stringify(document.paths).replaceAll(URL_SHOWN, world.sandbox.url);
    expect(body.paths).toEqual(JSON.parse(own));

    const { schema } = body.paths["/public/v1/templates"].get.responses[200].content["application/json"];
    const validate = addFormats.default(new Ajv({ strict: false })).compile(schema);
    const templates = await world.call("listTemplates");
    expect(validate(templates.body), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ results: [{ id: 7 }] })).toBe(false);
  });
});
