/** The verbs of the admin API that every service has. */
import { iso, isoMillis, isoOrNull, readMoment } from "../core/clock.ts";
import { parseDuration } from "../core/time-limits.ts";
import { ApiError, badRequest, invalid, notFound } from "../core/errors.ts";
import { group } from "../core/operation.ts";
import { eventsGroup } from "./events.ts";
import { goneRows, membersFit } from "../runtime/gone.ts";
import { verificationGroup } from "./verification/verification.ts";
import { requestsGroup } from "./wiremock/requests.ts";
import { rulesGroup } from "./rules.ts";
import { scenariosGroup } from "./scenarios.ts";
import { snapshotsGroup } from "./snapshots.ts";
import { worldGroup } from "./world.ts";
import type { ActInput } from "../scenario/effect.ts";
import type { Service } from "../runtime/service.ts";
import type { Control } from "../runtime/tenants/tenant-registry.ts";
import { assumptionsGroup } from "./assumptions.ts";
import * as schemas from "./schemas.ts";
import { toDelivery } from "./admin-views.ts";
import type { Fired } from "../runtime/tenants/advance-receipt.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { anything, ignoredBody, operation, requireAct, requireOneOf } from "./operation.ts";

const health = ({ host, tenant }: Control) =>
  ({
    status: 200,
    body: {
      ...healthOf(host),
      ...(Object.keys(tenant.trimmed).length > 0 ? { trimmed: tenant.trimmed } : {}),
      version: host.version,
      uptimeInSeconds: Math.max(0, Math.round((host.defaultTenant.world.clock.now() - host.startedAt) / 1000)),
      timestamp: iso(tenant.clock.now()),
      capabilities: ["clock", "rules", "requests", "scenarios", "simulate", "webhooks", "tenants", "transitions"],
    },
  }) as const;

/** A data file that cannot be written makes the server unhealthy: calls continue, but their changes end with the process. */
function healthOf({ data }: Control["host"]) {
  if (data === undefined) return { status: "healthy", message: "docdouble is ok" };
  const { ok, bytes, problem, since } = data;
  if (ok) return { status: "healthy", message: "docdouble is ok", data: { ok, bytes } };
  const message = `docdouble keeps changes in memory only, because it cannot write the data file: ${problem}`;
  return { status: "degraded", message, data: { ok, bytes, problem, since: isoMillis(since ?? 0) } };
}

const lifeGroup = group("Admin: life", [
  operation({
    id: "health",
    route: "GET /health",
    dialect: "admin",
    handle: (_, control) => health(control),
  }),
  operation({
    id: "adminHealth",
    route: "GET /__admin/health",
    handle: (_, control) => health(control),
  }),
  operation({
    id: "adminReady",
    route: "GET /__admin/ready",
    handle: () => ({ status: 200, body: { status: "ready" } }),
  }),
  operation({
    id: "adminVersion",
    route: "GET /__admin/version",
    handle: (_, { host }) => ({ status: 200, body: { version: host.version } }),
  }),
  operation({
    id: "adminReset",
    route: "POST /__admin/reset",
    handle: (_, { tenant }) => {
      tenant.reset();
      return { status: 200, body: { status: "reset", parts: Object.keys(tenant.parts) } };
    },
  }),
  operation({
    id: "adminResetPart",
    route: "POST /__admin/reset/{part}",
    params: schemas.resetPartParams,
    errors: [400],
    handle: ({ params }, { tenant }) => {
      const part = requireOneOf("part", params.part, Object.keys(tenant.parts));
      tenant.parts[part]?.();
      return { status: 200, body: { status: "reset", parts: [part] } };
    },
  }),
]);

function toClock(tenant: Tenant) {
  const next = tenant.clock.next();
  return {
    now: iso(tenant.clock.now()),
    mode: tenant.clock.mode,
    speed: tenant.clock.speed,
    pending: tenant.scheduler.waiting,
    next: next === undefined ? null : iso(next),
    ...(tenant.clock.mode === "auto" ? { stop_at: isoOrNull(tenant.auto.stopAt ?? null) } : {}),
  };
}

