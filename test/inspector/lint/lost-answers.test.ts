/** Tests how journal, coverage, log and contract report treat answers that were lost, truncated or replaced. */
import { expect, test } from "vitest";
import { lab } from "../../support/lab.ts";
import { aDraft, CLIENT, statusOf, TEMPLATES } from "../../support/stories.ts";
import type { TestWorld } from "../../support/world.ts";

const BODY = { template_uuid: TEMPLATES.oneSigner, name: "Once", recipients: [CLIENT] };

const create = (world: TestWorld) => world.call("createDocument", { body: BODY }).catch(() => undefined);
const withFault = (then: object) =>
  lab({ rules: [{ name: "spoilt", when: { operation: "createDocument" }, then: { times: 1, ...then } }] });

async function seen(world: TestWorld) {
  const { requests } = (await world.admin("GET", "/requests")).body;
  const coverage = (await world.admin("GET", "/coverage")).body.operations;
  const { findings } = (await world.admin("GET", "/contract")).body;
  return {
    statuses: requests.map((one: { response: { status: number | null } }) => one.response.status).reverse(),
    covered: coverage.find((one: { operationId: string }) => one.operationId === "createDocument").statuses,
    findings: findings.map((one: { kind: string }) => one.kind),
  };
}

test.each<[string, object, unknown]>([
  ["never carried out", { network: "reset" }, { statuses: [null, 201], covered: { 201: 1 }, findings: [] }],
  [
    "carried out but lost its answer",
    { network: "reset", phase: "after" },
    { statuses: [201, 201], covered: { 201: 1 }, findings: ["duplicate_create"] },
  ],
  [
    "carried out with a truncated answer",
    { network: "truncate" },
    { statuses: [201, 201], covered: { 201: 1 }, findings: ["duplicate_create"] },
  ],
  [
    "carried out with a slow but complete answer",
    { network: "slow" },
    { statuses: [201, 201], covered: { 201: 2 }, findings: ["duplicate_create"] },
  ],
  [
    "carried out with a replaced answer",
    { respond: { status: 502 }, phase: "after", undeclared: true },
    { statuses: [502, 201], covered: { 201: 1 }, findings: ["duplicate_create"] },
  ],
  [
    "refused by a rule",
    { respond: { status: 502 }, undeclared: true },
    { statuses: [502, 201], covered: { 201: 1 }, findings: [] },
  ],
])("createDocument repeated after a call that was %s has the right journal, coverage and findings", async (_, then, expected) => {
  const world = await withFault(then);
  await create(world);
  await create(world);
  expect(await seen(world)).toEqual(expected);
});

test.each<[string, object]>([
  ["reset", { network: "reset" }],
  ["hang", { network: "hang" }],
  ["truncate", { network: "truncate" }],
  ["an error of the service", { error: "throttled" }],
])("sendDocument sends each document once, even though a rule replaces each first answer with: %s", async (how, then) => {
  const world = await lab({
    rules: [
      {
        name: "lost",
        when: { operation: "sendDocument", call: { first: 1, per: "document" } },
        then: { phase: "after", ...then },
      },
    ],
  });
  const ids = [await aDraft(world), await aDraft(world)];
  for (const id of ids) {
    // The client of a hanging call aborts once the call is in the journal.
    const gone = new AbortController();
    const unwatch = world.tenant.journal.watch(() => how === "hang" && gone.abort());
    const init = { method: "POST", headers: { authorization: "API-Key docdouble-key" }, signal: gone.signal };
    const first = world.sandbox.fetch(`/public/v1/documents/${id}/send`, init).then(async (one) => {
      await one.json();
      return one.status;
    });
    expect(await first.catch(() => "lost")).toBe("error" in then ? 429 : "lost");
    unwatch();
    expect(await statusOf(world, id)).toBe("document.sent");
    // The service refuses a second send, because the document is already sent.
    expect((await world.call("sendDocument", { params: { id }, body: {} })).status).toBe(409);
  }
});

test("listLogs omits a call that never reached the service", async () => {
  const world = await withFault({ network: "empty" });
  await create(world);
  await create(world);
  const { results } = (await world.call("listLogs")).body;
  expect(results.map((one: { status: number }) => one.status)).toEqual([201]);
});
