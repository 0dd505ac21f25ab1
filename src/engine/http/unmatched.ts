/** Calls that no operation answers: unknown paths, operations that docdouble does not serve, and OPTIONS. */
import type { Context } from "hono";
import { ApiError } from "../core/errors.ts";
import type { TenantRegistry } from "../runtime/tenants/tenant-registry.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { JSON_BYTES_MAX, readBytes } from "./bodies.ts";
import { type Call, JSON_HEADERS, noteAssumption, refusalAnswer } from "./call.ts";
import { authorizationOf } from "./hono-context.ts";
import { closeEntry, ended, openEntry } from "./journal-entry.ts";
import { RequestBody } from "./request-body.ts";

export async function runUnmatched(
  context: Context,
  host: TenantRegistry,
  tenant: Tenant,
  error: ApiError,
  dialect: string,
  { id, isGuarded = false }: { id?: string; isGuarded?: boolean },
): Promise<Response> {
  const call = openCall(context, host, tenant, dialect, id);
  return ended(call, async () => {
    const caller = call.tenant.service.access.authenticate(tenant.world, authorizationOf(context));
    if (caller instanceof ApiError) return closeEntry(call, refusalAnswer(call, isGuarded ? caller : error), undefined);
    try {
      const bytes = await readBytes(context.req.raw, JSON_BYTES_MAX);
      new RequestBody(bytes, context.req.header("content-type")).record(call.entry);
    } catch {
      // An unknown path stays unknown, also with an oversized body.
    }
    return closeEntry(call, refusalAnswer(call, error), undefined);
  });
}

/** Answers OPTIONS when a client, not the preflight of a browser, asks. assumed: http.options. */
export function runOptions(
  context: Context,
  host: TenantRegistry,
  tenant: Tenant,
  dialect: string,
  allowed: readonly string[],
): Response | Promise<Response> {
  const call = openCall(context, host, tenant, dialect);
  return ended(call, () => {
    const caller = call.tenant.service.access.authenticate(tenant.world, authorizationOf(context));
    if (caller instanceof ApiError) return closeEntry(call, refusalAnswer(call, caller), undefined);
    noteAssumption(call, "http.options");
    const body = {
      name: "",
      description: "",
      renders: ["application/json"],
      parses: ["application/json", "multipart/form-data"],
    };
    const headers = { ...JSON_HEADERS, allow: [...allowed, "OPTIONS"].join(", ") };
    return closeEntry(call, { status: 200, headers, body: JSON.stringify(body) }, undefined);
  });
}

function openCall(context: Context, host: TenantRegistry, tenant: Tenant, dialect: string, operationId?: string): Call {
  return {
    context,
    host,
    tenant,
    dialect,
    entry: { ...openEntry(context, undefined, tenant), operationId },
    generation: tenant.generation,
    caller: undefined,
    rules: [],
    acted: new Set(),
  };
}
