import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { operations } from "../../../src/service/nouns/index.ts";
import { errorsOf, parseRoute } from "../../../src/engine/core/operation.ts";
import { loadExamples } from "../../../src/service/openapi/examples.ts";
import { exportOpenApi } from "../../../src/service/openapi/export.ts";
import { VERSION } from "../../../src/library/sandbox.ts";

const URL_SHOWN = "http://127.0.0.1:4010";
// biome-ignore lint/suspicious/noExplicitAny: the document is read freely
const document = exportOpenApi(URL_SHOWN, VERSION, await loadExamples(URL_SHOWN)) as any;

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

  test("describes integers without JavaScript's bounds, and a file as a binary part", () => {
    expect(JSON.stringify(document.paths)).not.toContain(String(Number.MAX_SAFE_INTEGER));
    const { requestBody } = document.paths["/public/v1/documents?upload"].post;
    expect(requestBody.content["multipart/form-data"].schema.properties.file).toMatchObject({
      type: "string",
      contentMediaType: "application/octet-stream",
    });
  });
});
