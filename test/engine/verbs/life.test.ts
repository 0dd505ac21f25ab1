import { describe, expect, test } from "vitest";
import { receiver } from "../../support/receiver.ts";
import { aCompletedDocument, aDraft, anUploadedDocument, aSubscription, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const RULE = { name: "busy", when: { operation: "statusDocument" }, then: { error: "throttled" } };

/** Changes every part that a reset restores. */
async function everything(world: TestWorld) {
  const hook = await receiver();
  await aSubscription(world, hook);
  hook.answerWith(500);
  await aCompletedDocument(world);
  await succeed(world.call("sendDocument", { params: { id: await aDraft(world) }, body: { silent: false } }));
  await succeed(world.admin("POST", "/rules", RULE));
  await succeed(world.admin("POST", "/transitions", { model: "document.processing", progression: "manual" }));
  await world.advance("3d");
}

describe("adminReset", () => {
  test.each<[string, (world: TestWorld) => unknown, unknown]>([
    ["state", (world) => [world.tenant.store.documents.size, world.tenant.store.subscriptions.size], [0, 0]],
    ["journal", (world) => world.tenant.journal.size, 0],
    ["rules", (world) => [world.tenant.rules.list().length, world.tenant.settings.transitions], [0, {}]],
    ["clock", (world) => world.tenant.clock.now(), Date.parse("2026-03-02T09:00:00Z")],
    ["webhooks", (world) => [world.tenant.store.deliveries.size, world.tenant.store.subscriptions.size], [0, 1]],
    ["emails", (world) => world.tenant.store.emails.size, 0],
  ])("adminResetPart resets %s and keeps the other parts", async (part, look, expected) => {
    const parts: Record<string, (world: TestWorld) => unknown> = {
      documents: ({ tenant }) => tenant.store.documents.all(),
      journal: ({ tenant }) => tenant.journal.size,
      rules: ({ tenant }) => [tenant.rules.list(), tenant.settings.transitions],
      clock: ({ tenant }) => tenant.clock.now(),
      deliveries: ({ tenant }) => tenant.store.deliveries.all(),
      emails: ({ tenant }) => tenant.store.emails.all(),
    };
    const touched: Record<string, string[]> = {
      state: ["documents", "deliveries", "emails"],
      webhooks: ["deliveries"],
    };
    const world = await testWorld();
    await everything(world);
    expect(look(world)).not.toEqual(expected);
    const look_at = () => Object.fromEntries(Object.entries(parts).map(([name, read]) => [name, read(world)]));
    const before = look_at();
    expect(await world.admin("POST", `/reset/${part}`)).toMatchObject({ status: 200, body: { parts: [part] } });
    expect(look(world)).toEqual(expected);
    const after = look_at();
    const changed = Object.keys(parts).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
    expect(changed).toEqual(touched[part] ?? [part]);
    await world.advance("1h");
  });
});

describe("adminListTenants", () => {
  test("adminCreateTenant creates a tenant with a given or a generated id, and adminDeleteTenant removes it", async () => {
    const world = await testWorld();
    const named = await world.admin("POST", "/tenants", { id: "test-mine" });
    expect(named).toMatchObject({ status: 201, body: { id: "test-mine", api_key: "test-mine", url: world.sandbox.url } });
    const [one, two] = [await world.admin("POST", "/tenants"), await world.admin("POST", "/tenants", {})];
    expect(one.body.api_key).toMatch(/^test-\w{22}$/);
    expect(two.body.api_key).not.toBe(one.body.api_key);
    await anUploadedDocument(world, { key: one.body.api_key });
    expect((await world.admin("DELETE", `/tenants/${one.body.id}`)).status).toBe(204);
    expect((await world.admin("DELETE", `/tenants/${one.body.id}`)).status).toBe(404);
    expect(world.sandbox.tenant(one.body.api_key).documents.all()).toEqual([]);
    expect((await world.admin("DELETE", "/tenants/default")).status).toBe(400);
    expect((await world.admin("POST", "/tenants", { id: "mine" })).status).toBe(400);
  });
});

describe("the admin API", () => {
  test("adminHealth and adminReady alone need no token when an admin token is set", async () => {
    const world = await testWorld({ adminToken: "let-me-in" });
    const status = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
      (await world.request(method, path, { key: null, headers })).status;
    for (const path of ["/health", "/__admin/health", "/__admin/ready"]) expect([path, await status(path)]).toEqual([path, 200]);
    for (const path of ["/__admin/clock", "/__admin/requests", "/__admin/version"]) {
      expect([path, await status(path)]).toEqual([path, 401]);
      expect([path, await status(path, { "x-docdouble-admin-token": "let-me-inn" })]).toEqual([path, 401]);
      expect([path, await status(path, { "x-docdouble-admin-token": "let-me-in" })]).toEqual([path, 200]);
      expect([path, await status(path, { authorization: "Bearer let-me-in" })]).toEqual([path, 200]);
    }
    expect(await status("/__admin/reset", {}, "POST")).toBe(401);
    expect((await world.call("listDocuments")).status).toBe(200);
  });

  test("adminListRequests lists no calls of the admin API, not even invalid calls", async () => {
    const world = await testWorld();
    await world.admin("GET", "/health");
    await world.admin("POST", "/rules", { name: "nonsense" });
    expect((await world.admin("GET", "/nothing")).status).toBe(404);
    expect((await world.admin("PATCH", "/clock")).status).toBe(405);
    await world.request("GET", "/health");
    expect((await world.admin("GET", "/requests")).body).toMatchObject({ requests: [], meta: { total: 0 } });
  });
});
