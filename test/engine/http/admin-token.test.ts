/** Hostile tokens of the admin API reach nothing, and hostile keys open no tenant. */
import { describe, expect, test } from "vitest";
import { hostOf } from "../../../src/library/sandbox.ts";
import { testWorld } from "../../support/world.ts";

const TOKEN = "token-of-the-server";
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

const WRONG: Record<string, string>[] = [
  {},
  { "x-docdouble-admin-token": "" },
  { "x-docdouble-admin-token": TOKEN.slice(0, -1) },
  { "x-docdouble-admin-token": `${TOKEN}x` },
  { "x-docdouble-admin-token": TOKEN.toUpperCase() },
  { "x-docdouble-admin-token": `${TOKEN},${TOKEN}` },
  { "x-docdouble-admin-token": `${TOKEN}\t${TOKEN}` },
  { "x-docdouble-admin-token": "undefined" },
  { "x-docdouble-admin-token": "__proto__" },
  { "x-docdouble-admin-token": "test-shop" },
  { "x-docdouble-admin-token": "x".repeat(20_000) },
  { "x-docdouble-admin-token": "b4e2f1", authorization: `Bearer ${TOKEN}` },
  { authorization: "Bearer" },
  { authorization: `Bearer ${TOKEN} ${TOKEN}` },
  { authorization: `API-Key ${TOKEN}` },
  { authorization: `Token ${TOKEN}` },
  { authorization: basic(`admin:${TOKEN}:more`) },
  { authorization: basic("admin:") },
  { authorization: "Basic %%%" },
  { authorization: `Digest ${TOKEN}` },
  { cookie: `x-docdouble-admin-token=${TOKEN}` },
];

const RIGHT: Record<string, string>[] = [
  { "x-docdouble-admin-token": TOKEN },
  { authorization: `Bearer ${TOKEN}` },
  { authorization: basic(`anybody:${TOKEN}`) },
];

describe("the admin token", () => {
  test.each(WRONG)("the headers %j reach nothing", async (headers) => {
    const world = await testWorld({ adminToken: TOKEN });
    for (const [method, path] of [
      ["GET", "/__admin/documents"],
      ["POST", "/__admin/reset"],
      ["GET", "/__admin"],
    ] as const)
      expect((await world.request(method, path, { key: null, headers })).status, path).toBe(401);
  });

  test.each(RIGHT)("the headers %j reach the admin API", async (headers) => {
    const world = await testWorld({ adminToken: TOKEN });
    expect((await world.request("GET", "/__admin/clock", { key: null, headers })).status).toBe(200);
  });

  test("a key of a tenant beside the token selects the tenant, and a refused call opens none", async () => {
    const world = await testWorld({ adminToken: TOKEN });
    const ids = () => [...hostOf(world.sandbox).tenants()].map(({ id }) => id);
    expect((await world.request("POST", "/__admin/reset", { key: "test-shop" })).status).toBe(401);
    expect(ids()).toEqual(["default"]);
    const headers = { "x-docdouble-admin-token": TOKEN };
    expect((await world.request("POST", "/__admin/reset", { key: "test-shop", headers })).status).toBe(200);
    expect(ids()).toEqual(["default", "test-shop"]);
  });
});

test.each(["test-", "TEST-shop", "docdouble", " "])("the key %j opens no tenant", async (key) => {
  const world = await testWorld();
  await world.request("GET", "/public/v1/documents", { key: null, headers: { authorization: `API-Key ${key}` } });
  expect([...hostOf(world.sandbox).tenants()].map(({ id }) => id)).toEqual(["default"]);
});
