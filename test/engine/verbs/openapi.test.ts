/** The description of the admin API at `GET /__admin/openapi.json`. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { adminOperations } from "../../../src/library/surfaces.ts";
import { parseRoute } from "../../../src/engine/core/operation.ts";
import { testWorld } from "../../support/world.ts";

const HTTP = ["get", "put", "post", "delete"];

test("the admin API describes each of its operations in valid OpenAPI 3.1", async () => {
  const world = await testWorld();
  const { status, body } = await world.admin("GET", "/openapi.json");
  expect([status, body.openapi]).toEqual([200, "3.1.0"]);
  const { valid, errors } = await new Validator().validate(structuredClone(body));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  const described = Object.entries<Record<string, { operationId: string }>>(body.paths).flatMap(([path, methods]) =>
    HTTP.flatMap((method) => (methods[method] ? [`${methods[method].operationId} ${method.toUpperCase()} ${path}`] : [])),
  );
  const served = adminOperations
    .filter((one) => one.verb)
    .map(({ id, route }) => {
      const { method, path } = parseRoute(route);
      return `${id} ${method} ${path}`;
    });
  expect(described.sort()).toEqual(served.sort());
  expect(body.info.description).toContain("The pages of the inspector are left out");
});

test("a request body is required when at least one of its members is", async () => {
  const world = await testWorld();
  const { body } = await world.admin("GET", "/openapi.json");
  type Body = { required: boolean; content: Record<string, { schema: { properties?: object; required?: string[] } }> };
  const found = Object.values<Record<string, { operationId: string; requestBody?: Body }>>(body.paths).flatMap((methods) =>
    HTTP.flatMap((method) => {
      const { operationId, requestBody } = methods[method] ?? {};
      const schema = requestBody?.content["application/json"]?.schema;
      if (!requestBody || Object.keys(schema?.properties ?? {}).length === 0) return [];
      const [members, needed] = [Object.keys(schema?.properties ?? {}).length, schema?.required?.length ?? 0];
      return [{ operationId, required: requestBody.required, needed, members }];
    }),
  );
  for (const one of found) expect(one).toEqual({ ...one, required: one.needed > 0 });
  expect(found.some((one) => one.needed > 0 && one.needed < one.members)).toBe(true);
  expect(found.some((one) => one.needed === 0)).toBe(true);
});

test("each schema of the description compiles, and each reference leads to a schema", async () => {
  const world = await testWorld();
  const { body } = await world.admin("GET", "/openapi.json");
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(body, "admin");
  const schemas: string[] = [];
  const walk = (value: unknown, pointer: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (name === "schema") schemas.push(at);
      else walk(inner, at);
    }
  };
  walk(body.paths, "/paths");
  expect(schemas.length).toBeGreaterThan(adminOperations.filter((one) => one.verb).length);
  for (const pointer of schemas) expect(ajv.getSchema(`admin#${encodeURI(pointer)}`), pointer).toBeTypeOf("function");
});

test("the input of an act is described member by member, with reassign of forward", async () => {
  const world = await testWorld();
  const { body } = await world.admin("GET", "/openapi.json");
  const { schema } = body.paths["/__admin/documents/{id}/simulate/{act}"].post.requestBody.content["application/json"];
  const undescribed = Object.entries<{ description?: string }>(schema.properties).filter(([, one]) => !one.description);
  expect(undescribed).toEqual([]);
  expect(schema.properties.to.properties.reassign.description).toContain("gives the fields to the receiver");
});
