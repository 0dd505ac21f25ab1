/** The verbs of the server itself: health, its description, and resets. */
import * as z from "zod";
import { iso, isoMillis, systemClock } from "../core/clock.ts";
import { KeptViews } from "../core/kept-views.ts";
import { lazy } from "../core/operation.ts";
import type { Service } from "../runtime/service.ts";
import type { Control, Surfaces } from "../runtime/tenants/tenant-registry.ts";
import { RESET_ORDER } from "../runtime/tenants/tenant.ts";
import { verb, verbGroup } from "./define.ts";
import { isoText } from "./inputs.ts";
import { exportAdminOpenApi } from "./openapi.ts";

const healthView = lazy(() =>
  z.strictObject({
    status: z.enum(["healthy", "degraded"]),
    message: z.string(),
    data: z
      .strictObject({ ok: z.boolean(), bytes: z.number(), problem: z.string().optional(), since: isoText().optional() })
      .optional()
      .describe("the data file; degraded means that changes stay in memory only"),
    trimmed: z.record(z.string(), z.int()).optional().describe("how many rows and calls a limit deleted"),
    version: z.string(),
    uptimeInSeconds: z.int().describe("real seconds since the start, on each clock"),
    timestamp: isoText(),
    capabilities: z.array(z.string()),
  }),
);

/** A data file that cannot be written makes the server unhealthy: calls continue, but their changes end with the process. */
function healthOf({ data }: Control["host"]) {
  if (data === undefined) return { status: "healthy" as const, message: "docdouble is ok" };
  const { ok, bytes, problem, since } = data;
  if (ok) return { status: "healthy" as const, message: "docdouble is ok", data: { ok, bytes } };
  const message = `docdouble keeps changes in memory only, because it cannot write the data file: ${problem}`;
  return {
    status: "degraded" as const,
    message,
    data: { ok, bytes, ...(problem === undefined ? {} : { problem }), since: isoMillis(since ?? 0) },
  };
}

const SERVER = {
  tool: "start and attach answer only when the server is ready",
};

export function lifeVerbs(service: Service) {
  const parts: readonly string[] = [...RESET_ORDER, ...Object.keys(service.parts)];
  const resetInput = lazy(() => z.strictObject({ part: z.enum(parts).optional().describe("default: everything") }));
  const descriptions = new KeptViews(({ verbs }: Surfaces, { defaultTenant, version }: Control["host"]) =>
    exportAdminOpenApi(verbs, defaultTenant.settings.publicUrl, version),
  );
  return verbGroup("Admin: life", SERVER, [
    verb({
      name: "health",
      does: "Shows whether the server is healthy, and which features it has. Use this path for container health checks.",
      run: (control) => control,
      admin: {
        id: "health",
        route: "GET /health",
        answer: healthView,
        also: [{ id: "adminHealth", route: "GET /__admin/health", does: "Same as `/health`." }],
        show: ({ host, tenant }) => ({
          ...healthOf(host),
          ...(Object.keys(tenant.trimmed).length > 0 ? { trimmed: tenant.trimmed } : {}),
          version: host.version,
          uptimeInSeconds: Math.floor((systemClock.elapsed() - host.startedAt) / 1000),
          timestamp: iso(tenant.clock.now()),
          capabilities: ["clock", "rules", "requests", "scenarios", "simulate", "webhooks", "tenants", "transitions"],
        }),
      },
    }),
    verb({
      name: "ready",
      does: "Returns 200 after the server has loaded all fixtures and scenarios.",
      run: () => ({ status: "ready" as const }),
      admin: {
        id: "adminReady",
        route: "GET /__admin/ready",
        answer: () => z.strictObject({ status: z.literal("ready") }),
      },
    }),
    verb({
      name: "version",
      does: "Returns the version of docdouble.",
      run: ({ host }) => ({ version: host.version }),
      admin: {
        id: "adminVersion",
        route: "GET /__admin/version",
        answer: () => z.strictObject({ version: z.string() }),
      },
    }),
    verb({
      name: "openapi",
      does: "Describes the admin API in OpenAPI 3.1.",
      run: ({ host }) => descriptions.of(host.surfaces, host, `${host.version} ${host.defaultTenant.settings.publicUrl}`).body,
      admin: {
        id: "adminOpenApi",
        route: "GET /__admin/openapi.json",
        answer: () => z.looseObject({ openapi: z.string() }),
      },
    }),
    verb({
      name: "reset",
      does: "Resets everything to its start: state, clock, journal, rules, queues, webhook subscriptions. With `part`, resets one part.",
      input: resetInput,
      run({ tenant }, { part }) {
        if (part === undefined) tenant.reset();
        else tenant.parts[part]?.();
        return { status: "reset" as const, parts: part === undefined ? Object.keys(tenant.parts) : [part] };
      },
      admin: {
        id: "adminReset",
        route: "POST /__admin/reset",
        answer: () => z.strictObject({ status: z.literal("reset"), parts: z.array(z.string()) }),
        also: [
          {
            id: "adminResetPart",
            route: "POST /__admin/reset/{part}",
            does: `Resets one part to its start: ${parts.map((one) => `\`${one}\``).join(", ")}.`,
            example: { path: "/__admin/reset/journal" },
          },
        ],
      },
      tool: { name: "reset" },
    }),
  ]);
}
