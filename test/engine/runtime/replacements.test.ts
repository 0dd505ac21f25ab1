/** Tests parts of a scenario that replace acts, answers and deliveries and keep the state consistent with them. */
import { describe, expect, test } from "vitest";
import { lab, load, subscribed, unmet } from "../../support/lab.ts";
import { aDraft, aSentDocument, simulate, succeed } from "../../support/stories.ts";

describe("instead", () => {
  test("a recipient declines when an actor, an email address or a test would make them sign", async () => {
    const world = await lab({
      instead: [{ recipient: { role: "Client" }, do: "decline", with: { reason: "Too dear" } }],
      actors: [{ name: "pat", on: "document.sent", document: { name: "By actor" }, steps: [{ after: "1h", do: "sign" }] }],
    });
    const byActor = await aSentDocument(world, { body: { name: "By actor" } });
    const email = "ivo+sign.after=1h@client.example";
    const byAddress = await aSentDocument(world, {
      body: { recipients: [{ email, first_name: "Ivo", last_name: "M", role: "Client" }] },
    });
    const byTest = await aSentDocument(world);
    await world.advance("2h");
    await simulate(world, byTest, "sign");
    for (const id of [byActor, byAddress, byTest])
      expect((await world.call("statusDocument", { params: { id } })).body.status).toBe("document.declined");
  });
});

describe("lasting", () => {
  test("a lasting not_found deletes the document, and a lasting unauthorized expires the token", async () => {
    const world = await lab({
      rules: [{ name: "gone", when: { operation: "sendDocument" }, then: { error: "not_found", lasting: true, times: 1 } }],
    });
    const id = await aDraft(world);
    expect((await world.call("sendDocument", { params: { id }, body: {} })).status).toBe(404);
    expect((await world.call("statusDocument", { params: { id } })).status).toBe(404);

    const secrets = { client_id: "docdouble-client", client_secret: "docdouble-secret" };
    const back = { redirect_uri: "http://localhost:8080/callback", response_type: "code", scope: "read" };
    const page = await world.sandbox.fetch(`/oauth2/authorize?${new URLSearchParams({ client_id: secrets.client_id, ...back })}`);
    const code = new URL(page.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const client = await succeed(
      world.call("accessToken", {
        key: null,
        body: new URLSearchParams({ ...secrets, grant_type: "authorization_code", code }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      }),
    );
    await load(world, {
      name: "expiry",
      rules: [{ name: "old", when: { operation: "listDocuments" }, then: { error: "unauthorized", lasting: true, times: 1 } }],
    });
    const headers = { authorization: `Bearer ${client.body.access_token}` };
    for (let calls = 0; calls < 2; calls++)
      expect((await world.sandbox.fetch("/public/v1/documents", { headers })).status).toBe(401);
  });
});

test("copy_ahead sends one forged copy immediately, and the true delivery after its delay", async () => {
  const world = await lab({
    webhooks: [{ name: "forged", when: { status: "document.draft" }, then: { copy_ahead: "invalid", delay: "1h" } }],
  });
  const hook = await subscribed(world);
  await aDraft(world);
  expect(hook.received).toHaveLength(1);
  await world.advance("3h");
  expect(hook.received).toHaveLength(2);
  const { deliveries } = (await world.admin("GET", "/webhooks/deliveries")).body;
  expect(deliveries.map((one: { attempts: { signed: string }[] }) => one.attempts.map(({ signed }) => signed))).toEqual(
    expect.arrayContaining([["invalid"], ["valid"]]),
  );
  expect(hook.received[0]?.body).toEqual(hook.received[1]?.body);
  expect(hook.received[0]?.eventId).not.toBe(hook.received[1]?.eventId);
});

test("copy_ahead with a list sends one copy for each signature, each with its own event id", async () => {
  const world = await lab({
    webhooks: [{ name: "forged", when: { status: "document.draft" }, then: { copy_ahead: ["invalid", "missing", "similar"] } }],
  });
  const hook = await subscribed(world);
  await aDraft(world);
  const { deliveries } = (await world.admin("GET", "/webhooks/deliveries")).body;
  const signed = deliveries.flatMap((one: { attempts: { signed: string }[] }) => one.attempts.map((attempt) => attempt.signed));
  expect(signed.sort()).toEqual(["invalid", "missing", "similar", "valid"]);
  expect(new Set(hook.received.map(({ eventId }) => eventId)).size).toBe(4);
});

test("expect.contract with `without` checks only the named kinds of findings", async () => {
  const world = await lab({ expect: { contract: { without: ["retry_after_ignored"] } } });
  await succeed(world.call("listDocuments", { query: { nonsense: "1" } }));
  expect(await unmet(world)).toEqual([]);
  await load(world, { name: "other", expect: { contract: { without: ["unknown_field"] } } });
  expect(await unmet(world, "other")).toHaveLength(1);
});
