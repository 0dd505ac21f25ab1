/** Tests the effects of rules on calls: errors in the words of the service, fixed answers, delays, counts and network faults. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../src/engine/core/clock.ts";
import { aDraft, anUploadedDocument, CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { KEY, SANDBOX_KEY, type TestWorld, testWorld } from "../../support/world.ts";
import { until } from "../../support/patience.ts";

const IN_DAYS = "2026-03-02T09:00";

async function withRule(world: TestWorld, when: object, then: object, name = "one"): Promise<void> {
  const added = await world.admin("POST", "/rules", { name, when, then });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
}

const list = (world: TestWorld, key = KEY) => world.call("listDocuments", { key });
const statuses = async (calls: Promise<{ status: number }>[]) => (await Promise.all(calls)).map((one) => one.status);
/** Makes the calls one after the other. */
async function inTurn(times: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = [];
  for (let i = 0; i < times; i++) seen.push((await call()).status);
  return seen;
}

describe("injected errors", () => {
  test.each([
    [
      "locked",
      423,
      {
        type: "document_locked",
        detail: "Document is locked for editing",
        locked_by_user_id: "UserNoraxxxxxxxxxxxxxx",
        lock_type: "wopi_editing",
        expires_at: `${IN_DAYS}:30.000000Z`,
      },
      { lock: { expires_in: "25s" } },
    ],
    [
      "conflict",
      409,
      {
        id: expect.any(String),
        status: "document.draft",
        info_message: "The document isn't ready for a status transition yet",
      },
      {},
    ],
    [
      "throttled",
      429,
      { type: "throttled", detail: "Request was throttled. Expected available in 7 seconds." },
      { retry_after: "7s" },
    ],
    ["not_found", 404, { type: "request_error", detail: "Not found" }, {}],
    ["forbidden", 403, { type: "permissions_error", detail: "You do not have permission to perform this action." }, {}],
    ["unauthorized", 401, { type: "authentication_error", detail: "Invalid key." }, {}],
    ["invalid", 400, { type: "request_error", detail: "Invalid request." }, { undeclared: true }],
  ])("%s has the status, the body and the headers of the service", async (error, status, body, more) => {
    const world = await testWorld();
    const id = await aDraft(world);
    await withRule(world, { operation: "sendDocument" }, { error, ...more });
    const answer = await world.call("sendDocument", { params: { id }, body: {} });
    expect(answer).toMatchObject({ status, body });
    expect(Object.keys(answer.body).sort()).toEqual(Object.keys(body).sort());
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("x-docdouble-rule")).toBe("one");
    expect(answer.headers.get("x-docdouble-why")).toBe("injected by rule one");
    expect(answer.headers.get("retry-after")).toBe(error === "throttled" ? "7" : null);
    const { status: real } = (await world.call("statusDocument", { params: { id } })).body;
    expect(real).toBe("document.draft");
  });

  test("invalid has the type validation_error for an operation with that type", async () => {
    const world = await testWorld();
    await withRule(world, { operation: "createDocument" }, { error: "invalid", detail: "No." });
    const answer = await world.call("createDocument", { body: { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] } });
    expect(answer).toMatchObject({ status: 400, body: { type: "validation_error", detail: "No." } });
  });

  test("a rule can set the detail of an error, and the member who holds the lock", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    for (const error of ["throttled", "not_found", "forbidden", "unauthorized"]) {
      await withRule(world, { operation: "statusDocument" }, { error, detail: `own ${error}` });
      expect((await world.call("statusDocument", { params: { id } })).body.detail).toBe(`own ${error}`);
    }
    await withRule(world, { operation: "updateDocument" }, { error: "locked", lock: { by: "MemberSamxxxxxxxxxxxxx" } });
    const locked = await world.call("updateDocument", { params: { id }, body: {} });
    expect(locked.body).toMatchObject({
      locked_by_user_id: "UserSamxxxxxxxxxxxxxxx",
      expires_at: `${"2026-03-02T09:05"}:05.000000Z`,
    });
  });

  test("an error of the token endpoint keeps its dialect", async () => {
    const world = await testWorld();
    await withRule(world, { operation: "accessToken" }, { error: "throttled", undeclared: true });
    const answer = await world.request("POST", "/oauth2/access_token", {
      key: null,
      body: "grant_type=x",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(answer).toMatchObject({ status: 429, body: { error: "too_many_requests" } });
  });
});

