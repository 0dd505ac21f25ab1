import { describe, expect, test } from "vitest";
import { ERROR_KINDS, NETWORK_FAULTS } from "../../../src/engine/scenario/rule-schema.ts";
import { anUploadedDocument, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

/** Calls create, status, details of an unknown document, and an unknown path. Returns the document's id. */
async function traffic(world: TestWorld): Promise<string> {
  const id = await anUploadedDocument(world, { body: { name: "Offer 7", metadata: { order: "7" } } });
  await world.call("statusDocument", { params: { id }, headers: { "x-trace": "abc" } });
  await world.call("detailsDocument", { params: { id: "none" } });
  await world.request("GET", "/public/v1/invoices?page=2");
  return id;
}

describe("adminListRequests", () => {
  test("adminListRequests shows each call, newest first", async () => {
    const world = await testWorld();
    const id = await traffic(world);
    const { body } = await world.admin("GET", "/requests");
    expect(body).toMatchObject({ meta: { total: 4 } });
    expect(body.requests.map((one: { operationId: string | null }) => one.operationId)).toEqual([
      null,
      "detailsDocument",
      "statusDocument",
      "createDocument",
    ]);
    const [unmatched, refused, status] = body.requests;
    expect(status).toEqual({
      id: expect.any(String),
      at: "2026-03-02T09:00:00.000Z",
      tenant: "default",
      operationId: "statusDocument",
      request: {
        method: "GET",
        url: `/public/v1/documents/${id}`,
        path: `/public/v1/documents/${id}`,
        query: {},
        headers: expect.objectContaining({ authorization: "API-Key ***-key", "x-trace": "abc" }),
        body: "",
      },
      response: {
        status: 200,
        headers: expect.objectContaining({ "content-type": "application/json" }),
        body: expect.stringContaining(`"id":"${id}"`),
      },
      took_ms: 0,
      document: id,
    });
    expect(refused).toMatchObject({
      operationId: "detailsDocument",
      response: { status: 404 },
      why: expect.stringContaining("none"),
    });
    expect(unmatched).toMatchObject({
      operationId: null,
      request: { query: { page: ["2"] } },
      response: { status: 404 },
    });
    expect((await world.admin("GET", `/requests/${status.id}`)).body).toEqual(status);
    expect((await world.admin("GET", "/requests/none")).status).toBe(404);
  });

  test("adminListRequests filters by limit, since and unmatched, and refuses an invalid limit", async () => {
    const world = await testWorld();
    await traffic(world);
    await world.advance("1h");
    await world.call("listDocuments");
    const ids = async (query: string) =>
      (await world.admin("GET", `/requests?${query}`)).body.requests.map((one: { operationId: string }) => one.operationId);
    expect(await ids("limit=2")).toEqual(["listDocuments", null]);
    expect(await ids("since=2026-03-02T09:30:00Z")).toEqual(["listDocuments"]);
    expect(await ids("unmatched=true")).toEqual([null]);
    expect((await world.admin("GET", "/requests?limit=few")).status).toBe(400);
  });
});

describe("adminAddRule", () => {
  test("adminAddRule adds a rule in front, adminPutRule replaces it in place, and adminDeleteRule removes it", async () => {
    const world = await testWorld();
    const rule = (name: string, error: string) => ({ name, when: { operation: "listDocuments" }, then: { error } });
    await succeed(world.admin("POST", "/rules", rule("old", "throttled")));
    await succeed(world.admin("POST", "/rules", rule("new", "forbidden")));
    const names = async () => (await world.admin("GET", "/rules")).body.rules.map((one: { name: string }) => one.name);
    const status = async () => (await world.call("listDocuments")).status;
    expect([await names(), await status()]).toEqual([["new", "old"], 403]);
    await succeed(world.admin("PUT", "/rules/new", rule("new", "unauthorized")));
    expect([await names(), await status()]).toEqual([["new", "old"], 401]);
    expect((await world.admin("DELETE", "/rules/new")).status).toBe(204);
    expect([await names(), await status()]).toEqual([["old"], 429]);
    expect((await world.admin("DELETE", "/rules/new")).status).toBe(404);
    expect((await world.admin("GET", "/rules/new")).body.why).toContain("known: old");
    await succeed(world.admin("PUT", "/rules", [rule("one", "forbidden"), rule("two", "throttled")]));
    expect([await names(), await status()]).toEqual([["one", "two"], 403]);
    await succeed(world.admin("PUT", "/rules", { rules: [rule("two", "throttled")] }));
    expect([await names(), await status()]).toEqual([["two"], 429]);
    await succeed(world.admin("DELETE", "/rules"));
    expect([await names(), await status()]).toEqual([[], 200]);
  });

  test("adminListRules shows rules as written, and adminAddRule and adminReplaceRules accept the listed rules", async () => {
    const world = await testWorld();
    const written = [
      {
        name: "busy",
        when: { operation: ["sendDocument"], call: { nth: 2 } },
        then: { error: "throttled", retry_after: "2s", times: 3 },
      },
      { name: "slow", when: { path: "/public/v1/contacts*" }, then: { delay: { min: "10ms", max: "20ms" }, fallthrough: true } },
      { name: "held", when: {}, then: { rate_limit: { limit: 1, window: "1m" } } },
      { name: "locked", when: {}, then: { error: "locked", detail: "Busy", lock: { by: "someone", expires_in: "25s" } } },
      { name: "undeclared", when: { operation: "listContacts" }, then: { error: "conflict", undeclared: true, phase: "after" } },
      { name: "answered", when: {}, then: { respond: { status: 418, headers: { "x-tea": "yes" }, body: { tea: [1, null] } } } },
      ...NETWORK_FAULTS.map((network) => ({ name: network, when: { body: { name: null } }, then: { network } })),
      ...ERROR_KINDS.map((error) => ({ name: error, when: { document: { tag: "a" } }, then: { error } })),
    ].filter(({ name }, i, all) => all.findIndex((one) => one.name === name) === i);
    for (const rule of [...written].reverse()) await succeed(world.admin("POST", "/rules", rule));
    const { rules } = (await world.admin("GET", "/rules")).body;
    expect(rules).toMatchObject(written);
    await succeed(world.admin("DELETE", "/rules"));
    for (const rule of [...rules].reverse()) await succeed(world.admin("POST", "/rules", rule));
    expect((await world.admin("GET", "/rules")).body.rules).toEqual(rules);
    expect((await succeed(world.admin("PUT", "/rules", { rules }))).body.rules).toEqual(rules);
  });
});
