/** Tests verification of requests, near misses, and each contract finding with the journal entries that prove it. */
import { describe, expect, test } from "vitest";
import { lab, subscribed } from "../../support/lab.ts";
import { aDraft, anUploadedDocument, CLIENT, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const verify = (world: TestWorld, body: object) => world.admin("POST", "/requests/verify", body);

describe("adminVerifyRequests", () => {
  test("adminVerifyRequests and other admin operations name each unknown member of a request", async () => {
    const world = await testWorld();
    const wrong = await world.admin("POST", "/requests/verify", { tims: 1 });
    expect(wrong).toMatchObject({ status: 400, body: { detail: { tims: ['unknown name "tims"; did you mean "times"?'] } } });
    const misspelled = await world.admin("POST", "/requests/verify", { match: { operaton: "x", pth: "/x" } });
    expect(misspelled).toMatchObject({
      status: 400,
      body: {
        detail: 'match: unknown name "operaton"; did you mean "operation"?; match: unknown name "pth"; did you mean "path"?',
      },
    });
    const clock = await world.admin("POST", "/clock/advance", { bye: "3d" });
    expect(clock).toMatchObject({
      status: 400,
      body: { detail: { bye: [expect.stringContaining('unknown name "bye"; did you mean "by"?')] } },
    });
  });

  test("a 422 answer lists the nearest entries with their differences, with the fewest differences first", async () => {
    const world = await testWorld();
    await world.call("listContacts");
    await world.call("listTemplates", { query: { count: 3 } });
    const answer = await verify(world, {
      match: { operation: "listTemplates", method: "GET", query: { count: "5" } },
    });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        type: "docdouble_not_verified",
        detail: "expected at least 1, found 0",
        nearest: [
          {
            call: { operationId: "listTemplates", request: { url: "/public/v1/templates?count=3" } },
            differences: [{ criterion: "query.count", expected: "5", actual: ["3"] }],
          },
          { call: { operationId: "listContacts" }, differences: [{ criterion: "operation" }, { criterion: "query.count" }] },
        ],
      },
    });
  });

  test("with a timeout, verification waits until a matching request arrives", async () => {
    const world = await testWorld();
    const waiting = verify(world, { match: { operation: "listTemplates" }, timeout_ms: 30_000 });
    await world.call("listContacts");
    await world.call("listTemplates");
    expect(await waiting).toMatchObject({ status: 200, body: { count: 1 } });
  });

  test("with `at_most`, verification waits for the whole timeout, because later requests can exceed the maximum", async () => {
    const world = await testWorld();
    await world.call("listTemplates");
    const waiting = verify(world, { match: { operation: "listTemplates" }, at_most: 1, timeout_ms: 50 });
    await world.call("listTemplates");
    expect(await waiting).toMatchObject({ status: 422, body: { count: 2 } });
  });
});

describe("adminNearMisses", () => {
  test("a request without an operation is listed with the nearest operation", async () => {
    const world = await testWorld();
    await world.call("listTemplates");
    await world.request("GET", "/public/v1/template");
    const { nearMisses } = (await world.admin("GET", "/requests/unmatched/near-misses")).body;
    expect(nearMisses).toMatchObject([
      {
        request: { url: "/public/v1/template", method: "GET" },
        operationId: null,
        why: "the service has no path /public/v1/template; did you mean /public/v1/templates?",
        nearest: [{ operationId: "listTemplates", method: "GET", path: "/public/v1/templates" }],
      },
    ]);
    expect((await world.admin("GET", "/requests/unmatched")).body.requests).toHaveLength(1);
  });
});