describe("respond", () => {
  test("answers with the unchanged JSON or text and headers of the rule", async () => {
    const world = await testWorld();
    await withRule(
      world,
      { operation: "listDocuments" },
      {
        respond: { status: 503, headers: { "retry-after": "9" }, body: { oh: ["no"] } },
        times: 1,
        undeclared: true,
      },
    );
    const json = await list(world);
    expect(json).toMatchObject({ status: 503, body: { oh: ["no"] } });
    expect([json.headers.get("retry-after"), json.headers.get("content-type")]).toEqual(["9", "application/json"]);
    await withRule(
      world,
      { operation: "listDocuments" },
      {
        respond: { status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad gateway</h1>" },
        undeclared: true,
      },
    );
    const html = await list(world);
    expect(html.status).toBe(502);
    expect(new TextDecoder().decode(html.body)).toBe("<h1>Bad gateway</h1>");
    expect(html.headers.get("content-type")).toBe("text/html");
  });
});

describe("phase", () => {
  test("before skips the operation, and after keeps its write but replaces its answer", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    const send = () => world.call("sendDocument", { params: { id }, body: {} });
    const status = async () => (await world.call("statusDocument", { params: { id } })).body.status;
    await withRule(world, { operation: "sendDocument" }, { error: "throttled", times: 1 }, "before");
    expect([(await send()).status, await status()]).toEqual([429, "document.draft"]);
    await withRule(world, { operation: "sendDocument" }, { error: "throttled", phase: "after", times: 1 }, "after");
    expect([(await send()).status, await status()]).toEqual([429, "document.sent"]);
    // A client that tries again learns that the document was sent.
    expect([(await send()).status, await status()]).toEqual([409, "document.sent"]);
  });
});

describe("the calls that a rule acts on", () => {
  const counted = async (world: TestWorld, then: object, when: object = {}) =>
    withRule(world, { operation: "listDocuments", ...when }, { error: "throttled", ...then });

  test.each([
    ["times: 2", { times: 2 }, {}, [429, 429, 200, 200, 200, 200]],
    ["nth: 3", {}, { call: { nth: 3 } }, [200, 200, 429, 200, 200, 200]],
    ["first: 2", {}, { call: { first: 2 } }, [429, 429, 200, 200, 200, 200]],
    ["from: 5", {}, { call: { from: 5 } }, [200, 200, 200, 200, 429, 429]],
    ["every: 2", {}, { call: { every: 2 } }, [200, 429, 200, 429, 200, 429]],
    ["from: 2, every: 2", {}, { call: { from: 2, every: 2, per: "rule" } }, [200, 429, 200, 429, 200, 429]],
    ["every: 2, times: 2", { times: 2 }, { call: { every: 2 } }, [200, 429, 200, 429, 200, 200]],
  ])("%s selects the calls that the rule acts on", async (_, then, when, expected) => {
    const world = await testWorld();
    await counted(world, then, when);
    expect(await inTurn(6, () => list(world))).toEqual(expected);
  });

  test("a condition on the document matches a create request by the new document", async () => {
    const world = await testWorld();
    await withRule(
      world,
      { operation: "createDocument", document: { "metadata.order": "9", template: TEMPLATES.oneSigner } },
      { error: "throttled" },
    );
    const create = (order: string) =>
      world.call("createDocument", { body: { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT], metadata: { order } } });
    expect(await statuses([create("9"), create("8")])).toEqual([429, 201]);
  });

  test("a call without credentials gets 401 before any rule, and no rule counts it", async () => {
    const world = await testWorld();
    await counted(world, { times: 1 });
    expect((await world.call("listDocuments", { key: null })).status).toBe(401);
    expect((await list(world)).status).toBe(429);
  });
});

