/** Single messages to the MCP server, without the official client. */
import { createHash } from "node:crypto";
import { succeed } from "./stories.ts";
import { type Calls, KEY, type TestWorld } from "./world.ts";

export const ACCEPT = "application/json, text/event-stream";

export interface MessageOptions {
  key?: string;
  headers?: Record<string, string>;
  path?: string;
}

/** Sends one request of JSON-RPC. */
export function message(
  world: Pick<TestWorld, "sandbox">,
  method: string,
  params: object = {},
  { key = KEY, headers = {}, path = "/v1/mcp" }: MessageOptions = {},
): Promise<Response> {
  return world.sandbox.fetch(path, {
    method: "POST",
    headers: { authorization: `API-Key ${key}`, accept: ACCEPT, "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

export function initialize(
  world: Pick<TestWorld, "sandbox">,
  protocolVersion = "2025-11-25",
  options: MessageOptions = {},
): Promise<Response> {
  return message(world, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } }, options);
}

// biome-ignore lint/suspicious/noExplicitAny: tests read results of every shape
type Result = any;

/** A token that the MCP server itself issues, as the headers of a request. */
export async function mcpToken(world: Pick<Calls, "request">): Promise<Record<string, string>> {
  const code_verifier = "v".repeat(50);
  const common = { client_id: "https://agent.example/client", redirect_uri: "http://localhost:3118/callback" };
  const query = new URLSearchParams({
    ...common,
    response_type: "code",
    code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const asked = await world.request("GET", `/authorize?${query}`, { key: null, redirect: "manual" });
  const code = new URL(asked.headers.get("location") ?? "").searchParams.get("code") ?? "";
  const form = new URLSearchParams({ ...common, grant_type: "authorization_code", code, code_verifier });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const granted = await succeed(world.request("POST", "/token", { key: null, headers, body: form.toString() }));
  return { authorization: `Bearer ${granted.body.access_token}` };
}

/** The result of a tool. */
export async function callTool(
  world: Pick<TestWorld, "sandbox">,
  name: string,
  args: object = {},
  options: MessageOptions = {},
): Promise<Result> {
  return ((await (await message(world, "tools/call", { name, arguments: args }, options)).json()) as Result).result;
}
