/** How agents authorize themselves at the vendor's MCP server: discovery, registration, PKCE, scopes. */
import { createHash } from "node:crypto";
import { UnauthorizedError, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationFull, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { expect, onTestFinished, test } from "vitest";
import { agentOf, servedWorld } from "../../support/mcp.ts";
import { callTool, initialize } from "../../support/mcp-messages.ts";
import { testWorld, useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

const CALLBACK = "http://localhost:3118/callback";
const METADATA_CLIENT = "https://claude.ai/oauth/claude-code-client-metadata";
const VERIFIER = "v".repeat(50);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
type Body = any;

type World = Pick<TestWorld, "sandbox">;

const json = async (response: Response): Promise<{ status: number; body: Body }> => ({
  status: response.status,
  body: await response.json(),
});

const register = async (world: World, body: unknown = { client_name: "Agent", redirect_uris: [CALLBACK] }, headers = {}) =>
  json(
    await world.sandbox.fetch("/register", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );

const ask = (world: World, overrides: Record<string, string | undefined> = {}) => {
  const given: Record<string, string | undefined> = {
    client_id: METADATA_CLIENT,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: "read read+write",
    state: "s 1&2",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    ...overrides,
  };
  const query = new URLSearchParams(Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined));
  return world.sandbox.fetch(`/authorize?${query}`);
};

const codeOf = (response: Response): string => {
  expect(response.status).toBe(302);
  return new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? "";
};

const token = async (world: World, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  json(
    await world.sandbox.fetch("/token", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams(fields).toString(),
    }),
  );

const redeem = (world: World, code: string, more: Record<string, string> = {}) =>
  token(world, {
    grant_type: "authorization_code",
    code,
    client_id: METADATA_CLIENT,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...more,
  });

async function bearer(world: World, scope = "read read+write"): Promise<Record<string, string>> {
  const { body } = await redeem(world, codeOf(await ask(world, { scope })));
  return { authorization: `Bearer ${body.access_token}` };
}

/** The official client's own flow. It keeps what it learns in memory. */
class Provider implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadataUrl: string | undefined;
  readonly method: string;
  asked: URL | undefined;
  information: OAuthClientInformationFull | undefined;
  kept: OAuthTokens | undefined;
  #verifier = "";

  constructor(method: string, clientMetadataUrl?: string) {
    this.method = method;
    this.clientMetadataUrl = clientMetadataUrl;
  }
  get clientMetadata() {
    return {
      client_name: "SDK",
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: this.method,
      grant_types: ["authorization_code", "refresh_token"],
    };
  }
  clientInformation() {
    return this.information;
  }
  saveClientInformation(information: OAuthClientInformationFull) {
    this.information = information;
  }
  tokens() {
    return this.kept;
  }
  saveTokens(tokens: OAuthTokens) {
    this.kept = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
}

test.each([
  ["none", undefined],
  ["client_secret_post", undefined],
  ["client_secret_basic", undefined],
  ["none", METADATA_CLIENT],
])(
  "the official client authorizes itself with %s and the client document %s, and refreshes its token",
  async (method, document) => {
    const world = await servedWorld();
    for (const path of ["/v1/mcp", "/mcp"]) {
      const provider = new Provider(method, document);
      const open = () => new StreamableHTTPClientTransport(new URL(path, world.url), { authProvider: provider });
      const client = () => new Client({ name: "test", version: "1" });
      const first = open();
      await expect(client().connect(first)).rejects.toThrow(UnauthorizedError);
      expect(provider.asked?.searchParams.get("resource")).toBe(new URL(path, world.url).href);
      expect(provider.information?.client_id).toEqual(document ?? expect.stringMatching(/^[0-9a-f-]{36}$/));
      const back = await fetch(provider.asked as URL, { redirect: "manual" });
      await first.finishAuth(codeOf(back));
      const connected = client();
      await connected.connect(open());
      onTestFinished(() => connected.close());
      expect(await agentOf(connected).use("documents_list")).toEqual({ results: [] });

      const old = provider.kept as OAuthTokens;
      await world.advance("366d");
      expect(await agentOf(connected).use("documents_list")).toEqual({ results: [] });
      expect(provider.kept?.access_token).not.toBe(old.access_token);
      expect(provider.kept?.refresh_token).not.toBe(old.refresh_token);
    }
    const shown = JSON.stringify((await world.admin("GET", "/requests")).body);
    const secrets = [
      ...world.tenant.store.tokens.all().map((one) => one.id),
      ...world.tenant.store.oauth_codes.all().map((one) => one.id),
    ];
    expect(secrets.length).toBeGreaterThanOrEqual(6);
    for (const secret of secrets) expect(shown).not.toContain(secret);
  },
);

test("the discovery documents name this server by the address that the client called", async () => {
  const read = async (path: string, host?: string) =>
    json(await world.sandbox.fetch(path, host === undefined ? {} : { headers: { host } }));
  for (const path of ["/v1/mcp", "/mcp"])
    expect(await read(`/.well-known/oauth-protected-resource${path}`, "localhost:4010")).toEqual({
      status: 200,
      body: {
        resource: `http://localhost:4010${path}`,
        authorization_servers: ["http://localhost:4010/"],
        scopes_supported: ["read", "read+write"],
        bearer_methods_supported: ["header"],
      },
    });
  expect(await read("/.well-known/oauth-authorization-server", "docdouble.test:4010")).toEqual({
    status: 200,
    body: {
      issuer: "http://docdouble.test:4010/",
      authorization_endpoint: "http://docdouble.test:4010/authorize",
      token_endpoint: "http://docdouble.test:4010/token",
      registration_endpoint: "http://docdouble.test:4010/register",
      scopes_supported: ["read", "read+write"],
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic", "none"],
      code_challenge_methods_supported: ["S256"],
      client_id_metadata_document_supported: true,
    },
  });
});

test("without a valid token the answer is 401, and its header names the document about the resource", async () => {
  const first = await initialize(world, undefined, { headers: { authorization: "" } });
  expect(await json(first)).toEqual({
    status: 401,
    body: { error: "invalid_token", error_description: "Authentication is required." },
  });
  expect(first.headers.get("www-authenticate")).toMatch(
    /^Bearer error="invalid_token", .*resource_metadata="http:\/\/[^"]+\/\.well-known\/oauth-protected-resource\/v1\/mcp"$/,
  );
  for (const authorization of ["Bearer nobody", "API-Key nobody", "Basic eDp5", "nonsense"])
    expect((await initialize(world, undefined, { headers: { authorization } })).status, authorization).toBe(401);
  const headers = await bearer(world);
  expect((await initialize(world, undefined, { headers })).status).toBe(200);
  await world.advance("366d");
  expect((await initialize(world, undefined, { headers })).status).toBe(401);
});

test("a code works once, and only with its own verifier, client and redirect address", async () => {
  const fresh = async () => codeOf(await ask(world));
  const grants: [Record<string, string>, number, string][] = [
    [{ code_verifier: "w".repeat(50) }, 400, "invalid_grant"],
    [{ code_verifier: "" }, 400, "invalid_grant"],
    [{ code: "nobody" }, 400, "invalid_grant"],
    [{ code: "" }, 400, "invalid_request"],
    [{ redirect_uri: "http://localhost:9/other" }, 400, "invalid_grant"],
    [{ client_id: "https://other.example/client" }, 400, "invalid_grant"],
    [{ client_id: "nobody" }, 401, "invalid_client"],
    [{ client_id: "" }, 400, "invalid_request"],
    [{ client_id: "docdouble-client", client_secret: "docdouble-secret" }, 401, "invalid_client"],
    [{ grant_type: "password" }, 400, "unsupported_grant_type"],
  ];
  for (const [more, status, error] of grants)
    expect(await redeem(world, await fresh(), more), JSON.stringify(more)).toMatchObject({
      status,
      body: { error, error_description: expect.any(String) },
    });
  const code = await fresh();
  expect(await redeem(world, code)).toEqual({
    status: 200,
    body: {
      access_token: expect.stringMatching(/^[0-9a-f]{40}$/),
      token_type: "Bearer",
      expires_in: 31_535_999,
      scope: "read read+write",
      refresh_token: expect.stringMatching(/^[0-9a-f]{40}$/),
    },
  });
  expect(await redeem(world, code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  const late = await fresh();
  await world.advance("11m");
  expect(await redeem(world, late)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

test("a code of the MCP server is worth nothing at the public API, and the reverse", async () => {
  const code = codeOf(await ask(world));
  const elsewhere = await world.sandbox.fetch("/oauth2/access_token", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      client_id: "docdouble-client",
      client_secret: "docdouble-secret",
    }).toString(),
  });
  expect(elsewhere.status).toBe(400);
  const made = await world.admin("POST", "/oauth/codes", { client_id: "docdouble-client" });
  expect(await redeem(world, made.body.code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

test("a registered client gets a secret, and must send it", async () => {
  const { status, body } = await register(world);
  expect({ status, body }).toEqual({
    status: 201,
    body: {
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      client_secret_expires_at: 0,
      client_name: "Agent",
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
  });
  const { client_id, client_secret } = body;
  const code = async () => codeOf(await ask(world, { client_id }));
  expect(await redeem(world, await code(), { client_id })).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  expect(await redeem(world, await code(), { client_id, client_secret: "wrong" })).toMatchObject({ status: 401 });
  expect(await redeem(world, await code(), { client_id, client_secret })).toMatchObject({ status: 200 });
  const { client_id: _, ...fields } = {
    client_id,
    grant_type: "authorization_code",
    code: await code(),
    code_verifier: VERIFIER,
  };
  const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`;
  expect(await token(world, fields as Record<string, string>, { authorization: basic })).toMatchObject({ status: 200 });
  expect((await ask(world, { client_id, redirect_uri: "http://localhost:9/other" })).status).toBe(400);
});

test("a registration with addresses that lose or run the code is refused", async () => {
  const wrong: [unknown, string][] = [
    [{}, "invalid_redirect_uri"],
    [{ redirect_uris: [] }, "invalid_redirect_uri"],
    [{ redirect_uris: "http://localhost/cb" }, "invalid_redirect_uri"],
    [{ redirect_uris: ["not an address"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["data:text/html,x"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["http://evil.example/cb"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["https://app.example/cb#part"] }, "invalid_redirect_uri"],
    [{ redirect_uris: Array.from({ length: 21 }, () => CALLBACK) }, "invalid_redirect_uri"],
    [{ redirect_uris: [CALLBACK], client_name: 7 }, "invalid_client_metadata"],
    [{ redirect_uris: [CALLBACK], token_endpoint_auth_method: "private_key_jwt" }, "invalid_client_metadata"],
    [[], "invalid_client_metadata"],
  ];
  for (const [body, error] of wrong)
    expect(await register(world, body), JSON.stringify(body)).toMatchObject({ status: 400, body: { error } });
  for (const uri of ["cursor://anysphere.cursor-mcp/oauth/callback", "https://app.example/cb", "http://[::1]:9/cb"])
    expect((await register(world, { redirect_uris: [uri] })).status, uri).toBe(201);
});

test("client lint names credentials that the real server refuses, and accuses no agent that uses its own token", async () => {
  const found = async (run: (world: TestWorld) => Promise<unknown>) => {
    const world = await testWorld();
    await run(world);
    return (await world.admin("GET", "/contract")).body.findings.map((one: Body) => [one.kind, one.message]);
  };
  expect(await found((world) => callTool(world, "documents_list"))).toEqual([
    ["mcp_credentials", "the MCP server was called with an API key, which the real one refuses"],
  ]);
  expect(
    await found(async (world) => {
      const { body } = await world.admin("POST", "/oauth/codes", { client_id: "docdouble-client" });
      const { body: granted } = await world.call("accessToken", {
        key: null,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code: body.code,
          client_id: "docdouble-client",
          client_secret: "docdouble-secret",
        }).toString(),
      });
      await callTool(world, "documents_list", {}, { headers: { authorization: `Bearer ${granted.access_token}` } });
    }),
  ).toEqual([["mcp_credentials", "the MCP server was called with a token of the public API, which the real one may refuse"]]);
  expect(
    await found(async (world) => world.request("GET", "/public/v1/documents", { key: null, headers: await bearer(world) })),
  ).toEqual([["mcp_credentials", "the public API was called with a token of the MCP server, which the service may refuse"]]);
  expect(await found(async (world) => callTool(world, "documents_list", {}, { headers: await bearer(world) }))).toEqual([]);
  expect(await found((world) => world.call("listDocuments"))).toEqual([]);
});
