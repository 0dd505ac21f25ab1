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

const requests = (world: TestWorld) => (method: string, path: string, body?: unknown) =>
  world.admin(method, `/requests${path}`, body);

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

  test("adminDeleteRequests empties the journal", async () => {
    const world = await testWorld();
    await traffic(world);
    expect((await world.admin("DELETE", "/requests")).status).toBe(200);
    expect((await world.admin("GET", "/requests")).body.meta.total).toBe(0);
  });

  test("adminUnmatchedRequests lists the calls of unknown paths", async () => {
    const world = await testWorld();
    await traffic(world);
    const { body } = await world.admin("GET", "/requests/unmatched");
    expect(body).toMatchObject({
      requests: [{ request: { url: "/public/v1/invoices?page=2", method: "GET" } }],
    });
  });
});

describe("adminCountRequests", () => {
  test.each<[string, object, number]>([
    ["no condition", {}, 4],
    ["a method", { method: "GET" }, 3],
    ["one of two methods", { method: { in: ["GET", "POST"] } }, 4],
    ["a path", { path: "/public/v1/invoices" }, 1],
    ["a path with a query", { path: "/public/v1/invoices?page=2" }, 0],
    ["a path with a sign for one segment", { path: "/public/v1/documents/*" }, 1],
    ["a pattern for the path", { path: { regex: "^/public/v1/(documents|invoices)" } }, 4],
    ["an operation", { operation: "detailsDocument" }, 1],
    ["several operations", { operation: ["detailsDocument", "create*"] }, 2],
    ["a status", { status: 404 }, 2],
    ["a header", { headers: { "X-Trace": "abc" } }, 1],
    ["a header with another value", { headers: { "X-Trace": "ABC" } }, 0],
    ["an absent header", { headers: { "X-Trace": null } }, 3],
    ["a query parameter", { query: { page: 2 } }, 1],
    ["a text in the body", { body: { $: { contains: "Offer 7" } } }, 1],
    ["a JSON path in the body", { body: { "$.metadata.order": { exists: true } } }, 1],
    ["a JSON path in the body and another value", { body: { "$.metadata.order": "8" } }, 0],
    ["the document of the call", { document: { name: "Offer 7" } }, 2],
    ["several conditions", { method: "GET", status: 404, path: "/public/v1/invoices" }, 1],
  ])("adminCountRequests and adminFindRequests match calls by %s", async (_, pattern, count) => {
    const world = await testWorld();
    await traffic(world);
    const ask = requests(world);
    expect(await ask("POST", "/count", pattern)).toMatchObject({ status: 200, body: { count } });
    const found = await ask("POST", "/find", pattern);
    expect([found.status, found.body.requests.length]).toEqual([200, count]);
  });

  test("adminFindRequests lists requests, oldest first, and adminRemoveRequests deletes the matching requests", async () => {
    const world = await testWorld();
    const id = await traffic(world);
    const ask = requests(world);
    const found = (await ask("POST", "/find", { method: "GET" })).body.requests;
    expect(found.map((one: { request: { url: string } }) => one.request.url)).toEqual([
      `/public/v1/documents/${id}`,
      "/public/v1/documents/none/details",
      "/public/v1/invoices?page=2",
    ]);
    const removed = await ask("POST", "/remove", { status: 404 });
    expect(removed.body.requests.map((one: { response: { status: number } }) => one.response.status)).toEqual([404, 404]);
    expect((await ask("POST", "/count")).body.count).toBe(2);
  });

  test("adminCountRequests refuses an invalid pattern, adminFindRequests a wrong type, and adminRemoveRequests broken JSON", async () => {
    const ask = requests(await testWorld());
    expect((await ask("POST", "/count", { path: { regex: "(" } })).status).toBe(400);
    expect((await ask("POST", "/find", { method: 5 })).status).toBe(400);
    expect((await ask("POST", "/remove", "{")).status).toBe(400);
  });
});

describe("adminAddRule", () => {
  const RULE = {
    name: "second status",
    when: { operation: "statusDocument", call: { nth: 2 } },
    then: { error: "throttled", retry_after: "7s", times: 1 },
  };

  test("adminAddRule and adminListRules explain a rule in words and show its matches, hits and pending state", async () => {
    const world = await testWorld();
    const added = await world.admin("POST", "/rules", RULE);
    expect(added).toMatchObject({
      status: 201,
      body: { id: "second status", name: "second status", source: "runtime", matched: 0, hits: 0, spent: false, pending: true },
    });
    expect(added.body.explain).toBe('acts when operation is "statusDocument" on call 2, 1 time; matched 0, acted 0');
    const id = await anUploadedDocument(world);
    const status = () => world.call("statusDocument", { params: { id } });
    expect((await status()).status).toBe(200);
    expect((await world.admin("GET", "/rules")).body).toMatchObject({
      rules: [{ matched: 1, hits: 0 }],
      pending: ["second status"],
    });
    const refused = await status();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "7"]);
    expect((await status()).status).toBe(200);
    const rule = (await world.admin("GET", "/rules/second%20status")).body;
    expect(rule).toMatchObject({ matched: 2, hits: 1, spent: true, pending: false });
    expect(rule.explain).toMatch(/; matched 2, acted 1; spent$/);
    expect((await world.admin("GET", "/rules")).body.pending).toEqual([]);
    expect((await world.admin("GET", "/requests?limit=2")).body.requests.map((one: { rule?: string }) => one.rule)).toEqual([
      undefined,
      "second status",
    ]);
  });

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

  test("adminAddRule names every mistake of an invalid rule and adds nothing", async () => {
    const world = await testWorld();
    const answer = await world.admin("POST", "/rules", { name: "x", wen: {}, then: { eror: "locked" } });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        type: "docdouble_invalid",
        mistakes: [
          { message: 'unknown name "wen"; did you mean "when"?' },
          { message: expect.stringContaining("does nothing") },
          { message: 'then: unknown name "eror"; did you mean "error"?' },
        ],
      },
    });
    const unknown = { name: "x", when: { operation: "statusDocumnt" }, then: { error: "throttled" } };
    expect((await world.admin("POST", "/rules", unknown)).body.detail).toContain(`did you mean "statusDocument"?`);
    expect((await world.admin("PUT", "/rules", [{ name: "x" }])).status).toBe(400);
    expect((await world.admin("GET", "/rules")).body.rules).toEqual([]);
  });
});