describe("delay and rate_limit", () => {
  test("a delay takes real time even on a frozen clock, and keeps the answer", async () => {
    const world = await testWorld();
    await withRule(world, { operation: "listDocuments" }, { delay: "30ms" });
    const start = performance.now();
    const answer = await list(world);
    expect(performance.now() - start).toBeGreaterThanOrEqual(29);
    expect([answer.status, answer.headers.get("x-docdouble-rule")]).toEqual([200, "one"]);
    expect(world.sandbox.clock.now()).toBe(Date.parse("2026-03-02T09:00:00Z"));
  });

  test("a delay is at most 30 seconds", async () => {
    const world = await testWorld();
    const longer = { name: "one", when: { operation: "listDocuments" }, then: { delay: "30001ms" } };
    expect((await world.admin("POST", "/rules", longer)).status).toBe(400);
    await withRule(world, { operation: "listDocuments" }, { delay: "30s" });
    const slept: number[] = [];
    const sleep = vi.spyOn(systemClock, "sleep").mockImplementation(async (ms) => void slept.push(ms));
    onTestFinished(() => sleep.mockRestore());
    expect([(await list(world)).status, slept]).toEqual([200, [30_000]]);
  });

  test("rate_limit passes the given number of calls per key and window of the sandbox clock", async () => {
    const world = await testWorld();
    await withRule(world, { operation: "listDocuments" }, { rate_limit: { limit: 2, window: "1m" } });
    expect(await inTurn(2, () => list(world))).toEqual([200, 200]);
    await world.advance("20s");
    const refused = await list(world);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "40"]);
    expect(refused.body.detail).toBe("Request was throttled. Expected available in 40 seconds.");
    expect(refused.headers.get("x-docdouble-why")).toContain("rule one allows 2 calls");
    expect((await list(world, SANDBOX_KEY)).status).toBe(200);
    await world.advance("40s");
    expect((await list(world)).status).toBe(200);
  });

  test.each([
    ["removed and added again", (world: TestWorld) => world.admin("DELETE", "/rules/one")],
    ["cleared and added again", (world: TestWorld) => world.admin("DELETE", "/rules")],
    ["replaced", async () => {}],
  ])("a rate_limit rule that is %s begins a new window", async (_, end) => {
    const world = await testWorld();
    const rule = { name: "one", when: { operation: "listDocuments" }, then: { rate_limit: { limit: 1, window: "1m" } } };
    const add = () => succeed(world.admin("PUT", "/rules/one", rule));
    await add();
    expect(await inTurn(2, () => list(world))).toEqual([200, 429]);
    await end(world);
    await add();
    expect(await inTurn(2, () => list(world))).toEqual([200, 429]);
  });
});

