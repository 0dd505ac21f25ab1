/** Hostile input for tokens, quotas and worlds: it reaches no tenant, breaks nothing and changes nothing. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { hostOf } from "../../../src/library/sandbox.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const SERVER = "token-of-the-server";
const TENANT = "token-of-the-shop";
const asServer = { "x-docdouble-admin-token": SERVER };

async function aSharedWorld(): Promise<TestWorld> {
  const world = await testWorld({ tenants: "listed", adminToken: SERVER });
  const body = { id: "test-shop", admin_token: TENANT };
  expect((await world.request("POST", "/__admin/tenants", { headers: asServer, body })).status).toBe(201);
  return world;
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

const TOKENS: Record<string, string>[] = [
  { "x-docdouble-admin-token": "" },
  { "x-docdouble-admin-token": "token-of-the-sho" },
  { "x-docdouble-admin-token": `${TENANT}x` },
  { "x-docdouble-admin-token": TENANT.toUpperCase() },
  { "x-docdouble-admin-token": `${TENANT},${SERVER}` },
  { "x-docdouble-admin-token": `${TENANT}\t${SERVER}` },
  { "x-docdouble-admin-token": "undefined" },
  { "x-docdouble-admin-token": "null" },
  { "x-docdouble-admin-token": "__proto__" },
  { "x-docdouble-admin-token": "constructor" },
  { "x-docdouble-admin-token": "*" },
  { "x-docdouble-admin-token": "test-shop" },
  { "x-docdouble-admin-token": "x".repeat(20_000) },
  { "x-docdouble-admin-token": "b4e2f1", authorization: `Bearer ${SERVER}` },
  { authorization: "Bearer" },
  { authorization: `Bearer ${TENANT} ${SERVER}` },
  { authorization: `API-Key ${SERVER}` },
  { authorization: `Token ${SERVER}` },
  { authorization: basic(`admin:${TENANT}:more`) },
  { authorization: basic("admin:") },
  { authorization: "Basic %%%" },
  { authorization: `Digest ${SERVER}` },
  { cookie: `x-docdouble-admin-token=${SERVER}` },
];

const QUOTAS: unknown[] = [
  { documents: -1 },
  { documents: 1.5 },
  { documents: "5" },
  { documents: null },
  { documents: 1e12 },
  { calls: 0 },
  { journal: [] },
  { subjects: 5 },
  { __proto__x: 5 },
  [],
  "documents=5",
  5,
];

const keys = ["test-", "test-shop/../default", "test-shop ", "test-SHOP", "test-shop%00", "test-__proto__", "test-constructor"];

describe("hostile input", () => {
  test.each(TOKENS)("the token %j reaches nothing", async (headers) => {
    const world = await aSharedWorld();
    for (const [method, path] of [
      ["GET", "/__admin/documents"],
      ["POST", "/__admin/reset"],
      ["GET", "/__admin/clock"],
      ["GET", "/__admin"],
    ] as const)
      expect((await world.request(method, path, { key: null, headers })).status, path).toBe(401);
  });

  test.each(keys)("the key %j opens no tenant, with and without the token of the server", async (key) => {
    const world = await aSharedWorld();
    const seen = [
      await world.request("GET", "/public/v1/documents", { key: null, headers: { authorization: `API-Key ${key}` } }),
      await world.request("POST", "/__admin/reset", {
        key: null,
        headers: { "x-docdouble-admin-token": TENANT, authorization: `API-Key ${key}` },
      }),
    ].map(({ status }) => status);
    // Trailing spaces belong to the header, not to the key.
    if (key === "test-shop ") expect(seen).toEqual([200, 200]);
    else for (const status of seen) expect([401, 403]).toContain(status);
    expect([...hostOf(world.sandbox).tenants()].map((one) => one.id)).toEqual(["default", "test-shop"]);
  });

  test.each(QUOTAS.map((quota) => [quota]))("the quota %j is refused, and lists nothing", async (quota) => {
    const world = await aSharedWorld();
    const refused = await world.request("POST", "/__admin/tenants", { headers: asServer, body: { id: "test-new", quota } });
    expect(refused.status).toBe(400);
    expect(hostOf(world.sandbox).find("test-new")).toBeUndefined();
  });

  test("a world that brings a grant, an empty one or a bomb gives no rights, and changes nothing when it is refused", async () => {
    const world = await aSharedWorld();
    const headers = { "x-docdouble-admin-token": TENANT };
    const put = (body: Uint8Array) =>
      world.sandbox.fetch("/__admin/world", { method: "PUT", headers, body: body as Uint8Array<ArrayBuffer> });
    const own = Buffer.from(await world.sandbox.tenant("test-shop").world.save());
    const forged = own.toString().replaceAll('"drawn":', '"grant":{"isListed":true,"quota":{"subjects":1}},"drawn":');
    const bad = [
      Buffer.from(forged),
      Buffer.alloc(0),
      Buffer.from("{}"),
      Buffer.from("\u0000".repeat(1000)),
      gzipSync(Buffer.alloc(30_000_000)),
      gzipSync(gzipSync(own)),
      Buffer.concat([own, own]),
      own.subarray(10),
      Buffer.from(own.toString().replace("test-shop", "test-other")),
      Buffer.from(`\ufeff${own}`),
    ];
    for (const [i, body] of bad.entries()) expect((await put(body)).status, `world ${i}`).toBe(400);
    expect(Buffer.from(await world.sandbox.tenant("test-shop").world.save()).equals(own)).toBe(true);
    expect((await put(own)).status).toBe(200);
    expect(hostOf(world.sandbox).find("test-shop")?.share.grant).toMatchObject({ isListed: true, token: expect.any(String) });
    expect(hostOf(world.sandbox).find("test-shop")?.share.quota.limits.subjects).toBeUndefined();
  });
});
