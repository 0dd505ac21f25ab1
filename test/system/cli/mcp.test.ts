/** `docdouble mcp`, driven by the official client of the Model Context Protocol over standard input and output. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { TOOLS } from "../../../src/tools/mcp/tools.ts";
import { CLI, files } from "../../support/process.ts";
import { testWorld } from "../../support/world.ts";

interface Agent {
  readonly client: Client;
  /** The structured answer of a tool. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  use(name: string, input?: Record<string, unknown>): Promise<any>;
  /** The message of a tool that fails. */
  refused(name: string, input?: Record<string, unknown>): Promise<string>;
}

function agent(...args: string[]): Promise<Agent> {
  return agentOf([CLI, "mcp", ...args]);
}

async function agentOf(args: string[]): Promise<Agent> {
  const client = new Client({ name: "test", version: "1" });
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env as Record<string, string>;
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "inherit" }));
  onTestFinished(() => client.close());
  return {
    client,
    async use(name, input = {}) {
      const answer = await client.callTool({ name, arguments: input });
      const [content] = answer.content as [{ text: string }];
      expect(answer.isError, content.text).toBeFalsy();
      expect(JSON.parse(content.text)).toEqual(answer.structuredContent);
      return answer.structuredContent;
    },
    async refused(name, input = {}) {
      const answer = await client.callTool({ name, arguments: input });
      expect(answer.isError).toBe(true);
      return (answer.content as [{ text: string }])[0].text;
    },
  };
}

test("an agent starts a world, runs a client, injects a fault, and reads the reason of a failure", async () => {
  const { client, use, refused } = await agent();
  const { tools } = await client.listTools();
  expect(tools.map((one) => one.name)).toEqual(TOOLS.map((one) => one.name));
  for (const one of tools) {
    expect.soft(one.description?.length, one.name).toBeGreaterThan(20);
    expect.soft(one.inputSchema, one.name).toMatchObject({ type: "object" });
  }
  expect(client.getInstructions()).toContain("start (or attach)");

  const { url, api_key } = await use("start", { clock: "frozen", now: "2026-03-02T09:00:00Z", seed: "7" });
  const headers = { authorization: `API-Key ${api_key}`, "content-type": "application/json" };
  const post = async (path: string, body: object) =>
    (await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })).status;

  const { id, status } = await use("create_document", { status: "document.sent", name: "Offer" });
  expect(status).toBe("document.sent");
  expect(await refused("explain")).toContain("No call failed yet.");
  expect(await post(`/public/v1/documents/${id}/send`, {})).toBe(409);
  expect(await use("explain")).toMatchObject({
    call: `POST /public/v1/documents/${id}/send`,
    status: 409,
    operation: "sendDocument",
    why: expect.stringContaining("document.sent"),
    document: { name: "Offer", status: "document.sent", allows: expect.any(Array), acts: expect.any(Array) },
  });
  expect(await post("/public/v1/documnts", {})).toBe(404);
  expect((await use("explain")).nearest).toEqual(expect.arrayContaining([expect.anything()]));

  expect(await use("simulate", { document_id: id, act: "sign" })).toMatchObject({ status: "document.completed" });
  expect(await refused("simulate", { document_id: id, act: "sing" })).toContain("did you mean sign?");
  expect(await refused("simulate", { document_id: id, act: "view", recipint: "Client" })).toContain("recipint");
  expect(await refused("verify", { operation: "sendDocument", tiems: 3 })).toContain("tiems");
  expect(await use("show_document", { document_id: id })).toMatchObject({ status: "document.completed" });
  expect(await use("list_documents", { status: "document.completed" })).toMatchObject({ documents: [{ id }] });
  expect(await use("advance_clock", { by: "3d" })).toMatchObject({ to: "2026-03-05T09:00:00.000000Z" });

  await use("add_fault", { operation: "sendDocument", fault: "throttled", retry_after: "2s" });
  expect(await post(`/public/v1/documents/${id}/send`, { mesage: "typo" })).toBe(429);
  expect(await refused("add_fault", { operation: "sendDocument", fault: "reset_after", delay: "2s" })).toBe(
    'unknown name "delay"; there are times, document, undeclared',
  );
  const { requests } = await use("read_requests", { operation: "sendDocument", failed: true });
  expect(requests).toMatchObject([{ status: 429, rule: expect.stringContaining("throttled") }, { status: 409 }]);
  expect(await use("read_requests", { id: requests[0].id })).toMatchObject({ request: { body: '{"mesage":"typo"}' } });
  expect((await use("lint")).findings).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: "unknown_field", fix: expect.any(String) })]),
  );
  expect(await use("verify", { operation: "sendDocument", times: 3 })).toMatchObject({ verified: false, count: 2 });

  await use("seed", {
    scenario: "version: 1\nname: mine\nexpect:\n  requests: [{ match: { operation: sendDocument }, times: 2 }]\n",
  });
  expect(await use("verify", { scenario: "mine" })).toMatchObject({ verified: true, unmet: [] });
  expect(await refused("seed", { scenario: "version: 1\nruls: []\n" })).toContain('unknown name "ruls"; did you mean "rules"?');
  expect(await refused("seed", { story: "lost-anser" })).toContain("lost-answer");
  expect(await use("read_deliveries", { document_id: id })).toMatchObject({ deliveries: [] });
  expect(await use("reset")).toMatchObject({ status: "reset" });
  expect((await use("list_documents")).documents).toEqual([]);
});

test("an agent explores a command, and learns which fault breaks it", async () => {
  const { use, refused } = await agent();
  const client = `(async () => {
    const headers = { authorization: "API-Key " + process.env.DOCDOUBLE_API_KEY };
    const { status } = await fetch(process.env.DOCDOUBLE_URL + "/public/v1/contacts", { headers });
    process.exit(status === 200 ? 0 : 1);
  })()`;
  const found = await use("explore", {
    command: [process.execPath, "-e", client],
    only: ["throttled"],
    budget: "5m",
    out: files(),
  });
  expect(found).toMatchObject({
    exit_code: 1,
    clean: "passed",
    breaks: [{ faults: [{ fault: "throttled", operation: "listContacts" }] }],
  });
  expect(await refused("explore", { command: ["true"], budget: "soon" })).toContain('"soon" is not a duration');
});

test("an agent attaches to a running server, or reads that no server runs", async () => {
  const world = await testWorld({ port: 0 });
  const { use, refused } = await agent("--url", world.sandbox.url, "--key", "test-agent");
  expect(await use("attach")).toMatchObject({ url: world.sandbox.url, api_key: "test-agent" });
  await use("create_document", { name: "Mine" });
  expect((await world.admin("GET", "/documents", undefined, "test-agent")).body.documents).toMatchObject([{ name: "Mine" }]);
  expect((await world.admin("GET", "/documents")).body.documents).toEqual([]);
  expect(await refused("attach", { url: "http://127.0.0.1:9" })).toMatch(/^Cannot reach http:\/\/127\.0\.0\.1:9: /);
});
