/** Tests the values that the reference fills into its forms, and the limits that it states. */
import { expect, test } from "vitest";
import examples from "../../fixtures/api-examples.json" with { type: "json" };
import type { Description } from "../../src/inspector/reference/reference.ts";
import { type OperationId, operations } from "../../src/service/api/index.ts";
import { openapi, trialOf } from "../../src/service/service.ts";
import { aPdf } from "../support/content.ts";
import { within } from "../support/patience.ts";
import { WORKSPACE } from "../support/people.ts";
import { aDraft, aSentDocument } from "../support/stories.ts";
import { VALID_CALLS } from "../support/valid-calls.ts";
import { type CallOptions, testWorld } from "../support/world.ts";

const EXAMPLES = examples as Readonly<Record<string, { request?: unknown }>>;
/** The form of a token needs a code, which nobody gets without a visit of the authorize page. */
const WITHOUT_TRIAL: ReadonlySet<string> = new Set(["accessToken"]);

/** What the form sends. */
async function formOf(id: string, body: unknown): Promise<CallOptions> {
  if (id === "createDocumentFromMarkdownUpload")
    return { parts: { file: new File(["# Offer"], "offer.md", { type: "text/markdown" }), ...(body as object) } };
  if (id.endsWith("Upload")) return { parts: { file: await aPdf(), ...(body as object) } };
  const sent = body ?? EXAMPLES[id]?.request;
  return sent === undefined ? {} : { body: sent };
}

test("the form of every operation succeeds unchanged in a world that has what the operation needs", {
  timeout: within(60_000),
}, async () => {
  const failed: Record<string, unknown> = {};
  for (const { id } of operations as readonly { id: OperationId }[]) {
    if (WITHOUT_TRIAL.has(id)) continue;
    const world = await testWorld({ assume: { "rate_limit.profile": "none" } });
    await VALID_CALLS[id](world);
    const { params, query, body } = trialOf(world.tenant, WORKSPACE, id);
    const answer = await world.call(id, { params, query, ...(await formOf(id, body)) });
    if (answer.status >= 300) failed[id] = [answer.status, answer.body];
  }
  expect(failed).toEqual({});
});

test("a form takes the newest document that allows the operation, and no document of another workspace", async () => {
  const world = await testWorld();
  const [draft, sent] = [await aDraft(world), await aSentDocument(world)];
  const documentOf = (id: OperationId, workspace = WORKSPACE) => trialOf(world.tenant, workspace, id).params;
  expect(documentOf("updateDocument")).toEqual({ id: draft });
  expect(documentOf("createDocumentLink")).toEqual({ id: sent });
  expect(documentOf("updateDocument", "another")).toEqual({});
});

test("every limit of a query parameter that the reference states refuses other values with 400", {
  timeout: within(30_000),
}, async () => {
  const { paths } = (await openapi.describe("http://127.0.0.1:4010", "0")) as Description;
  const world = await testWorld({ assume: { "rate_limit.profile": "none" } });
  const accepted: string[] = [];
  let count = 0;
  for (const one of Object.values(paths).flatMap((item) => Object.values(item)))
    for (const { name, in: place, schema } of one.parameters) {
      if (place !== "query") continue;
      const id = one.operationId as OperationId;
      const wrong = [
        ...(schema.minimum === undefined ? [] : [String(schema.minimum - 1)]),
        ...(schema.maximum === undefined || schema.maximum === Number.MAX_SAFE_INTEGER ? [] : [String(schema.maximum + 1)]),
        ...(schema.minLength === undefined ? [] : [""]),
        ...(schema.enum || schema.type === "integer" || schema.type === "boolean" || schema.format ? ["nonsense"] : []),
      ];
      const options = wrong.length > 0 ? await VALID_CALLS[id](world) : {};
      for (const value of wrong) {
        count++;
        const { status } = await world.call(id, { ...options, query: { ...options.query, [name]: value } });
        if (status !== 400) accepted.push(`${id} ${name}=${value}: ${status}`);
      }
    }
  expect(accepted).toEqual([]);
  expect(count).toBeGreaterThan(100);
});
