/** The addresses of the MCP server: who may call them, and which bodies are messages. `server/` answers the messages. */
import type { Context } from "hono";
import { ApiError } from "../../engine/core/errors.ts";
import { headerSafe } from "../../engine/core/text.ts";
import { JSON_BYTES_MAX, readBytes } from "../../engine/http/bodies.ts";
import { authorizationOf } from "../../engine/http/hono-context.ts";
import { JsonText } from "../../engine/http/json-text.ts";
import { tenantOf } from "../../engine/runtime/tenants/tenant-registry.ts";
import { authenticate } from "../nouns/oauth/credentials.ts";
import { hostOf } from "../pages/host.ts";
import { isForeignOrigin, originOf, withCors } from "./address.ts";

/** Codes of JSON-RPC, and the one of the official SDK for refusals of the transport. */
const [PARSE_ERROR, INVALID_REQUEST, TRANSPORT] = [-32700, -32600, -32000];

export async function runMcp(context: Context): Promise<Response> {
  if (isForeignOrigin(context))
    return rpcError(403, TRANSPORT, `Pages of ${context.req.header("origin")} may not use this server.`);
  return withCors(context, await answer(context));
}

async function answer(context: Context): Promise<Response> {
  const { method } = context.req;
  if (method === "OPTIONS") return new Response(null, { status: 204 });
  // Source: captured at the live server: it has no standing stream of events.
  if (method !== "POST" && method !== "DELETE") return rpcError(405, TRANSPORT, "Method Not Allowed", { allow: "DELETE, POST" });
  const header = authorizationOf(context);
  const tenant = tenantOf(hostOf(context), header);
  const caller = authenticate(tenant.world, header);
  if (caller instanceof ApiError) return unauthorized(context, caller);
  // assumed: mcp.sessions.
  if (method === "DELETE") return rpcError(405, TRANSPORT, "Method Not Allowed: this server has no sessions", { allow: "POST" });
  const message = await readMessage(context);
  if (message instanceof Response) return message;
  const { answerMessage } = await import("./server/server.ts");
  return answerMessage(context, tenant, message);
}

/** The bounds of bodies of the public API hold here too. */
async function readMessage({ req }: Context): Promise<Record<string, unknown> | Response> {
  try {
    const message = new JsonText(await readBytes(req.raw, JSON_BYTES_MAX)).require();
    if (Array.isArray(message))
      return rpcError(400, INVALID_REQUEST, "Invalid Request: the protocol has no batches; send one message at a time");
    if (typeof message !== "object" || message === null || !("jsonrpc" in message))
      return rpcError(400, INVALID_REQUEST, "Invalid Request: the body is not a JSON-RPC message");
    return message as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const code = error.kind === "malformed" ? PARSE_ERROR : INVALID_REQUEST;
    return rpcError(error.status, code, `${code === PARSE_ERROR ? "Parse error" : "Invalid Request"}: ${error.message}`);
  }
}

/** The body is FastMCP's, which the server seems to use. assumed: mcp.unauthorized. */
function unauthorized(context: Context, { options }: ApiError): Response {
  const metadata = `${originOf(context)}/.well-known/oauth-protected-resource${context.req.path.replace(/\/+$/, "")}`;
  const description = context.req.header("authorization")
    ? "The access token is unknown, or it has expired."
    : "Authentication is required.";
  const challenge = ['error="invalid_token"', `error_description="${description}"`, `resource_metadata="${metadata}"`];
  return new Response(JSON.stringify({ error: "invalid_token", error_description: description }), {
    status: 401,
    headers: {
      "content-type": "application/json",
      "www-authenticate": `Bearer ${challenge.join(", ")}`,
      ...(options.why === undefined ? {} : { "x-docdouble-why": headerSafe(options.why) }),
    },
  });
}

function rpcError(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } }), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}
