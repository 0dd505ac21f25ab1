import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { plainHeadersOf } from "./library-request.ts";
import type { TenantRegistry } from "../runtime/tenants/tenant-registry.ts";

/** Each call has a separate object. Calls of the library have no socket. */
export interface Env extends Partial<HttpBindings> {
  host: TenantRegistry;
  authorization?: string | undefined;
  /** The tool of an agent that makes this call. */
  tool?: string;
}

export function hostOf(context: Context): TenantRegistry {
  return (context.env as Env).host;
}

/** Whether a browser loads a page. Java's own client accepts text/html too, but no XHTML. */
export function isPageLoad(request: { method: string; header(name: string): string | undefined }): boolean {
  return request.method === "GET" && (request.header("accept")?.includes("application/xhtml+xml") ?? false);
}

/** Node makes this object for each call. Nothing changes it, so the journal keeps it. Requests never repeat a header as a list. */
export function sentHeaders({ env, req }: Context): Record<string, string> {
  const { incoming } = env as Env;
  return (incoming?.headers as Record<string, string> | undefined) ?? plainHeadersOf(req.raw) ?? req.header();
}

/** Several steps of a call need this header, and hono searches all headers for it each time. */
export function authorizationOf(context: Context): string | undefined {
  const env = context.env as Env;
  env.authorization ??= context.req.header("authorization");
  return env.authorization;
}
