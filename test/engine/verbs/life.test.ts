import { describe, expect, test } from "vitest";
import { VERSION } from "../../../src/library/sandbox.ts";
import { receiver } from "../../support/receiver.ts";
import { aCompletedDocument, aDraft, anUploadedDocument, aSubscription, succeed } from "../../support/stories.ts";
import { KEY, type TestWorld, testWorld } from "../../support/world.ts";

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

describe("adminHealth", () => {
  test("adminHealth, adminReady and adminVersion answer without a key", async () => {
    const world = await testWorld();
    await world.advance("90s");
    const health = await world.request("GET", "/__admin/health", { key: null });
    expect(health).toMatchObject({
      status: 200,
      body: {
        status: "healthy",
        version: VERSION,
        uptimeInSeconds: expect.any(Number),
        timestamp: "2026-03-02T09:01:30.000000Z",
        capabilities: expect.arrayContaining(["clock", "rules", "requests", "webhooks"]),
      },
    });
    // Real seconds, though the clock moved by 90.
    expect(health.body.uptimeInSeconds).toBeLessThan(90);
    expect((await world.request("GET", "/health", { key: null })).body).toMatchObject({
      ...health.body,
      uptimeInSeconds: expect.any(Number),
    });
    expect((await world.request("GET", "/__admin/ready", { key: null })).body).toEqual({ status: "ready" });
    expect((await world.request("GET", "/__admin/version", { key: null })).body).toEqual({ version: VERSION });
  });
});

describe("adminReset", () => {
  test("adminReset drops a delivery in progress, and no record or retry of it remains", async () => {
    const world = await testWorld();
    const hook = await receiver();
    await aSubscription(world, hook);
    let release = () => {};
    hook.answerWith({ status: 500, until: new Promise<void>((resolve) => (release = resolve)) });
    await world.admin("POST", `/documents/${await anUploadedDocument(world)}/simulate/process`);
    await hook.arrived(1);
    await succeed(world.admin("POST", "/reset"));
    release();
    await world.advance("1d");
    expect([world.sandbox.webhooks.deliveries(), hook.received.length]).toEqual([[], 1]);
  });

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

  test("adminResetPart answers 400 for an unknown part", async () => {
    const world = await testWorld();
    const answer = await world.admin("POST", "/reset/everything");
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining("part")]);
  });
});

describe("adminListTenants", () => {
  test("each test- key has separate state, time, rules, journal and subscriptions", async () => {
    const world = await testWorld();
    const hook = await receiver();
    await aSubscription(world, hook, {}, "test-a");
    const a = await anUploadedDocument(world, { key: "test-a" });
    await anUploadedDocument(world, { key: "test-b" });
    await succeed(world.admin("POST", "/rules", RULE, "test-a"));
    await succeed(world.admin("POST", "/clock/advance", { by: "1d" }, "test-a"));
    const status = async (key: string) => (await world.call("statusDocument", { params: { id: a }, key })).status;
    expect([await status("test-a"), await status("test-b"), await status(KEY)]).toEqual([429, 404, 404]);
    const now = async (key: string) => (await world.admin("GET", "/clock", undefined, key)).body.now.slice(0, 10);
    expect([await now("test-a"), await now("test-b"), await now(KEY)]).toEqual(["2026-03-03", "2026-03-02", "2026-03-02"]);
    const { tenants } = (await world.admin("GET", "/tenants")).body;
    expect(tenants.map((one: object) => ({ ...one, now: undefined }))).toEqual([
      { id: "default", documents: 0, requests: 1 },
      { id: "test-a", documents: 1, requests: 3 },
      { id: "test-b", documents: 1, requests: 2 },
    ]);
    expect(hook.received).toHaveLength(1);
    await succeed(world.admin("POST", "/reset", undefined, "test-b"));
    expect([
      world.sandbox.tenant("test-a").documents.all().length,
      world.sandbox.tenant("test-b").documents.all().length,
    ]).toEqual([1, 0]);
  });

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

describe("adminCreateOAuthCode", () => {
  const exchange = (world: TestWorld, code: string) =>
    world.call("accessToken", {
      key: null,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: "docdouble-client",
        client_secret: "docdouble-secret",
        code,
      }).toString(),
    });

  test("adminCreateOAuthCode returns a code that can be exchanged for a token once", async () => {
    const world = await testWorld();
    const made = await world.admin("POST", "/oauth/codes", { client_id: "docdouble-client" });
    expect(made).toMatchObject({ status: 201, body: { code: expect.stringMatching(/^[0-9a-f]{40}$/) } });
    const granted = await succeed(exchange(world, made.body.code));
    const headers = { authorization: `Bearer ${granted.body.access_token}` };
    expect((await world.call("listDocuments", { key: null, headers })).status).toBe(200);
    expect((await exchange(world, made.body.code)).status).toBe(400);
  });

  test("adminCreateOAuthCode refuses an unknown or missing client id", async () => {
    const world = await testWorld();
    expect((await world.admin("POST", "/oauth/codes", { client_id: "other" })).status).toBe(404);
    expect((await world.admin("POST", "/oauth/codes", {})).status).toBe(400);
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