describe("adminContract", () => {
  const findings = async (world: TestWorld) => (await world.admin("GET", "/contract")).body;
  const idOf = (answer: { headers: Headers }) => answer.headers.get("x-request-id");
  const BODY = { template_uuid: TEMPLATES.oneSigner, name: "A", recipients: [CLIENT] };

  test("deprecated_parameter reports a deprecated query parameter", async () => {
    const world = await testWorld();
    const one = await world.call("createDocument", { body: BODY, query: { editor_ver: "ev1" } });
    expect((await findings(world)).findings).toContainEqual(
      expect.objectContaining({
        kind: "deprecated_parameter",
        message: "the parameter editor_ver of createDocument is deprecated",
        entries: [idOf(one)],
      }),
    );
  });

  test("duplicate_create reports the same body within ten minutes, and not later", async () => {
    const world = await testWorld();
    const one = await world.call("createDocument", { body: BODY });
    const two = await world.call("createDocument", { body: BODY });
    await world.advance("10m");
    await world.call("createDocument", { body: BODY });
    expect((await findings(world)).findings).toMatchObject([
      { kind: "duplicate_create", message: expect.stringContaining("two documents exist"), entries: [idOf(one), idOf(two)] },
    ]);
  });

  test("sent_before_draft reports a send that the document's state refuses, but not a send that a rule refuses", async () => {
    const world = await lab({
      rules: [{ name: "no", when: { operation: "sendDocument", document: { name: "B" } }, then: { error: "conflict" } }],
    });
    const id = await anUploadedDocument(world);
    const one = await world.call("sendDocument", { params: { id }, body: {} });
    const other = await anUploadedDocument(world, { body: { name: "B" } });
    await world.call("sendDocument", { params: { id: other }, body: {} });
    expect((await findings(world)).findings).toMatchObject([
      { kind: "sent_before_draft", message: expect.stringContaining("before the document was a draft"), entries: [idOf(one)] },
    ]);
  });

  test("key_in_url reports an API key in the URL", async () => {
    const world = await testWorld();
    const one = await world.request("GET", "/public/v1/templates?q=docdouble%2Dkey");
    expect((await findings(world)).findings).toMatchObject([
      { kind: "key_in_url", message: expect.stringContaining("the key in its URL"), entries: [idOf(one)] },
    ]);
  });

  test("forged_webhook_accepted reports a receiver that answers a forged delivery with a success", async () => {
    const world = await lab({ webhooks: [{ name: "forged", when: {}, then: { signature: "invalid", times: 1 } }] });
    const hook = await subscribed(world, ["document_state_changed"]);
    await aDraft(world);
    const [delivery] = (await world.admin("GET", "/webhooks/deliveries")).body.deliveries;
    expect((await findings(world)).findings).toMatchObject([
      {
        kind: "forged_webhook_accepted",
        message: `${hook.url} answered 200 to a delivery whose signature was invalid`,
        entries: [delivery.id],
      },
    ]);
  });

  test.each([401, 403])("genuine_webhook_refused reports a receiver that answers %i to a right signature", async (status) => {
    const world = await lab({});
    const hook = await subscribed(world, ["document_state_changed"]);
    hook.answerWith(status);
    await aDraft(world);
    const [delivery] = (await world.admin("GET", "/webhooks/deliveries")).body.deliveries;
    expect((await findings(world)).findings).toMatchObject([
      {
        kind: "genuine_webhook_refused",
        message: `${hook.url} answered ${status} to a delivery with the right signature, which is in the query parameter signature`,
        entries: [delivery.id],
      },
    ]);
  });

  test("webhook_receiver_too_slow reports a receiver that gives no answer in time, but not a timeout from a rule", async () => {
    const world = await lab({
      webhooks: [{ name: "forced", when: { status: "document.sent" }, then: { attempt_result: "timeout" } }],
    });
    world.tenant.settings.webhookTimeout_ms = 30;
    const hook = await subscribed(world, ["document_state_changed"]);
    hook.answerWith("hang");
    const id = await aDraft(world);
    await world.call("sendDocument", { params: { id }, body: {} });
    await world.advance("0s");
    const all = (await findings(world)).findings as { kind: string; entries: string[] }[];
    expect(new Set(all.map((one) => one.kind))).toEqual(new Set(["webhook_receiver_too_slow"]));
    expect(new Set(all.flatMap((one) => one.entries)).size).toBe(1);
  });
});
