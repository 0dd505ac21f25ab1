/** The law of declared errors: the schema of each declared error has the members that the answers have. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { errorsOf, parseRoute } from "../../../src/engine/core/operation.ts";
import { operations } from "../../../src/service/nouns/index.ts";
import { loadExamples } from "../../../src/service/openapi/examples.ts";
import { exportOpenApi } from "../../../src/service/openapi/export.ts";
import { aDraft, anUploadedDocument, aSentDocument } from "../../support/stories.ts";
import { SANDBOX_KEY, useWorld } from "../../support/world.ts";

const world = useWorld();

const URL_SHOWN = "http://127.0.0.1:4010";
const examples = await loadExamples(URL_SHOWN);
// biome-ignore lint/suspicious/noExplicitAny: the description is read freely
const description = exportOpenApi(URL_SHOWN, "0.0.0", examples) as any;

function schemaOf(route: string, status: number): { properties: object } {
  const { method, path, variant } = parseRoute(route);
  const item = description.paths[variant === undefined ? path : `${path}?${variant}`];
  const { $ref } = item[method.toLowerCase()].responses[status].content["application/json"].schema;
  return description.components.schemas[$ref.slice("#/components/schemas/".length)];
}

const routeOf = (id: string) => operations.find((one) => one.id === id)?.route ?? "";

function problemsOf(route: string, status: number, body: object): string[] {
  const schema = schemaOf(route, status);
  const ajv = new Ajv2020({ strict: false });
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(schema.properties, name));
  const wrong = ajv.validate(schema, body) ? [] : [ajv.errorsText()];
  return [...wrong, ...unknown.map((name) => `${name} is not in the schema`)].map((one) => `${route} ${status}: ${one}`);
}

test("each recorded refusal has the members of its declared schema, and no others", () => {
  const problems = operations.flatMap((operation) =>
    errorsOf(operation).flatMap((status) => {
      const body = examples.refusals[operation.id]?.[status];
      return body === undefined ? [] : problemsOf(operation.route, status, body as object);
    }),
  );
  expect(problems).toEqual([]);
});

test.each(["detailsDocument", "sendDocument"] as const)(
  "the 409 of %s is declared with id, status and info_message",
  async (id) => {
    const document = await anUploadedDocument(world);
    const answer = await world.call(id, { params: { id: document }, ...(id === "sendDocument" ? { body: {} } : {}) });
    expect([answer.status, Object.keys(answer.body).sort()]).toEqual([409, ["id", "info_message", "status"]]);
    expect(problemsOf(routeOf(id), 409, answer.body)).toEqual([]);
    expect(schemaOf(routeOf(id), 409)).toMatchObject({ required: ["id", "status", "info_message"] });
  },
);

test("refusals that no record shows have their declared schema too", async () => {
  const key = { key: SANDBOX_KEY };
  const foreign = await aDraft(world, key);
  const sandbox = await world.call("sendDocument", { params: { id: foreign }, body: {}, ...key });
  const sent = await aSentDocument(world);
  const again = await world.call("sendDocument", { params: { id: sent }, body: {} });
  const unknown = await world.call("getDocumentSummary", { params: { id: "none" }, query: { type: "short" } });
  const unstarted = await world.call("getDocumentAiMetadata", { params: { document_id: sent } });
  const found = [
    ["sendDocument", sandbox],
    ["sendDocument", again],
    ["getDocumentSummary", unknown],
    ["getDocumentAiMetadata", unstarted],
  ] as const;
  expect(found.map(([, { status }]) => status)).toEqual([403, 409, 404, 409]);
  expect(found.flatMap(([id, { status, body }]) => problemsOf(routeOf(id), status, body))).toEqual([]);
});
