import { describe, expect, test } from "vitest";
import { aDraft, succeed } from "../../support/stories.ts";
import { type Answer, KEY, SANDBOX_KEY, testWorld, useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

const CLIENT_ID = "docdouble-client";
const SECRET = "docdouble-secret";
const CALLBACK = "http://localhost:8080/callback";

const ask = (overrides: Record<string, string | undefined> = {}) => {
  const given = {
    client_id: CLIENT_ID,
    redirect_uri: CALLBACK,
    scope: "read+write",
    response_type: "code",
    state: "s 1&2",
    ...overrides,
  };
  return new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]])),
  );
};

async function authorize(world: TestWorld, overrides: Record<string, string | undefined> = {}): Promise<Response> {
  // Browsers send the plus in the scope without encoding.
  return world.sandbox.fetch(`/oauth2/authorize?${String(ask(overrides)).replace("read%2Bwrite", "read+write")}`);
}

const target = (response: Response): URL => {
  expect(response.status).toBe(302);
  return new URL(response.headers.get("location") ?? "");
};

const token = (world: TestWorld, fields: Record<string, string>): Promise<Answer> =>
  world.call("accessToken", {
    key: null,
    body: new URLSearchParams({ client_id: CLIENT_ID, client_secret: SECRET, ...fields }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

async function aCode(world: TestWorld, overrides: Record<string, string | undefined> = {}): Promise<string> {
  return target(await authorize(world, overrides)).searchParams.get("code") ?? "";
}

const grant = async (world: TestWorld, overrides: Record<string, string | undefined> = {}): Promise<Answer["body"]> =>
  (await succeed(token(world, { grant_type: "authorization_code", code: await aCode(world, overrides) }))).body;

const bearer = (world: TestWorld, access: string, method = "GET", path = "/public/v1/documents", body?: unknown) =>
  world.request(method, path, { key: null, headers: { authorization: `Bearer ${access}` }, body });

describe("the authorize page", () => {
  test("in auto mode the page redirects at once, with the state and a code", async () => {
    const back = target(await authorize(world));
    expect(back.origin + back.pathname).toBe(CALLBACK);
    expect([...back.searchParams.keys()]).toEqual(["state", "code"]);
    expect(back.searchParams.get("state")).toBe("s 1&2");
    expect(back.searchParams.get("code")).toMatch(/^[0-9a-f]{40}$/);
    const bare = target(await authorize(world, { state: undefined, redirect_uri: `${CALLBACK}?keep=1` }));
    expect(bare.search).toMatch(/^\?keep=1&state=&code=[0-9a-f]{40}$/);
  });

  test("the page explains a missing or wrong client_id or redirect_uri, and does not redirect", async () => {
    const wrong: [Record<string, string | undefined>, string][] = [
      [{ client_id: "<b>x</b>" }, "There is no application with the client_id &lt;b&gt;x&lt;/b&gt;."],
      [{ client_id: undefined }, "The client_id is missing."],
      [
        { redirect_uri: "https://evil.example/callback" },
        "The redirect_uri https://evil.example/callback is not one of this application&#39;s.",
      ],
      [{ redirect_uri: "http://localhost.evil.example/" }, "is not one of this application"],
      [{ redirect_uri: "javascript:alert(1)" }, "is not one of this application"],
      [{ redirect_uri: undefined }, "The redirect_uri is missing."],
    ];
    for (const [overrides, words] of wrong) {
      const response = await authorize(world, overrides);
      expect(response.status).toBe(400);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("location")).toBeNull();
      expect(await response.text()).toContain(words);
    }
    expect(world.tenant.store.oauth_codes.size).toBe(0);
  });

  test("the page accepts a registered redirect_uri only on an exact match", async () => {
    const { oauth_clients } = world.tenant.store;
    const client = oauth_clients.get(CLIENT_ID);
    if (!client) throw new Error("no client");
    oauth_clients.put({ ...client, redirect_uris: ["https://app.example/done"] });
    expect((await authorize(world, { redirect_uri: "https://app.example/done" })).status).toBe(302);
    expect((await authorize(world, { redirect_uri: "https://app.example/done/" })).status).toBe(400);
    expect((await authorize(world)).status).toBe(400);
  });

  test("the page redirects with the state and invalid_scope, unsupported_response_type or invalid_request", async () => {
    const errors: [Record<string, string | undefined>, string][] = [
      [{ scope: "admin" }, "invalid_scope"],
      [{ scope: undefined }, "invalid_scope"],
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ response_type: undefined }, "invalid_request"],
    ];
    for (const [overrides, error] of errors)
      expect(target(await authorize(world, overrides)).search).toBe(`?state=s+1%262&error=${error}`);
  });

  test("in interactive mode the page asks the user, and Approve and Deny redirect", async () => {
    const world = await testWorld({ oauth: "interactive" });
    const page = await authorize(world, { state: '"><script>' });
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text).toContain("Authorize Application");
    expect(text).toContain('value="approve">Approve</button>');
    expect(text).toContain('value="deny">Deny</button>');
    expect(text).toContain('name="state" value="&quot;&gt;&lt;script&gt;"');
    expect(world.tenant.store.oauth_codes.size).toBe(0);
    const post = (decision: string) => {
      const body = ask();
      body.set("decision", decision);
      return world.sandbox.fetch("/oauth2/authorize", { method: "POST", body });
    };
    expect(target(await post("deny")).search).toBe("?state=s+1%262&error=access_denied");
    const code = target(await post("approve")).searchParams.get("code") ?? "";
    expect((await token(world, { grant_type: "authorization_code", code })).status).toBe(200);
  });

  test("in interactive mode the page reads a form of at most 64 KiB", async () => {
    const world = await testWorld({ oauth: "interactive" });
    const post = (bytes: number) => {
      const body = ask();
      body.set("decision", "approve");
      body.set("more", "");
      body.set("more", "a".repeat(bytes - String(body).length));
      return world.sandbox.fetch("/oauth2/authorize", { method: "POST", body });
    };
    expect((await post(64 * 1024 + 1)).status).toBe(400);
    expect(world.tenant.store.oauth_codes.size).toBe(0);
    expect(target(await post(64 * 1024)).searchParams.has("code")).toBe(true);
  });
});