describe("network faults over a socket", () => {
  async function faulty(network: string, more: object = {}) {
    const world = await testWorld({ port: 0 });
    await anUploadedDocument(world);
    await withRule(world, { operation: "listDocuments" }, { network, times: 1, ...more });
    const get = (init: RequestInit = {}) =>
      fetch(`${world.sandbox.url}/public/v1/documents`, { headers: { authorization: `API-Key ${KEY}` }, ...init });
    const fails = async (): Promise<{ code?: string }> => {
      const error = await get()
        .then((answer) => answer.text())
        .then(
          () => undefined,
          (thrown: Error) => thrown,
        );
      expect(error).toBeInstanceOf(TypeError);
      return error?.cause as { code?: string };
    };
    return { world, get, fails };
  }

  test("reset resets the connection, and the next call works", async () => {
    const { fails, get } = await faulty("reset");
    expect((await fails()).code).toBe("ECONNRESET");
    expect((await get()).status).toBe(200);
  });

  test("empty closes the connection without an answer, and the next call works", async () => {
    const { fails, get } = await faulty("empty");
    expect((await fails()).code).toBe("UND_ERR_SOCKET");
    expect((await get()).status).toBe(200);
  });

  test("truncate sends the head and cuts the body, and the journal names the fault", async () => {
    const { get, world } = await faulty("truncate");
    const answer = await get();
    expect([answer.status, answer.headers.get("x-docdouble-rule")]).toEqual([200, "one"]);
    let part = "";
    const read = async () => {
      for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>) part += Buffer.from(bytes).toString();
    };
    await expect(read()).rejects.toMatchObject({ message: "terminated" });
    const whole = await (await get()).text();
    expect(part).toBe(whole.slice(0, Math.floor(whole.length / 2)));
    const [entry] = (await world.admin("GET", "/requests?limit=2")).body.requests.slice(-1);
    expect(entry.why).toBe("network fault of the rule: truncate");
  });

  test("hang sends no answer until the client gives up", async () => {
    const { get, world } = await faulty("hang");
    const caller = new AbortController();
    const answer = get({ signal: caller.signal });
    const hits = async () => ((await (await fetch(`${world.sandbox.url}/__admin/rules/one`)).json()) as { hits: number }).hits;
    await until(async () => (await hits()) > 0);
    caller.abort();
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    expect((await get()).status).toBe(200);
  });

  test("slow sends the whole answer in parts", async () => {
    const { get } = await faulty("slow");
    const answer = await get();
    let parts = 0;
    let text = "";
    for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
      parts++;
      text += Buffer.from(part).toString();
    }
    expect(JSON.parse(text).results).toHaveLength(1);
    expect(parts).toBeGreaterThan(3);
  });
});

describe("network faults without a socket", () => {
  const get = (world: TestWorld, init: RequestInit = {}) =>
    world.sandbox.fetch("/public/v1/documents", { headers: { authorization: `API-Key ${KEY}` }, ...init });

  test.each([
    ["reset", "ECONNRESET"],
    ["empty", "UND_ERR_SOCKET"],
  ])("%s rejects with the error of fetch", async (network, code) => {
    const world = await testWorld();
    await withRule(world, { operation: "listDocuments" }, { network, times: 1 });
    const error = await get(world).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: "fetch failed", cause: { code } });
    expect((await get(world)).status).toBe(200);
  });

  test("truncate returns the head, and its body fails with the error of fetch", async () => {
    const world = await testWorld();
    await withRule(world, { operation: "listDocuments" }, { network: "truncate", times: 1 });
    const answer = await get(world);
    expect(answer.status).toBe(200);
    const error = await answer.text().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: "terminated", cause: { code: "UND_ERR_SOCKET" } });
  });

  test("truncate of an answer without a body rejects with the error of fetch", async () => {
    const world = await testWorld();
    const { id } = (await world.call("createContact", { body: { email: "new@client.example" } })).body;
    await withRule(world, { operation: "deleteContact" }, { network: "truncate", times: 1 });
    const error = await world.sandbox
      .fetch(`/public/v1/contacts/${id}`, { method: "DELETE", headers: { authorization: `API-Key ${KEY}` } })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: "fetch failed", cause: { code: "UND_ERR_SOCKET" } });
  });

  test("hang ends when the caller aborts, with the caller's reason", async () => {
    const world = await testWorld();
    await withRule(world, { operation: "listDocuments" }, { network: "hang", times: 1 });
    await expect(get(world, { signal: AbortSignal.timeout(10) })).rejects.toMatchObject({ name: "TimeoutError" });
    expect((await get(world)).status).toBe(200);
  });

  test("slow has no effect", async () => {
    const world = await testWorld();
    await withRule(world, { operation: "listDocuments" }, { network: "slow" });
    expect((await get(world)).status).toBe(200);
  });
});

test("a rule's name with any characters becomes a valid header value", async () => {
  const world = await testWorld();
  await withRule(world, { operation: "listDocuments" }, { error: "throttled" }, "zu früh → warten\n!");
  const answer = await list(world);
  expect(answer.status).toBe(429);
  expect(answer.headers.get("x-docdouble-rule")).toMatch(/^[\x20-\x7e]+$/);
});
