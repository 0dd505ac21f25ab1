/** What a small service gets from the engine for nothing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findNouns } from "../../.ci/nouns.mjs";
import { receiver as startReceiver } from "../support/receiver.ts";
import { askOf, startParcels, testParcels } from "./host.ts";

const ADA = { to: "Ada", weight_g: 100 };

describe("the parcels API", () => {
  // #region story
  test("creates a parcel, moves it after an hour, and delivers it a day later", async () => {
    const { ask } = await testParcels();
    const { status, body } = await ask("POST", "/v1/parcels", ADA);
    expect({ status, body }).toEqual({
      status: 201,
      body: { id: body.id, ...ADA, status: "created", created_at: "2026-03-02T09:00:00.000000Z" },
    });
    await ask("POST", "/__admin/clock/advance", { by: "1h" });
    expect((await ask("GET", `/v1/parcels/${body.id}`)).body.status).toBe("in_transit");
    await ask("POST", "/__admin/clock/advance", { by: "1d" });
    expect((await ask("GET", "/v1/parcels?status=delivered")).body).toEqual({ parcels: [{ ...body, status: "delivered" }] });
  });
  // #endregion

  test("cancels a new parcel, and refuses with 409 when it is too late", async () => {
    const { ask } = await testParcels();
    const early = (await ask("POST", "/v1/parcels", ADA)).body;
    const late = (await ask("POST", "/v1/parcels", ADA)).body;
    expect((await ask("POST", `/v1/parcels/${early.id}/cancel`)).body).toEqual({ ...early, status: "canceled" });
    await ask("POST", "/__admin/clock/advance", { by: "2d" });
    expect((await ask("GET", `/v1/parcels/${early.id}`)).body.status).toBe("canceled");
    expect(await ask("POST", `/v1/parcels/${late.id}/cancel`)).toEqual({
      status: 409,
      body: { type: "conflict", detail: "The parcel is delivered.", status: "delivered" },
      why: "only a parcel that nobody has picked up can be canceled",
    });
  });

  test("refuses wrong input, unknown paths, other methods and wrong keys with a reason", async () => {
    const { ask } = await testParcels();
    expect(await ask("POST", "/v1/parcels", { to: "Ada", weight_g: 0 })).toEqual({
      status: 400,
      body: { type: "invalid", detail: { weight_g: ["Ensure this value is greater than or equal to 1."] } },
      why: "wrong fields: weight_g (Ensure this value is greater than or equal to 1.)",
    });
    expect(await ask("GET", "/v1/parcel")).toMatchObject({
      status: 404,
      why: "the service has no path /v1/parcel; did you mean /v1/parcels?",
    });
    expect(await ask("DELETE", "/v1/parcels")).toMatchObject({ status: 405, body: { type: "method_not_allowed" } });
    expect(await ask("GET", "/v1/parcels", undefined, "wrong")).toMatchObject({ status: 401, body: { type: "unauthenticated" } });
  });
});

describe("a small service gets for nothing", () => {
  test("API keys and tenants: each key sees its own parcels, and a revoked key nothing", async () => {
    const { host, ask } = await testParcels({ fixtures: { api_keys: ["one"], parcels: [ADA] } });
    expect(host.apiKey).toBe("one");
    await ask("POST", "/v1/parcels", { to: "Bo", weight_g: 5 }, "test-a");
    const names = async (key: string) =>
      (await ask("GET", "/v1/parcels", undefined, key)).body.parcels.map((one: { to: string }) => one.to);
    expect([await names("one"), await names("test-a"), await names("test-b")]).toEqual([["Ada"], ["Ada", "Bo"], ["Ada"]]);
    const rule = {
      name: "revoked",
      when: { operation: "listParcels" },
      then: { error: "unauthorized", lasting: true, times: 1 },
    };
    await ask("POST", "/__admin/rules", rule);
    expect((await ask("GET", "/v1/parcels")).status).toBe(401);
    expect((await ask("GET", "/v1/parcels")).why).toBe("no such API key; use one of the fixtures, or any test-<name>");
    expect(await names("test-a")).toEqual(["Ada", "Bo"]);
  });

  test("virtual time: a client that polls at a frozen clock reads when the parcel moves", async () => {
    const { ask } = await testParcels();
    const { id } = (await ask("POST", "/v1/parcels", ADA)).body;
    for (let poll = 1; poll <= 2; poll++) expect((await ask("GET", `/v1/parcels/${id}`)).why).toBeNull();
    expect((await ask("GET", `/v1/parcels/${id}`)).why).toContain("the clock is frozen");
    expect((await ask("GET", `/v1/parcels/${id}`)).why).toContain("is picked up in 60 min");
  });

  test("automatic time: a client that polls gets its parcel delivered without a wait", async () => {
    const { ask } = await testParcels({ clock: { mode: "auto", poll: "1h" } });
    const { id } = (await ask("POST", "/v1/parcels", ADA)).body;
    const seen = new Set<string>();
    for (let poll = 0; poll < 60 && !seen.has("delivered"); poll++) seen.add((await ask("GET", `/v1/parcels/${id}`)).body.status);
    expect([...seen]).toEqual(["created", "in_transit", "delivered"]);
  });

  test("webhooks: each change is signed, and a failed delivery is tried again", async () => {
    const { ask } = await testParcels();
    const receiver = await startReceiver();
    receiver.answerWith(500, 200);
    const { body: webhook } = await ask("POST", "/v1/webhooks", { url: receiver.url });
    receiver.key = webhook.key;
    await ask("POST", "/v1/parcels", ADA);
    await ask("POST", "/__admin/clock/advance", { by: "2d" });
    expect(receiver.received.map(({ verified, body }) => [verified, body.event, body.data.status])).toEqual([
      [true, "parcel_created", "created"],
      [true, "parcel_created", "created"],
      [true, "parcel_in_transit", "in_transit"],
      [true, "parcel_delivered", "delivered"],
    ]);
    const { deliveries } = (await ask("GET", "/__admin/webhooks/deliveries?event=parcel_created")).body;
    expect(deliveries).toMatchObject([{ state: "delivered", attempts: [{ status: 500 }, { status: 200 }] }]);
  });

  test("a journal with reasons", async () => {
    const { ask } = await testParcels();
    await ask("POST", "/v1/parcels", { to: "Ada" });
    const { requests } = (await ask("GET", "/__admin/requests")).body;
    expect(requests).toMatchObject([
      { operationId: "createParcel", why: "wrong fields: weight_g (This field is required.)", response: { status: 400 } },
    ]);
  });

  test("rules and scenario files that answer 409, 423 and 429 once", async () => {
    const scenario = {
      version: 1,
      rules: [
        {
          name: "busy",
          when: { operation: "getParcel", parcel: { to: "Ada" } },
          then: { error: "throttled", retry_after: "3s", times: 1 },
        },
        { name: "locked", when: { operation: "cancelParcel" }, then: { error: "locked", times: 1 } },
        { name: "moved", when: { operation: "cancelParcel", call: { nth: 1, per: "parcel" } }, then: { error: "conflict" } },
      ],
    };
    const { ask } = await testParcels({ scenario: scenario as never });
    const { id } = (await ask("POST", "/v1/parcels", ADA)).body;
    const cancel = () => ask("POST", `/v1/parcels/${id}/cancel`);
    expect(await ask("GET", `/v1/parcels/${id}`)).toEqual({
      status: 429,
      body: { type: "throttled", detail: "Request was throttled. Expected available in 3 seconds." },
      why: "injected by rule busy",
    });
    expect((await ask("GET", `/v1/parcels/${id}`)).status).toBe(200);
    expect((await cancel()).body).toEqual({
      type: "locked",
      detail: "The parcel is locked.",
      expires_at: "2026-03-02T09:05:00.000000Z",
    });
    expect((await cancel()).body).toEqual({ type: "conflict", detail: "The parcel is in the wrong status.", status: "created" });
    expect((await cancel()).body.status).toBe("canceled");
  });

  test("a rule that loses an answer, and one that delays it", async () => {
    const { host, ask } = await testParcels();
    await ask("POST", "/__admin/rules", {
      name: "lost",
      when: { operation: "createParcel" },
      then: { network: "reset", phase: "after", times: 1 },
    });
    await expect(ask("POST", "/v1/parcels", ADA)).rejects.toThrow("fetch failed");
    expect((await ask("GET", "/v1/parcels")).body.parcels).toHaveLength(1);
    await ask("PUT", "/__admin/rules", [{ name: "slow", when: { operation: "listParcels" }, then: { delay: "1ms" } }]);
    expect((await ask("GET", "/v1/parcels")).status).toBe(200);
    expect(host.defaultTenant.rules.list()).toMatchObject([{ name: "slow", hits: 1 }]);
  });

  test("scenario files in the words of the service, with the place of each mistake", async () => {
    const { ask } = await testParcels();
    const wrong = "version: 1\nrules:\n  - name: a\n    when: { parcel: { status: lost } }\n    then: { error: locked }\n";
    expect(
      await ask("POST", "/__admin/scenarios", {
        version: 1,
        rules: [{ name: "a", when: { document: {} }, then: { error: "locked" } }],
      }),
    ).toMatchObject({
      status: 400,
      body: {
        mistakes: [
          {
            message: expect.stringContaining(
              'unknown name "document"; there are operation, path, method, query, headers, body, parcel',
            ),
          },
        ],
      },
    });
    expect((await ask("POST", "/__admin/scenarios", wrong)).body.mistakes).toMatchObject([
      { line: 1, message: expect.any(String) },
    ]);
  });

  test("a rule shows an old answer of a read, and no rule does so for a call that writes", async () => {
    const rule = (operation: string) => ({
      version: 1,
      rules: [{ name: "old", when: { operation }, then: { stale: "1h", times: 1 } }],
    });
    const { ask } = await testParcels();
    expect((await ask("POST", "/__admin/scenarios", rule("getParcel"))).status).toBe(201);
    const refused = await ask("POST", "/__admin/scenarios", rule("cancelParcel"));
    expect([refused.status, refused.body.mistakes]).toMatchObject([
      400,
      [{ message: expect.stringContaining("only reads can be stale, and cancelParcel does more than read") }],
    ]);
  });

  test("verification of calls, parcels and deliveries", async () => {
    const expected = (status: string) => ({
      version: 1,
      name: "story",
      expect: {
        parcels: [{ match: { to: "Ada" }, status, path: ["created", "in_transit", status] }],
        requests: [{ match: { operation: "createParcel" }, times: 1 }],
      },
    });
    const { ask } = await testParcels();
    await ask("POST", "/v1/parcels", ADA);
    await ask("POST", "/__admin/clock/advance", { by: "2d" });
    await ask("POST", "/__admin/scenarios", expected("delivered"));
    expect(await ask("POST", "/__admin/scenarios/story/verify")).toMatchObject({ status: 200 });
    await ask("POST", "/__admin/scenarios", expected("canceled"));
    const { status, body } = await ask("POST", "/__admin/scenarios/story/verify");
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain("path of");
    expect((await ask("POST", "/__admin/requests/count", { method: "POST", urlPath: "/v1/parcels" })).body).toMatchObject({
      count: 1,
    });
  });

  test("snapshots: a restored world has its parcels and its jobs again", async () => {
    const { ask } = await testParcels();
    const { id } = (await ask("POST", "/v1/parcels", ADA)).body;
    expect((await ask("POST", "/__admin/snapshots", { name: "early" })).body).toMatchObject({
      name: "early",
      parcels: 1,
      jobs: 1,
    });
    await ask("POST", "/__admin/clock/advance", { by: "2d" });
    await ask("POST", "/__admin/snapshots/early/restore");
    expect((await ask("GET", `/v1/parcels/${id}`)).body.status).toBe("created");
    await ask("POST", "/__admin/clock/advance", { by: "1h" });
    expect((await ask("GET", `/v1/parcels/${id}`)).body.status).toBe("in_transit");
  });

  test("an admin API in its words: a delivery names its parcel, and no text names a document", async () => {
    const { ask } = await testParcels();
    await ask("POST", "/v1/webhooks", { url: (await startReceiver()).url });
    const { id } = (await ask("POST", "/v1/parcels", ADA)).body;
    await ask("POST", "/v1/parcels", { to: "Bo", weight_g: 5 });
    const { deliveries: moved } = (await ask("POST", "/__admin/clock/advance", { by: "1s" })).body;
    expect(moved).toMatchObject([{ parcel_id: id }, { parcel_id: expect.any(String) }]);
    const { deliveries, meta } = (await ask("GET", `/__admin/webhooks/deliveries?parcel_id=${id}`)).body;
    expect([deliveries.map((one: object) => "document_id" in one), meta]).toEqual([[false], { total: 1 }]);
    expect(deliveries).toMatchObject([{ parcel_id: id, event: "parcel_created" }]);
    expect((await ask("GET", "/__admin/webhooks/deliveries?document_id=1")).status).toBe(400);
    expect((await ask("POST", `/__admin/parcels/${id}/simulate/sign`)).status).toBe(404);
    const { body: described } = await ask("GET", "/__admin/openapi.json");
    expect(findNouns("the description", JSON.stringify(described, undefined, 1))).toEqual([]);
  });

  test("a data file: the next process has the parcels, the clock and the jobs", async () => {
    const folder = mkdtempSync(join(tmpdir(), "docdouble-parcels-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const data = join(folder, "parcels.ndjson");
    const first = await startParcels({ data });
    const { id } = (await askOf(first)("POST", "/v1/parcels", ADA)).body;
    await first.close();
    const { ask } = await testParcels({ data });
    expect((await ask("GET", `/v1/parcels/${id}`)).body.status).toBe("created");
    await ask("POST", "/__admin/clock/advance", { by: "1h" });
    expect((await ask("GET", `/v1/parcels/${id}`)).body.status).toBe("in_transit");
  });
});
