/** Tests the access of pages of other origins, callers without a token, and readers of the journal, and the targets of URLs. */
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../../src/library/sandbox.ts";
import { lab } from "../../support/lab.ts";
import { CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { SettingsError } from "../../../src/library/errors.ts";

const PAGE = { origin: "https://app.client.example" };

function cors(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => name.startsWith("access-control")).sort();
}

describe("pages of other origins", () => {
  test("can read all answers of the service, also refusals, injected errors and unknown paths", async () => {
    const world = await lab({ rules: [{ name: "busy", when: { operation: "listContacts" }, then: { error: "throttled" } }] });
    for (const [path, key, status] of [
      ["/public/v1/documents", undefined, 200],
      ["/public/v1/documents", null, 401],
      ["/public/v1/contacts", undefined, 429],
      ["/public/v1/nothing", undefined, 404],
    ] as const) {
      const answer = await world.request("GET", path, { headers: PAGE, ...(key === undefined ? {} : { key }) });
      expect(answer.status).toBe(status);
      expect(answer.headers.get("access-control-allow-origin"), path).toBe(PAGE.origin);
      expect(answer.headers.get("access-control-expose-headers")).toContain("retry-after");
      expect(answer.headers.get("vary")).toBe("Origin");
    }
    expect(cors((await world.request("GET", "/public/v1/documents")).headers)).toEqual([]);
  });

  test("get permission from a preflight request, which the journal does not record", async () => {
    const world = await testWorld();
    const asked = { ...PAGE, "access-control-request-method": "PATCH", "access-control-request-headers": "authorization,x-own" };
    const local = { ...asked, "access-control-request-private-network": "true" };
    const answer = await world.request("OPTIONS", "/public/v1/documents/any", { key: null, headers: asked });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": PAGE.origin,
      "access-control-allow-methods": "GET,POST,PUT,PATCH,DELETE",
      "access-control-allow-headers": "authorization,x-own",
    });
    expect(answer.headers.has("access-control-allow-private-network")).toBe(false);
    const localAnswer = await world.request("OPTIONS", "/public/v1/documents/any", { key: null, headers: local });
    expect(localAnswer.headers.get("access-control-allow-private-network")).toBe("true");
    expect(world.tenant.journal.size).toBe(0);
    expect((await world.request("OPTIONS", "/public/v1/documents", { key: null })).status).toBe(401);
  });

  test("can neither read nor control the admin API", async () => {
    const world = await testWorld();
    const read = await world.request("GET", "/__admin/requests", { headers: PAGE });
    expect(cors(read.headers)).toEqual([]);
    expect(Object.fromEntries(read.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
    const asked = { ...PAGE, "access-control-request-method": "DELETE" };
    const preflight = await world.request("OPTIONS", "/__admin/requests", { key: null, headers: asked });
    expect([preflight.status, cors(preflight.headers)]).toEqual([405, []]);
    const status = async (headers: Record<string, string>) => (await world.request("POST", "/__admin/reset", { headers })).status;
    expect(await status(PAGE)).toBe(403);
    expect(await status({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await status({ origin: "http://localhost:4010" })).toBe(403);
    expect(await status({})).toBe(200);
  });
});

describe("the admin token", () => {
  test.each(["0.0.0.0", "192.168.1.5", "::"])("a server on %s needs an admin token", async (host) => {
    await expect(createSandbox({ host })).rejects.toThrow(SettingsError);
    await expect(createSandbox({ host })).rejects.toThrow("Set the option adminToken");
  });
});

describe("the targets of URLs", () => {
  test.each([
    [{}, "all"],
    [{ host: "0.0.0.0", adminToken: "open sesame" }, "public"],
    [{ host: "0.0.0.0", adminToken: "open sesame", allowPrivateTargets: true }, "all"],
  ])("the options %j set the address policy %s", async (options, reach) => {
    expect((await testWorld(options)).tenant.settings.addressPolicy).toBe(reach);
  });
});

describe("secrets", () => {
  test("are in no view of the journal, but patterns still match requests by them", async () => {
    const world = await testWorld();
    const made = await succeed(
      world.call("createWebhookSubscription", {
        body: { name: "Mine", url: "http://127.0.0.1:9/hook", triggers: ["document_updated"] },
      }),
    );
    const verification_settings = {
      verification_place: "before_open",
      passcode_verification: { passcode: "open-sesame-9" },
    };
    await succeed(
      world.call("createDocument", {
        body: { template_uuid: TEMPLATES.oneSigner, recipients: [{ ...CLIENT, verification_settings }] },
      }),
    );
    const token = await succeed(
      world.request("POST", "/oauth2/access_token", {
        key: null,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          grant_type: "authorization_code",
          client_id: "docdouble-client",
          client_secret: "docdouble-secret",
          code: (await succeed(world.admin("POST", "/oauth/codes", { client_id: "docdouble-client" }))).body.code,
        }).toString(),
      }),
    );
    await world.request("GET", "/public/v1/documents?api_key=docdouble-key");
    const secrets = [
      made.body.shared_key,
      "open-sesame-9",
      "docdouble-secret",
      token.body.access_token,
      token.body.refresh_token,
      "docdouble-key",
    ];
    const { requests } = (await world.admin("GET", "/requests")).body;
    const views: unknown[] = [requests, (await world.call("listLogsV2")).body];
    for (const { id } of requests) views.push((await world.admin("GET", `/requests/${id}`)).body);
    for (const { id } of (await world.call("listLogsV2")).body.results)
      views.push((await world.call("detailsLogV2", { params: { id } })).body);
    const decoded = JSON.stringify(views);
    for (const secret of secrets) expect(decoded.includes(secret), secret).toBe(false);
    // The last characters distinguish two secrets.
    expect(decoded).toContain(`***${String(made.body.shared_key).slice(-4)}`);
    const verified = await world.admin("POST", "/requests/count", {
      method: "POST",
      path: "/public/v1/webhook-subscriptions",
      headers: { Authorization: "API-Key docdouble-key" },
    });
    expect(verified.body.count).toBe(1);
    const missed = await world.admin("POST", "/requests/verify", {
      match: { path: "/public/v1/webhook-subscriptions", headers: { Authorization: "API-Key other" } },
      times: 1,
    });
    expect(missed.status).toBe(422);
    expect(JSON.stringify(missed.body)).not.toContain("docdouble-key");
    expect(JSON.stringify(missed.body)).toContain("API-Key ***-key");
  });
});
