/**
 * Answers one message by the official SDK. A start of docdouble does not load this file. Each message gets a new server and a
 * new transport, because the vendor's server seems to keep no state between messages.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  ListToolsRequestSchema,
  type Tool as ListedTool,
} from "@modelcontextprotocol/sdk/types.js";
import type { Context } from "hono";
import * as z from "zod";
import { httpDate } from "../../../engine/core/clock.ts";
import { own } from "../../../engine/core/maps.ts";
import { lazy } from "../../../engine/core/operation.ts";
import type { Tenant } from "../../kit/world.ts";
import { runTool } from "./run-tool.ts";
import { TOOLS } from "./tools/index.ts";

/** Source: the server's entry in the registry of MCP servers. assumed: mcp.server_info. */
const SERVER = { name: "PandaDoc MCP Server", title: "PandaDoc MCP Server", version: "1.0.0" };

const INSTRUCTIONS = `These tools work with documents and templates of a PandaDoc workspace. docdouble, a local test double, answers them.
1. documents_create only begins a creation. Poll documents_status_get until the status is Draft.
2. Read documents_details_get before you send: check recipients, fields and prices.
3. documents_send reaches people. Ask the person before you call it.
4. If an answer has retry_after, wait for that many seconds and ask again.`;

/** @param message the parsed body */
export async function answerMessage(context: Context, tenant: Tenant, message: unknown): Promise<Response> {
  const problem = paramsProblem(message);
  if (problem !== undefined) return problem;
  // assumed: mcp.answers.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = new Server(SERVER, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    jsonSchemaValidator: { getValidator: refuseToValidate },
  });
  const notes: Record<string, string> = {};
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools() }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const run = await runTool(context, tenant, params.name, params.arguments);
    Object.assign(notes, run.notes);
    return run.outcome;
  });
  await server.connect(transport);
  const response = await transport.handleRequest(context.req.raw, { parsedBody: message });
  const { headers } = response;
  headers.set("date", httpDate(tenant.clock.now()));
  for (const [name, value] of Object.entries(notes)) headers.set(name, value);
  return response;
}

const PARAMS: Readonly<Record<string, z.ZodType>> = {
  initialize: InitializeRequestSchema,
  "tools/list": ListToolsRequestSchema,
  "tools/call": CallToolRequestSchema,
};

/** The SDK would call parameters of a wrong form an error of the server. Source: JSON-RPC 2.0, section 5.1. */
function paramsProblem(message: unknown): Response | undefined {
  const { jsonrpc, id, method, params } = message as Record<string, unknown>;
  if (jsonrpc !== "2.0" || (typeof id !== "string" && typeof id !== "number")) return undefined;
  const schema = typeof method === "string" ? own(PARAMS, method) : undefined;
  const fault = schema?.safeParse({ method, params }).error?.issues[0];
  if (fault === undefined) return undefined;
  const error = { code: ErrorCode.InvalidParams, message: `Invalid params: ${fault.path.join(".")}: ${fault.message}` };
  return Response.json({ jsonrpc, id, error });
}

/** docdouble asks the agent's person nothing, so no answers need validation. The build leaves the SDK's validator out. */
function refuseToValidate(): never {
  throw new Error("docdouble asks the agent's person nothing");
}

const listedTools = lazy((): ListedTool[] =>
  TOOLS.map(({ name, title, description, kind, input }) => ({
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(input, { io: "input" }) as ListedTool["inputSchema"],
    // assumed: mcp.annotations.
    annotations: { title, readOnlyHint: kind === "reads", destructiveHint: kind === "destroys" },
  })),
);