describe("accessToken", () => {
  test("accessToken exchanges a code for a working token, and refuses the code the second time", async () => {
    const code = await aCode(world);
    const granted = await token(world, { grant_type: "authorization_code", code, scope: "read+write" });
    expect(granted).toMatchObject({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^[0-9a-f]{40}$/),
        refresh_token: expect.stringMatching(/^[0-9a-f]{40}$/),
        token_type: "Bearer",
        expires_in: 31_535_999,
        scope: "read write read+write",
      },
    });
    expect((await bearer(world, granted.body.access_token)).status).toBe(200);
    const again = await token(world, { grant_type: "authorization_code", code });
    expect([again.status, again.body]).toEqual([400, { error: "invalid_grant" }]);
  });

  test("accessToken refuses an expired code, and a code or refresh token of another client", async () => {
    const late = await aCode(world);
    await world.advance("10m");
    expect((await token(world, { grant_type: "authorization_code", code: late })).body).toEqual({ error: "invalid_grant" });
    const { oauth_clients } = world.tenant.store;
    const client = oauth_clients.get(CLIENT_ID);
    if (!client) throw new Error("no client");
    oauth_clients.put({ ...client, id: "other-client" });
    const foreign = await aCode(world, { client_id: "other-client" });
    expect((await token(world, { grant_type: "authorization_code", code: foreign })).body).toEqual({ error: "invalid_grant" });
    const theirs = await succeed(token(world, { grant_type: "authorization_code", code: foreign, client_id: "other-client" }));
    const { refresh_token } = theirs.body;
    expect((await token(world, { grant_type: "refresh_token", refresh_token })).body).toEqual({ error: "invalid_grant" });
    await succeed(token(world, { grant_type: "refresh_token", refresh_token, client_id: "other-client" }));
  });

  test("accessToken with a refresh token returns a working token, and ends the old access and refresh tokens", async () => {
    const first = await grant(world);
    const second = await succeed(token(world, { grant_type: "refresh_token", refresh_token: first.refresh_token }));
    expect(second.body.access_token).not.toBe(first.access_token);
    expect((await bearer(world, second.body.access_token)).status).toBe(200);
    expect(await bearer(world, first.access_token)).toMatchObject({ status: 401, body: { type: "authentication_error" } });
    const again = await token(world, { grant_type: "refresh_token", refresh_token: first.refresh_token });
    expect([again.status, again.body]).toEqual([400, { error: "invalid_grant" }]);
  });

  test("accessToken names the error of a wrong request, and accepts only form bodies", async () => {
    const wrong: [Record<string, string>, string][] = [
      [{ grant_type: "password" }, "unsupported_grant_type"],
      [{ grant_type: "" }, "unsupported_grant_type"],
      [{ grant_type: "authorization_code" }, "invalid_request"],
      [{ grant_type: "authorization_code", code: "unknown" }, "invalid_grant"],
      [{ grant_type: "refresh_token", refresh_token: "unknown" }, "invalid_grant"],
      [{ grant_type: "refresh_token" }, "invalid_request"],
      [{ grant_type: "authorization_code", code: "x", client_secret: "wrong" }, "invalid_client"],
      [{ grant_type: "authorization_code", code: "x", client_id: "wrong" }, "invalid_client"],
    ];
    for (const [fields, error] of wrong) {
      const { status, body } = await token(world, fields);
      expect([fields, status, body]).toEqual([fields, 400, { error }]);
    }
    const json = { grant_type: "authorization_code", client_id: CLIENT_ID, client_secret: SECRET, code: await aCode(world) };
    for (const [body, type] of [
      [JSON.stringify(json), "application/json"],
      [new URLSearchParams(json).toString(), "text/plain"],
      [new URLSearchParams(json).toString(), "multipart/form-data; boundary=x"],
    ] as const) {
      const answer = await world.call("accessToken", { key: null, body, headers: { "content-type": type } });
      expect([type, answer.status, answer.body]).toEqual([type, 400, { error: "invalid_request" }]);
    }
    const slash = await world.request("POST", "/oauth2/access_token/", {
      key: null,
      body: new URLSearchParams(json).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(slash.status).toBe(200);
  });

  test("an access token expires after 31535999 seconds, and its refresh token still works", async () => {
    const { access_token, refresh_token } = await grant(world);
    await world.advance("31535998s");
    expect((await bearer(world, access_token)).status).toBe(200);
    await world.advance("1s");
    expect(await bearer(world, access_token)).toMatchObject({ status: 401, body: { type: "authentication_error" } });
    const fresh = await succeed(token(world, { grant_type: "refresh_token", refresh_token }));
    expect(fresh.body.expires_in).toBe(31_535_999);
    await world.advance("31535998s");
    expect((await bearer(world, fresh.body.access_token)).status).toBe(200);
    await world.advance("1s");
    expect((await bearer(world, fresh.body.access_token)).status).toBe(401);
  });
});

