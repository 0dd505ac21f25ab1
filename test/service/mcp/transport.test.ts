/** The transport of the vendor's MCP server: methods, headers, messages, bounds. */
import { expect, test } from "vitest";
import { ACCEPT, callTool, initialize, message } from "../../support/mcp-messages.ts";
import { anAgent, servedWorld } from "../../support/mcp.ts";
import { KEY, testWorld, useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
const json = async (response: Response): Promise<any> => ({ status: response.status, body: await response.json() });

const post = (world: Pick<TestWorld, "sandbox">, body: string, headers: Record<string, string> = {}) =>
  world.sandbox.fetch("/v1/mcp", {
    method: "POST",
    headers: { authorization: `API-Key ${KEY}`, accept: ACCEPT, "content-type": "application/json", ...headers },
    body,
  });

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

test.each(["/v1/mcp", "/mcp"] as const)("the official client connects at %s and reads the tools", async (path) => {
  const { client } = await anAgent(await servedWorld(), { path });
  expect(client.getServerVersion()).toEqual({ name: "PandaDoc MCP Server", title: "PandaDoc MCP Server", version: "1.0.0" });
  expect(client.getServerCapabilities()).toEqual({ tools: {} });
  expect(client.getInstructions()).toContain("Ask the person before you call it.");
  expect((await client.listTools()).tools).toHaveLength(22);
});

test("GET and other methods answer 405 with the methods of the live server, also without a key", async () => {
  for (const method of ["GET", "PUT", "PATCH"]) {
    const response = await world.sandbox.fetch("/v1/mcp", { method });
    expect(response.status, method).toBe(405);
    expect(response.headers.get("allow")).toBe("DELETE, POST");
  }
  expect((await world.admin("GET", "/requests")).body.requests).toEqual([]);
});

test("the server answers with the version that the client asks for, and with its own newest one for an unknown version", async () => {
  const versionFor = async (asked: string) => (await json(await initialize(world, asked))).body.result.protocolVersion;
  for (const known of ["2025-11-25", "2025-06-18", "2025-03-26"]) expect(await versionFor(known)).toBe(known);
  expect(await versionFor("1999-01-01")).toBe("2025-11-25");
  const wrong = await message(world, "tools/list", {}, { headers: { "mcp-protocol-version": "1999-01-01" } });
  expect(await json(wrong)).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining("1999-01-01") } } });
});

test("bodies without a valid request get an error of JSON-RPC, and never a result", async () => {
  const cases: [string, number, number][] = [
    ["{", 400, -32700],
    ["", 400, -32700],
    ["[".repeat(5000), 400, -32700],
    ["null", 400, -32600],
    ["7", 400, -32600],
    ['"ping"', 400, -32600],
    [JSON.stringify([PING]), 400, -32600],
    [JSON.stringify([PING, PING]), 400, -32600],
    ["[]", 400, -32600],
    [JSON.stringify({ id: 1, method: "ping" }), 400, -32600],
    [JSON.stringify({ ...PING, jsonrpc: "1.0" }), 400, -32700],
    [JSON.stringify({ ...PING, id: { a: 1 } }), 400, -32700],
    [JSON.stringify({ ...PING, params: { text: "\0" } }), 400, -32600],
    [`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":1}}`, 400, -32600],
  ];
  for (const [body, status, code] of cases) {
    const answer = await json(await post(world, body));
    expect(answer, body.slice(0, 60)).toMatchObject({ status, body: { jsonrpc: "2.0", error: { code } } });
    expect(answer.body.result).toBeUndefined();
  }
  expect(await json(await post(world, JSON.stringify({ ...PING, params: { text: "x".repeat(3 * 1024 * 1024) } })))).toMatchObject(
    {
      status: 413,
      body: { error: { code: -32600 } },
    },
  );
  expect(await json(await message(world, "tools/nothing"))).toMatchObject({
    status: 200,
    body: { id: 1, error: { code: -32601 } },
  });
});

test.each([
  ["tools/call", { name: "documents_list", arguments: [] }, "params.arguments"],
  ["tools/call", { arguments: {} }, "params.name"],
  ["tools/call", undefined, "params"],
  ["tools/list", { cursor: 7 }, "params.cursor"],
  ["initialize", { protocolVersion: "2025-11-25" }, "params.capabilities"],
])("%s with parameters of a wrong form %j names the member as invalid", async (method, params, path) => {
  const answer = await json(await post(world, JSON.stringify({ jsonrpc: "2.0", id: "a", method, params })));
  expect(answer).toMatchObject({
    status: 200,
    body: { id: "a", error: { code: -32602, message: expect.stringContaining(path) } },
  });
});

