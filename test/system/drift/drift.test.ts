/** Alters copies of the served description in one place, and requires exactly this difference. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareDescriptions, DriftError, toLine } from "../../../bench/drift/compare.ts";
import { exportOpenApi } from "../../../src/service/openapi/export.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is altered freely
type Node = any;
const served = exportOpenApi("http://localhost", "0.0.0", {}) as Node;
const copy = (): Node => structuredClone(served);
const listed = (document: Node) => compareDescriptions(served, document).map(({ kind, place }) => [kind, place]);

const operations = Object.entries<Node>(served.paths).flatMap(([path, item]) =>
  Object.keys(item).map((method) => ({ path, method, name: `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{}")}` })),
);

interface Spot {
  place: string;
  reach: (document: Node) => { holder: Node; name: string };
}

/** The members of bodies and answers outside unions. */
const spots: Spot[] = operations.flatMap(({ path, method, name }) => {
  const found: Spot[] = [];
  const visit = (schema: Node, place: string, at: (document: Node) => Node): void => {
    if (!schema || schema.anyOf || schema.oneOf || schema.allOf) return;
    for (const key of Object.keys(schema.properties ?? {})) {
      found.push({ place: `${place}.${key}`, reach: (document) => ({ holder: at(document), name: key }) });
      visit(schema.properties[key], `${place}.${key}`, (document) => at(document).properties[key]);
    }
    if (schema.items) visit(schema.items, `${place}[]`, (document) => at(document).items);
  };
  const mediaOf = (holder: Node): string => Object.keys(holder?.content ?? {})[0] ?? "";
  const operation = served.paths[path][method];
  const body = mediaOf(operation.requestBody);
  if (body)
    visit(
      operation.requestBody.content[body].schema,
      `${name} body`,
      (one) => one.paths[path][method].requestBody.content[body].schema,
    );
  const media = mediaOf(operation.responses["200"]);
  if (media)
    visit(
      operation.responses["200"].content[media].schema,
      `${name} 200`,
      (one) => one.paths[path][method].responses["200"].content[media].schema,
    );
  return found;
});

const anOperation = fc.constantFrom(...operations);
const aSpot = fc.constantFrom(...spots);

describe("compareDescriptions", () => {
  test("finds no difference in an unaltered copy", () => {
    expect(compareDescriptions(served, copy())).toEqual([]);
    expect(spots.length).toBeGreaterThan(500);
  });

  test("reports exactly the operation or status that is new or gone", () => {
    fc.assert(
      fc.property(anOperation, fc.constantFrom("gone", "new"), fc.boolean(), ({ path, method, name }, change, isStatus) => {
        const document = copy();
        const { responses } = document.paths[path][method];
        if (isStatus && change === "gone") delete responses["429"];
        if (isStatus && change === "new") responses["418"] = { description: "New" };
        if (!isStatus && change === "gone") delete document.paths[path][method];
        if (!isStatus && change === "new") document.paths["/new"] = { post: document.paths[path][method] };
        const place = isStatus ? `${name} ${change === "gone" ? 429 : 418}` : change === "gone" ? name : "POST /new";
        if (isStatus && change === "gone" && path === "/oauth2/access_token") return;
        expect(listed(document)).toEqual([[isStatus ? "status" : "operation", place]]);
      }),
      { numRuns: 12 },
    );
  });

  test("reports exactly the member that is new or gone", () => {
    fc.assert(
      fc.property(aSpot, fc.boolean(), ({ place, reach }, isNew) => {
        const document = copy();
        const { holder, name } = reach(document);
        // An object without members takes any member, so the loss of its only member is two differences.
        fc.pre(isNew || Object.keys(holder.properties).length > 1);
        if (isNew) holder.properties.newcomer = { type: "string" };
        else {
          delete holder.properties[name];
          holder.required = holder.required?.filter((one: string) => one !== name);
        }
        expect(listed(document)).toEqual([["member", isNew ? place.replace(/[^.]+$/, "newcomer") : place]]);
      }),
      { numRuns: 12 },
    );
  });

  test.each<[string, (schema: Node, holder: Node, name: string) => void]>([
    ["enum", (schema) => (schema.enum = [...(schema.enum ?? []), "newcomer"])],
    ["default", (schema) => (schema.default = "newcomer")],
    ["maximum", (schema) => (schema.maximum = 4711)],
    ["maxLength", (schema) => (schema.maxLength = 4711)],
    ["minItems", (schema) => (schema.minItems = 4711)],
    ["type", (schema) => (schema.type = "newcomer")],
    [
      "required",
      (_, holder, name) => {
        const before: string[] = holder.required ?? [];
        holder.required = before.includes(name) ? before.filter((one) => one !== name) : [...before, name];
      },
    ],
  ])("reports exactly a changed %s", (value, change) => {
    fc.assert(
      fc.property(aSpot, ({ place, reach }) => {
        const document = copy();
        const { holder, name } = reach(document);
        change(holder.properties[name], holder, name);
        expect(listed(document)).toEqual([["value", `${place} ${value}`]]);
      }),
      { numRuns: 5 },
    );
  });

  test("names both values, and refuses files that are not OpenAPI 3", () => {
    const document = copy();
    document.paths["/public/v1/workspaces"].get.parameters.find((one: Node) => one.name === "count").schema.maximum = 50;
    expect(compareDescriptions(served, document).map(toLine)).toEqual([
      "value GET /public/v1/workspaces query.count maximum: 50 in the file, 100 in docdouble",
    ]);
    for (const wrong of [
      null,
      [],
      "x",
      {},
      { openapi: "2.0", paths: {} },
      { openapi: "3.0.3" },
      { openapi: "3.0.3", paths: { "/a": 1 } },
    ])
      expect(() => compareDescriptions(served, wrong)).toThrow(DriftError);
    const broken = {
      openapi: "3.1.0",
      paths: { "/a": { get: { responses: { 200: { $ref: "#/components/responses/none" } } } } },
    };
    expect(() => compareDescriptions(served, broken)).toThrow("#/components/responses/none");
  });
});