function toFired(fired: Fired) {
  return { at: iso(fired.at), kind: fired.kind, ...fired.payload, refused: fired.refused };
}

const clockGroup = group("Admin: clock", [
  operation({
    id: "adminClock",
    route: "GET /__admin/clock",
    handle: (_, { tenant }) => ({ status: 200, body: toClock(tenant) }),
  }),
  operation({
    id: "adminSetClock",
    route: "PUT /__admin/clock",
    body: schemas.setClockBody,
    errors: [400, 409],
    handle: ({ body }, { tenant }) => {
      const { mode, now, speed, stopAt } = body;
      tenant.setClock({
        ...(stopAt === undefined ? {} : { stopAt: stopAt === null ? null : momentOf(stopAt, tenant.clock.now()) }),
        mode,
        now,
        speed,
      });
      return { status: 200, body: toClock(tenant) };
    },
  }),
  operation({
    id: "adminAdvanceClock",
    route: "POST /__admin/clock/advance",
    body: schemas.advanceClockBody,
    errors: [400, 409],
    handle: async ({ body }, { tenant }) => {
      const goals = [body.by, body.to, body.until].filter((one) => one !== undefined);
      if (goals.length !== 1)
        throw badRequest("Give one of by, to, until.", {
          why: 'send one of by, to or until, such as {"by": "3d"}, {"to": "2026-03-01T00:00:00Z"} or {"until": "idle"}',
        });
      const from = tenant.clock.now();
      // `next` does not wait for deliveries that are due at this instant, but the receipt includes them.
      const deliveriesBefore = new Map(tenant.store.deliveries.all().map((row) => [row.id, row.attempts.length]));
      const fired = await tenant.advance(goalOf(body));
      const deliveries = tenant.store.deliveries.all().filter((row) => row.attempts.length > (deliveriesBefore.get(row.id) ?? 0));
      return {
        status: 200 as const,
        body: { from: iso(from), to: iso(tenant.clock.now()), fired: fired.map(toFired), deliveries: deliveries.map(toDelivery) },
      };
    },
  }),
]);

function momentOf(text: string, now: number): number {
  const read = readMoment(text, now);
  if (read.problem !== undefined) throw invalid({ stopAt: [read.problem] });
  return read.value;
}

function goalOf(body: { by?: string | number; to?: number; until?: "next" | "idle" }) {
  if (body.until !== undefined) return { until: body.until };
  if (body.to !== undefined) return { to: body.to };
  if (typeof body.by === "number") {
    if (body.by < 0) throw invalid({ by: [`Cannot advance the clock by ${body.by}: it only moves forward.`] });
    return { by: body.by };
  }
  const by = parseDuration(body.by ?? "");
  if (by === undefined) throw invalid({ by: [`"${body.by}" is not a duration. Write 250ms, 3s, 5m, 2h or 5d.`] });
  return { by };
}

const simulateGroup = ({ acts, subjects }: Service) =>
  group("Admin: simulate", [
    operation({
      id: "adminSimulate",
      route: `POST /__admin/${subjects.noun}s/{id}/simulate/{act}`,
      body: acts.input,
      bodyOptional: true,
      errors: [400, 404, 409, 423],
      handle: ({ params, body }, { tenant }) => {
        const { id = "", act: name = "" } = params as { id?: string; act?: string };
        const act = requireAct(name, acts.names);
        const row = tenant.store.transaction(() => tenant.scenarioRunner.perform(id, act, body as ActInput));
        return { status: 200, body: acts.result(tenant.world, row) };
      },
    }),
    operation({
      id: "adminSetTransition",
      route: "POST /__admin/transitions",
      body: schemas.setTransitionBody,
      errors: [400],
      handle: ({ body }, { tenant }) => {
        const { progression, seconds, times, detail } = body;
        const model = requireOneOf("model", body.model, tenant.service.models);
        if (progression === "polls" && times === undefined) throw invalid({ times: ["This field is required."] });
        const chosen = {
          immediate: { progression: "immediate" as const },
          manual: { progression: "manual" as const },
          polls: { progression: "polls" as const, times: times ?? 1 },
          time: { progression: "time" as const, seconds },
          fail: { progression: "fail" as const, seconds, detail },
        }[progression];
        tenant.settings.transitions = { ...tenant.settings.transitions, [model]: chosen };
        return { status: 200, body: { transitions: tenant.settings.transitions } };
      },
    }),
  ]);

