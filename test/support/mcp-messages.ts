/** Single messages to the MCP server, without the official client. */
import { CLIENT, TEMPLATES } from "./stories.ts";
import { KEY, type TestWorld } from "./world.ts";

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

/** The result of a tool. */
export async function callTool(
  world: Pick<TestWorld, "sandbox">,
  name: string,
  args: object = {},
  options: MessageOptions = {},
): Promise<Result> {
  return ((await (await message(world, "tools/call", { name, arguments: args }, options)).json()) as Result).result;
}

/** Creates a document as each list of tools wants it. Returns its status, and which optional tools there are. */
export async function createDraftTool(world: Pick<TestWorld, "sandbox">): Promise<unknown> {
  const { tools } = ((await (await message(world, "tools/list")).json()) as Result).result;
  const has = (name: string) => tools.some((one: { name: string }) => one.name === name);
  const members = { template_uuid: TEMPLATES.oneSigner, name: "Deal", recipients: [CLIENT] };
  const isFlat = has("documents_create_from_markdown");
  const made = await callTool(world, "documents_create", isFlat ? members : { request: { source: "template", ...members } });
  return [made.structuredContent.status, has("documents_metadata_batch_get"), isFlat];
}
