/** A server for a company: listed tenants, their tokens and quotas, and a line for each admin call. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TenantQuota } from "../../../src/engine/runtime/tenants/quota.ts";
import { hostOf } from "../../../src/library/sandbox.ts";
import type { AdminCall, SandboxOptions } from "../../../src/library/types.ts";
import { files } from "../../support/process.ts";
import { anUploadedDocument, CLIENT, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const SERVER = "token-of-the-server";
const NOT_LISTED = "no such API key; this server admits the keys of its listed tenants only";
const asServer = { "x-docdouble-admin-token": SERVER };
const DOCUMENT = { name: "Offer", template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] };

const closedWorld = (options: SandboxOptions = {}) => testWorld({ tenants: "listed", adminToken: SERVER, ...options });

const list = (world: TestWorld, body: object) => world.request("POST", "/__admin/tenants", { headers: asServer, body });

const create = (world: TestWorld, key: string) => world.call("createDocument", { key, body: DOCUMENT });

describe("--tenants listed", () => {
  test("a key that is not listed gets the service's own 401 with a reason, and opens no world", async () => {
    const world = await closedWorld();
    for (const key of ["test-nobody", "test-", "docdouble"]) {
      const answer = await create(world, key);
      expect(answer).toMatchObject({
        status: 401,
        body: (await testWorld().then((open) => open.request("GET", "/public/v1/documents", { key: "no-key" }))).body,
      });
      expect(answer.headers.get("x-docdouble-why")).toBe(NOT_LISTED);
    }
    for (const path of ["/health", "/__admin/ready", "/v1/mcp", "/public/v1/no-such-path", "/public/v1/members"])
      await world.request("GET", path, { key: "test-nobody" });
    expect([...hostOf(world.sandbox).tenants()].map((one) => one.id)).toEqual(["default"]);
    expect((await world.call("listDocuments")).status).toBe(200);
  });

  test("an admin call with a key that is not listed is refused, and does not reach the default tenant", async () => {
    const world = await closedWorld();
    await anUploadedDocument(world);
    const answer = await world.request("POST", "/__admin/reset", { key: "test-nobody", headers: asServer });
    expect(answer).toMatchObject({ status: 401, body: { why: NOT_LISTED } });
    expect(world.tenant.store.documents.size).toBe(1);
  });

  test("a listed tenant gets a random token that only this answer shows, and its key opens its world", async () => {
    const world = await closedWorld();
    const { status, body } = await list(world, {});
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^test-[\da-f]{32}$/),
      api_key: body.id,
      url: "http://docdouble.test",
      admin_token: expect.stringMatching(/^[\da-f]{64}$/),
    });
    expect((await create(world, body.api_key)).status).toBe(201);
    expect((await list(world, { id: body.id })).body).toEqual({ id: body.id, api_key: body.id, url: "http://docdouble.test" });
    const own = await world.request("GET", "/__admin/documents", {
      key: null,
      headers: { authorization: `Bearer ${body.admin_token}` },
    });
    expect(own.body.documents.map((one: { name: string }) => one.name)).toEqual(["Offer"]);
  });

  test("a new token replaces the old one, and a deleted tenant has neither token nor world", async () => {
    const world = await closedWorld();
    const statusOf = async (token: string) =>
      (await world.request("GET", "/__admin/clock", { key: null, headers: { "x-docdouble-admin-token": token } })).status;
    await list(world, { id: "test-shop", admin_token: "first-token" });
    expect((await list(world, { id: "test-shop", admin_token: "second-token" })).body.admin_token).toBe("second-token");
    expect([await statusOf("first-token"), await statusOf("second-token")]).toEqual([401, 200]);
    expect((await world.request("DELETE", "/__admin/tenants/test-shop", { headers: asServer })).status).toBe(204);
    expect([await statusOf("second-token"), (await create(world, "test-shop")).status]).toEqual([401, 401]);
    await list(world, { id: "test-shop" });
    expect((await world.call("listDocuments", { key: "test-shop" })).body.results).toEqual([]);
  });

  test.each([
    [{ id: "test-b", admin_token: SERVER }, "Another tenant or the server has this token already."],
    [{ id: "test-b", admin_token: "token-of-a" }, "Another tenant or the server has this token already."],
    [{ id: "test-b", admin_token: "short" }, "8 to 200 visible ASCII characters"],
    [{ id: "test-b", admin_token: "with a space" }, "8 to 200 visible ASCII characters"],
    [{ id: "test-b", quota: { documents: 0 } }, "quota.documents"],
    [{ id: "test-b", quota: { document: 5 } }, "quota.document"],
  ])("%j is refused, and lists nothing", async (body, reason) => {
    const world = await closedWorld();
    await list(world, { id: "test-a", admin_token: "token-of-a" });
    const refused = await list(world, body);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(reason);
    expect(hostOf(world.sandbox).find("test-b")).toBeUndefined();
  });

  test("a token for a tenant is refused while everybody reaches every tenant", async () => {
    const world = await testWorld({ tenants: "listed" });
    const refused = await world.admin("POST", "/tenants", { id: "test-a", admin_token: "token-of-a" });
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining("This server has no admin token") } });
    expect((await world.admin("POST", "/tenants", { id: "test-a" })).body).toEqual({
      id: "test-a",
      api_key: "test-a",
      url: "http://docdouble.test",
    });
  });

  test("a full list refuses another tenant, and listed tenants are never evicted", async () => {
    const world = await closedWorld({ tenantsMax: 3 });
    for (const id of ["test-a", "test-b", "test-c"]) expect((await list(world, { id })).status).toBe(201);
    expect(await list(world, { id: "test-d" })).toMatchObject({
      status: 409,
      body: { detail: "This server lists 3 tenants, and holds at most 3. Delete one first." },
    });
    expect([...hostOf(world.sandbox).tenants()].map((one) => one.id)).toEqual(["default", "test-a", "test-b", "test-c"]);
  });

  test("a data file keeps list, tokens and quotas, without the text of a token, and a world file holds none of them", async () => {
    const data = join(files(), "state.jsonl");
    const token = "token-of-the-shop";
    const first = await closedWorld({ data });
    await list(first, { id: "test-shop", admin_token: token, quota: { documents: 1, journal: 2 } });
    await create(first, "test-shop");
    const headers = { "x-docdouble-admin-token": token };
    const file = Buffer.from(await first.sandbox.tenant("test-shop").world.save());
    await first.sandbox.close();
    const second = await closedWorld({ data });
    const { tenants } = (await second.request("GET", "/__admin/tenants", { key: null, headers })).body;
    expect(tenants).toMatchObject([
      { id: "test-shop", documents: 1, kept: true, has_token: true, quota: { documents: 1, journal: 2 } },
    ]);
    expect((await create(second, "test-shop")).status).toBe(403);
    expect((await create(second, "test-other")).status).toBe(401);
    for (const text of [file.toString(), JSON.stringify(hostOf(second.sandbox).find("test-shop")?.share.grant)])
      expect(text).not.toContain(token);
    expect(file.toString()).not.toContain("isListed");
    await second.sandbox.close();
    rmSync(data, { force: true });
  });
});

describe("quotas", () => {
  test("a tenant holds as many documents as its quota, deleted ones too, and a refused create changes nothing", async () => {
    const world = await testWorld({ quota: { documents: 2 } });
    const first = await anUploadedDocument(world);
    await anUploadedDocument(world);
    const before = Buffer.from(await world.sandbox.world.save()).toString().length;
    for (let i = 0; i < 2; i++) {
      const answer = await create(world, "docdouble-key");
      expect(answer).toMatchObject({
        status: 403,
        body: { type: "docdouble_quota", detail: "This tenant may hold 2 documents, deleted ones too." },
      });
      expect(answer.headers.get("x-docdouble-why")).toContain("the quota of this tenant is 2");
      await world.call("deleteDocument", { params: { id: first } });
    }
    expect(world.tenant.store.documents.size).toBe(2);
    expect(before).toBeGreaterThan(0);
    const other = await world.admin("POST", "/documents", { status: "document.sent" });
    expect([other.status >= 400, JSON.stringify(other.body)]).toEqual([
      true,
      expect.stringContaining("the quota of this tenant is 2"),
    ]);
    expect(world.tenant.store.documents.size).toBe(2);
    expect((await create(world, "test-other")).status).toBe(201);
    await world.sandbox.reset();
    expect((await create(world, "docdouble-key")).status).toBe(201);
  });

  test("a lower quota leaves what a tenant holds, and refuses only more", async () => {
    const world = await closedWorld();
    await list(world, { id: "test-a" });
    const [one] = [await create(world, "test-a"), await create(world, "test-a")];
    await list(world, { id: "test-a", quota: { documents: 1 } });
    const params = { id: one.body.id };
    await world.request("POST", "/__admin/clock/advance", { key: "test-a", headers: asServer, body: { by: "5s" } });
    expect((await world.call("statusDocument", { key: "test-a", params })).body.status).toBe("document.draft");
    expect((await world.call("deleteDocument", { key: "test-a", params })).status).toBe(204);
    expect((await create(world, "test-a")).status).toBe(403);
  });

  test("a world beyond the quota is refused, and changes nothing", async () => {
    const rich = await testWorld();
    for (let i = 0; i < 3; i++) await anUploadedDocument(rich);
    const world = await testWorld({ quota: { documents: 2 } });
    const before = Buffer.from(await world.sandbox.world.save());
    await expect(world.sandbox.world.load(await rich.sandbox.world.save())).rejects.toThrow(
      "the world cannot be loaded: This tenant may hold 2 documents, deleted ones too.",
    );
    expect(Buffer.from(await world.sandbox.world.save()).equals(before)).toBe(true);
  });

  test("the journal of a tenant keeps as many calls as its quota, and says that others are gone", async () => {
    const world = await testWorld({ quota: { journal: 3 } });
    for (let i = 0; i < 5; i++) await world.call("listContacts");
    expect((await world.admin("GET", "/requests")).body.meta).toMatchObject({ total: 3, gone: 2 });
  });

  test("calls beyond the quota of a minute get a 429 that says when the next one passes", async () => {
    const world = await testWorld({ quota: { calls: 3 } });
    for (let i = 0; i < 3; i++) expect((await world.call("listContacts")).status).toBe(200);
    const refused = await world.call("listContacts");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("x-docdouble-why")).toContain("the quota of this tenant is 3 calls in 60 s of real time");
    expect((await world.call("listContacts", { key: "test-other" })).status).toBe(200);
    expect((await world.admin("GET", "/clock")).status).toBe(200);
    const quota = new TenantQuota();
    quota.limits = { calls: 2 };
    for (const now of [0, 10]) quota.countCall(now);
    expect(() => quota.countCall(59_999)).toThrow("available in 1 seconds");
    quota.countCall(60_000);
  });
});

describe("the log of admin calls", () => {
  test("each call gets one line with who, what and which tenant, and no secret", async () => {
    const calls: AdminCall[] = [];
    const world = await closedWorld({ onAdminCall: (call) => calls.push(call) });
    await list(world, { id: "test-a", admin_token: "token-of-a" });
    const own = { "x-docdouble-admin-token": "token-of-a" };
    await world.request("GET", "/__admin/emails?q=secret-in-the-query", { key: null, headers: own });
    await world.request("POST", "/__admin/reset", { key: "test-b", headers: own });
    await world.request("POST", "/__admin/reset", { headers: { "x-docdouble-admin-token": "a-wrong-token" } });
    await world.request("GET", "/__admin/ready", { key: null });
    await world.request("GET", "/__admin/clock", { headers: asServer });
    expect(calls).toEqual([
      { who: "server", operation: "adminCreateTenant", method: "POST", path: "/__admin/tenants", tenant: "default", status: 201 },
      { who: "test-a", operation: "adminListEmails", method: "GET", path: "/__admin/emails", tenant: "test-a", status: 200 },
      { who: "test-a", operation: "adminReset", method: "POST", path: "/__admin/reset", tenant: undefined, status: 403 },
      { who: "nobody", operation: "adminReset", method: "POST", path: "/__admin/reset", tenant: undefined, status: 401 },
      { who: "server", operation: "adminClock", method: "GET", path: "/__admin/clock", tenant: "default", status: 200 },
    ]);
    expect(JSON.stringify(calls)).not.toMatch(/token-of|secret|wrong/);
  });

  test("an error of the log is reported, and changes no answer", async () => {
    const bugs: unknown[] = [];
    const onAdminCall = () => {
      throw new Error("the log is full");
    };
    const world = await testWorld({ onAdminCall, onBug: (error) => bugs.push(error) });
    expect((await world.admin("GET", "/clock")).status).toBe(200);
    expect(bugs).toEqual([new Error("the log is full")]);
  });
});
