import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { TenantRegistry } from "../admin/tenants/tenant-registry.ts";

/** Calls of the library have no socket. */
export interface Env extends Partial<HttpBindings> {
  host: TenantRegistry;
}

export function hostOf(context: Context): TenantRegistry {
  return (context.env as Env).host;
}

export function headersOf(context: Context): Record<string, string> {
  const { incoming } = context.env as Env;
  if (!incoming) return context.req.header();
  const headers: Record<string, string> = {};
  for (const name in incoming.headers) {
    const value = incoming.headers[name];
    if (value !== undefined) headers[name] = typeof value === "string" ? value : value.join(", ");
  }
  return headers;
}