const webhooksGroup = group("Admin: webhooks", [
  operation({
    id: "adminListDeliveries",
    route: "GET /__admin/webhooks/deliveries",
    query: schemas.listDeliveriesQuery,
    handle: ({ query }, { tenant }) => {
      const rows = tenant.store.deliveries
        .all()
        .filter(
          (row) =>
            (query.event === undefined || row.event === query.event) &&
            (query.document_id === undefined || row.subject === query.document_id) &&
            (query.subscription === undefined || row.subscriber === query.subscription) &&
            (query.state === undefined || row.state === query.state),
        );
      const { event, state } = query;
      const { max } = goneRows(tenant, "deliveries", membersFit({ event, state }, []));
      return {
        status: 200,
        body: { deliveries: rows.map(toDelivery), meta: { total: rows.length, ...(max > 0 ? { gone: max } : {}) } },
      };
    },
  }),
  operation({
    id: "adminRedeliver",
    route: "POST /__admin/webhooks/deliveries/{id}/redeliver",
    body: ignoredBody,
    bodyOptional: true,
    responses: { 202: anything },
    errors: [404, 409],
    handle: ({ params }, { tenant }) => {
      const row = tenant.store.deliveries.get(params.id);
      if (!row) throw notFound(`no delivery ${params.id}`);
      const status = tenant.service.deliveries.subscriberStatus(tenant.world, row.subscriber);
      if (status === undefined)
        throw new ApiError("conflict", "The subscription is gone.", {
          body: { type: "docdouble_conflict", detail: "The subscription is gone." },
        });
      const redelivered = tenant.store.transaction(() => tenant.outbox.redeliver(row));
      return { status: 202, body: { ...toDelivery(redelivered), subscription_status: status } };
    },
  }),
]);

const tenantsGroup = group("Admin: tenants", [
  operation({
    id: "adminListTenants",
    route: "GET /__admin/tenants",
    handle: (_, { host }) => ({
      status: 200,
      body: {
        tenants: [...host.tenants()].map((tenant) => ({
          id: tenant.id,
          [`${tenant.service.subjects.noun}s`]: tenant.service.subjects.count(tenant.world),
          requests: tenant.journal.size,
          now: iso(tenant.clock.now()),
          kept: tenant.isExemptFromEviction,
        })),
        given_back: host.evictedTenants().map((one) => ({ ...one, at: iso(one.at) })),
      },
    }),
  }),
  operation({
    id: "adminCreateTenant",
    route: "POST /__admin/tenants",
    body: schemas.createTenantBody,
    bodyOptional: true,
    responses: { 201: anything },
    errors: [400],
    handle: ({ body }, { host, tenant }) => {
      const id = body.id ?? `test-${tenant.requestIds.short()}`;
      const opened = host.open(id);
      opened.isExemptFromEviction = body.keep ?? opened.isExemptFromEviction;
      return { status: 201, body: { id: opened.id, api_key: opened.id, url: opened.settings.publicUrl } };
    },
  }),
  operation({
    id: "adminDeleteTenant",
    route: "DELETE /__admin/tenants/{id}",
    responses: { 204: null },
    errors: [400, 404],
    handle: ({ params }, { host }) => {
      if (params.id === host.defaultTenant.id) throw badRequest("The default tenant cannot be deleted; reset it.");
      if (!host.drop(params.id)) throw notFound(`no tenant ${params.id}`);
    },
  }),
]);

/** By name, so that a double can put its own groups between them. */
export const engineVerbs = (service: Service) => ({
  life: lifeGroup,
  clock: clockGroup,
  requests: requestsGroup,
  rules: rulesGroup,
  scenarios: scenariosGroup,
  verification: verificationGroup,
  snapshots: snapshotsGroup,
  world: worldGroup,
  simulate: simulateGroup(service),
  assumptions: assumptionsGroup,
  webhooks: webhooksGroup,
  events: eventsGroup,
  tenants: tenantsGroup,
});
