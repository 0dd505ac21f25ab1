/** Agents that use the double of the vendor's MCP server, over a real socket and by the official client. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished } from "vitest";
import type { SandboxOptions } from "../../src/library/types.ts";
import { callsOver, KEY, strictSandbox, type TestWorld } from "./world.ts";
import { hostOf } from "../../src/library/sandbox.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read results of every shape
type Result = any;

export interface Agent {
  readonly client: Client;
  /** The structured result of a tool that succeeds. */
  use(name: string, input?: Record<string, unknown>): Promise<Result>;
  /** The error of a tool that fails. */
  refused(name: string, input?: Record<string, unknown>): Promise<Result>;
}

/** A world with a socket. */
export async function servedWorld(options: SandboxOptions = {}): Promise<TestWorld & { url: string }> {
  const sandbox = await strictSandbox({ port: 0, ...options });
  return {
    url: sandbox.url,
    sandbox,
    tenant: hostOf(sandbox).defaultTenant,
    ...callsOver((path, init) => fetch(sandbox.url + path, init)),
  };
}

export interface AgentOptions {
  path?: "/v1/mcp" | "/mcp";
  authorization?: string;
}

export async function anAgent(
  world: { url: string },
  { path = "/v1/mcp", authorization = `API-Key ${KEY}` }: AgentOptions = {},
): Promise<Agent> {
  const client = new Client({ name: "test-agent", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(path, world.url), {
    requestInit: { headers: { authorization } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return agentOf(client);
}

export function agentOf(client: Client): Agent {
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
      expect(answer.isError, JSON.stringify(answer.structuredContent)).toBe(true);
      return (answer.structuredContent as { error: Result }).error;
    },
  };
}