test("a notification answers 202 without a body, and an id comes back as it was", async () => {
  const response = await post(world, JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  expect(response.status).toBe(202);
  expect(await response.text()).toBe("");
  for (const id of ["a b", 0, 2 ** 40]) expect((await json(await post(world, JSON.stringify({ ...PING, id })))).body.id).toBe(id);
});

test("a client must accept JSON and send JSON", async () => {
  for (const accept of ["text/html", "text/event-stream"])
    expect((await post(world, JSON.stringify(PING), { accept })).status, accept).toBe(406);
  for (const type of ["text/plain", "application/jsonx", "multipart/form-data; boundary=x"])
    expect((await post(world, JSON.stringify(PING), { "content-type": type })).status, type).toBe(415);
});

test("pages of other sites are refused, and pages of this machine may read the answers", async () => {
  for (const origin of ["https://evil.example", "http://localhost.evil.example", "http://127.0.0.1.evil.example", "null"]) {
    for (const [path, body] of [
      ["/v1/mcp", JSON.stringify(PING)],
      ["/register", JSON.stringify({ redirect_uris: ["http://localhost/cb"] })],
      ["/token", "grant_type=refresh_token"],
    ] as const) {
      const response = await world.sandbox.fetch(path, {
        method: "POST",
        headers: { origin, accept: ACCEPT, authorization: `API-Key ${KEY}`, "content-type": "application/json" },
        body,
      });
      expect(response.status, `${origin} ${path}`).toBe(403);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    }
  }
  const own = await post(world, JSON.stringify(PING), { origin: "http://localhost:6274" });
  expect(own.status).toBe(200);
  expect(own.headers.get("access-control-allow-origin")).toBe("http://localhost:6274");
  const preflight = await world.sandbox.fetch("/v1/mcp", {
    method: "OPTIONS",
    headers: { origin: "http://localhost:6274", "access-control-request-method": "POST" },
  });
  expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
    204,
    expect.stringContaining("mcp-protocol-version"),
  ]);
});

test("an answer names the call and its reason in headers, as the public API does", async () => {
  const world = await testWorld({ now: "2026-03-02T09:00:00Z" });
  const response = await message(world, "tools/call", { name: "documents_status_get", arguments: { document_id: "x" } });
  const [entry] = (await world.admin("GET", "/requests")).body.requests;
  expect(response.headers.get("x-request-id")).toBe(entry.id);
  expect(response.headers.get("x-docdouble-why")).toBe(entry.why);
  expect(response.headers.get("date")).toBe("Mon, 02 Mar 2026 09:00:00 GMT");
});

test("calls at one time with the same id each get the answer of their tool and arguments", async () => {
  const templates = (await callTool(world, "templates_list", {})).structuredContent.results.map((one: { id: string }) => one.id);
  const ids: string[] = [...templates, "missing"];
  const asked = Array.from({ length: 40 }, (_, i) => ids[i % ids.length] as string);
  const answers = await Promise.all(
    asked.map(async (template_id) => {
      const response = await message(world, "tools/call", { name: "templates_details_get", arguments: { template_id } });
      return { call: response.headers.get("x-request-id"), ...(await json(response)) };
    }),
  );
  const shown = answers.map(({ body }) => body.result.structuredContent.id ?? "missing");
  expect(shown).toEqual(asked);
  expect(ids.length).toBeGreaterThan(2);
  const { requests } = (await world.admin("GET", "/requests?limit=200")).body;
  const paths = new Map(requests.map((one: { id: string; request: { url: string } }) => [one.id, one.request.url]));
  for (const [i, { call, body }] of answers.entries()) {
    expect(paths.get(call)).toBe(`/public/v1/templates/${asked[i]}/details`);
    expect(body.result.isError).toBe(asked[i] === "missing" ? true : undefined);
  }
});

test("an agent of another tenant sees only its own documents", async () => {
  const make = { request: { source: "markdown", name: "Mine", document_markdown: "# Mine" } };
  expect((await callTool(world, "documents_create", make, { key: "test-one" })).isError).toBeUndefined();
  const names = async (key: string) =>
    (await callTool(world, "documents_list", {}, { key })).structuredContent.results.map((one: { name: string }) => one.name);
  expect([await names("test-one"), await names("test-two"), await names(KEY)]).toEqual([["Mine"], [], []]);
});