describe("accessToken with a scope", () => {
  test.each(["read", "write", "read write", "write read", "read+write"])("accessToken accepts the scope %s", async (scope) => {
    const made = await token(world, { grant_type: "authorization_code", code: await aCode(world), scope });
    expect(made.status).toBe(200);
    const refreshed = await token(world, { grant_type: "refresh_token", refresh_token: made.body.refresh_token, scope });
    expect(refreshed.status).toBe(200);
  });

  test.each(["", "all", "read admin", "READ"])("accessToken refuses the scope %j, and the code stays valid", async (scope) => {
    const fields = { grant_type: "authorization_code", code: await aCode(world) };
    expect(await token(world, { ...fields, scope })).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
    expect((await token(world, fields)).status).toBe(200);
  });

  test("accessToken with the deprecated scope read+write works, and client lint reports it and no other scope", async () => {
    const ask = async (scope: string) =>
      succeed(token(world, { grant_type: "authorization_code", code: await aCode(world), scope }));
    await ask("read write");
    await ask("write");
    const deprecated = await ask("read+write");
    const { findings } = (await world.admin("GET", "/contract")).body;
    expect(findings).toEqual([
      expect.objectContaining({
        kind: "deprecated_parameter",
        message: "the scope read+write of accessToken is deprecated",
        fix: "Send the scope read write, with a space.",
        entries: [deprecated.headers.get("x-request-id")],
      }),
    ]);
  });
});

describe("rate limits", () => {
  const times = async (world: TestWorld, count: number, key = KEY, id: "listDocuments" | "listTemplates" = "listDocuments") => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++) statuses.push((await world.call(id, { key })).status);
    return { passed: statuses.filter((one) => one === 200).length, refused: statuses.filter((one) => one === 429).length };
  };

  test("a sandbox key gets 10 calls a minute per operation, then 429 with the seconds to wait", async () => {
    const world = await testWorld({ assume: { "rate_limit.profile": "production" } });
    expect(await times(world, 10, SANDBOX_KEY)).toEqual({ passed: 10, refused: 0 });
    await world.advance("47s");
    const refused = await world.call("listDocuments", { key: SANDBOX_KEY });
    expect(refused).toMatchObject({
      status: 429,
      body: { type: "throttled", detail: "Request was throttled. Expected available in 13 seconds." },
    });
    expect(refused.headers.get("retry-after")).toBe("13");
    expect(await times(world, 10, SANDBOX_KEY, "listTemplates")).toEqual({ passed: 10, refused: 0 });
    expect(await times(world, 20)).toEqual({ passed: 20, refused: 0 });
    await world.advance("13s");
    expect(await times(world, 11, SANDBOX_KEY)).toEqual({ passed: 10, refused: 1 });
  });

  test("the sandbox profile also limits production keys, and v2 answers 429 with its own body", async () => {
    const world = await testWorld({ assume: { "rate_limit.profile": "sandbox" } });
    const id = await aDraft(world);
    const call = () => world.call("listDocumentAuditTrail", { params: { document_id: id } });
    for (let i = 0; i < 10; i++) expect((await call()).status).toBe(200);
    expect(await call()).toMatchObject({ status: 429, body: { code: "too_many_requests", details: [] } });
  });
});
