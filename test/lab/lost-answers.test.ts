/** What journal, coverage, log and contract make of answers that were lost, cut or replaced. */
import { expect, test } from "vitest";
import { lab } from "../support/lab.ts";
import { CLIENT, TEMPLATES } from "../support/stories.ts";
import type { TestWorld } from "../support/world.ts";

const BODY = { template_uuid: TEMPLATES.oneSigner, name: "Once", recipients: [CLIENT] };

const create = (world: TestWorld) => world.call("createDocument", { body: BODY }).catch(() => undefined);
const spoilt = (then: object) =>
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
    "carried out and lost",
    { network: "reset", phase: "after" },
    { statuses: [201, 201], covered: { 201: 1 }, findings: ["duplicate_create"] },
  ],
  ["cut in half", { network: "truncate" }, { statuses: [201, 201], covered: { 201: 1 }, findings: ["duplicate_create"] }],
  ["slow, but whole", { network: "slow" }, { statuses: [201, 201], covered: { 201: 2 }, findings: ["duplicate_create"] }],
  [
    "carried out and replaced",
    { respond: { status: 502 }, phase: "after", undeclared: true },
    { statuses: [502, 201], covered: { 201: 1 }, findings: ["duplicate_create"] },
  ],
  [
    "refused in its place",
    { respond: { status: 502 }, undeclared: true },
    { statuses: [502, 201], covered: { 201: 1 }, findings: [] },
  ],
])("createDocument repeated after an answer that was %s", async (_, then, expected) => {
  const world = await spoilt(then);
  await create(world);
  await create(world);
  expect(await seen(world)).toEqual(expected);
});

test("listLogs: a call that never reached the service is not in its log", async () => {
  const world = await spoilt({ network: "empty" });
  await create(world);
  await create(world);
  const { results } = (await world.call("listLogs")).body;
  expect(results.map((one: { status: number }) => one.status)).toEqual([201]);
});
