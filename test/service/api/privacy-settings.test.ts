import { describe, expect, test } from "vitest";
import { anotherWorkspace, WORKSPACE } from "../../support/people.ts";
import { aDraft, succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const params = { workspace_id: WORKSPACE };
const NEW = {
  workspace_id: WORKSPACE,
  hipaa_compliance_enabled: false,
  cfr11_compliance_enabled: false,
  ai_features_enabled: true,
  ai_on_premises_processing_enabled: true,
  ai_cloud_third_party_enabled: true,
  ai_on_premises_training_enabled: true,
  ai_third_party_training_enabled: false,
};
const OFF = {
  ai_features_enabled: false,
  ai_on_premises_processing_enabled: false,
  ai_cloud_third_party_enabled: false,
  ai_on_premises_training_enabled: false,
  ai_third_party_training_enabled: false,
};
const FORBIDDEN = { status: 403, body: { code: "forbidden", details: [] } };

const read = async (world: TestWorld) => (await succeed(world.call("getWorkspacePrivacySettings", { params }))).body;
const update = (world: TestWorld, body: unknown) => world.call("updateWorkspacePrivacySettings", { params, body });

async function seeded(settings: object): Promise<TestWorld> {
  const workspaces = [{ id: WORKSPACE, name: "Northpeak", settings }];
  await succeed(world.admin("POST", "/scenarios", { version: 1, name: "privacy", world: { workspaces } }));
  return world;
}

describe("getWorkspacePrivacySettings", () => {
  test("getWorkspacePrivacySettings shows the settings of the fixtures, and HIPAA forces every AI setting off", async () => {
    const some = await seeded({ cfr_part_11: true, privacy: { ai_cloud_third_party_enabled: false } });
    expect(await read(some)).toEqual({ ...NEW, cfr11_compliance_enabled: true, ai_cloud_third_party_enabled: false });
    const hipaa = await seeded({ privacy: { hipaa_compliance_enabled: true, ai_features_enabled: true } });
    expect(await read(hipaa)).toEqual({ ...NEW, ...OFF, hipaa_compliance_enabled: true });
  });
});

describe("updateWorkspacePrivacySettings", () => {
  test("updateWorkspacePrivacySettings changes only the named settings, and keeps them", async () => {
    const changed = { ...NEW, ai_cloud_third_party_enabled: false, ai_third_party_training_enabled: true };
    const body = { ai_cloud_third_party_enabled: false, ai_third_party_training_enabled: true };
    expect(await update(world, body)).toMatchObject({ status: 200, body: changed });
    expect((await succeed(update(world, {}))).body).toEqual(changed);
    expect(await read(world)).toEqual(changed);
  });

  test("updateWorkspacePrivacySettings with the master switch off turns every AI setting off, until each is turned on again", async () => {
    expect((await succeed(update(world, { ai_features_enabled: false, ai_cloud_third_party_enabled: true }))).body).toEqual({
      ...NEW,
      ...OFF,
    });
    expect((await succeed(update(world, { ai_cloud_third_party_enabled: true }))).body).toEqual({ ...NEW, ...OFF });
    const on = { ...NEW, ...OFF, ai_features_enabled: true };
    expect((await succeed(update(world, { ai_features_enabled: true }))).body).toEqual(on);
    const cloud = await succeed(update(world, { ai_cloud_third_party_enabled: true }));
    expect(cloud.body).toEqual({ ...on, ai_cloud_third_party_enabled: true });
  });

  test("updateWorkspacePrivacySettings cannot override HIPAA", async () => {
    const world = await seeded({ privacy: { hipaa_compliance_enabled: true } });
    const off = { ...NEW, ...OFF, hipaa_compliance_enabled: true };
    expect((await succeed(update(world, { ai_features_enabled: true, ai_cloud_third_party_enabled: true }))).body).toEqual(off);
  });

  test("updateWorkspacePrivacySettings ignores members that only the answer has, and client lint names them", async () => {
    const body = { hipaa_compliance_enabled: true, cfr11_compliance_enabled: true, ai_on_premises_training_enabled: false };
    expect((await succeed(update(world, body))).body).toEqual(NEW);
    const { findings } = (await succeed(world.admin("GET", "/contract"))).body;
    expect(findings.map((one: { kind: string }) => one.kind)).toEqual(["unknown_field", "unknown_field", "unknown_field"]);
    for (const name of Object.keys(body)) expect(JSON.stringify(findings)).toContain(name);
  });
});

test("searchDocumentsAi, getDocumentSummary and the extracted values answer 403 while the AI features are off", async () => {
  const document_id = await aDraft(world);
  const { key } = await anotherWorkspace(world);
  const calls = () =>
    Promise.all([
      world.call("searchDocumentsAi", { query: { q: "offer" } }),
      world.call("getDocumentSummary", { params: { document_id }, query: { type: "short" } }),
      world.call("getDocumentAiMetadata", { params: { document_id } }),
      world.call("batchGetDocumentAiMetadata", { body: { document_ids: [document_id] } }),
    ]);
  const before = (await calls()).map(({ status }) => status);
  expect(before.every((status) => status < 300 || status === 409)).toBe(true);
  await succeed(update(world, { ai_features_enabled: false }));
  for (const answer of await calls()) {
    expect(answer).toMatchObject(FORBIDDEN);
    expect(answer.headers.get("x-docdouble-why")).toContain("ai_features_enabled");
  }
  const content = { params: { document_id }, query: { format: "markdown" } };
  expect((await world.call("getDocumentContent", content)).status).toBe(200);
  expect((await world.call("searchDocumentsAi", { key, query: { q: "offer" } })).status).toBe(200);
  await succeed(update(world, { ai_features_enabled: true }));
  expect((await calls()).map(({ status }) => status)).toEqual(before);
});
