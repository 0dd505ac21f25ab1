/** The verbs of the admin API that every service has. */
import { iso } from "../core/clock.ts";
import { badRequest, invalid, notFound } from "../core/errors.ts";
import { group } from "../core/operation.ts";
import { lifeVerbs } from "./life.ts";
import { clockVerbs } from "./clock.ts";
import { eventsGroup } from "./events.ts";
import { verificationVerbs } from "./verification/verification.ts";
import { requestVerbs } from "./wiremock/requests.ts";
import { ruleVerbs } from "./rules.ts";
import { scenariosGroup } from "./scenarios.ts";
import { snapshotsGroup } from "./snapshots.ts";
import { metricsGroup } from "./metrics.ts";
import { webhookVerbs } from "./webhooks.ts";
import { worldGroup } from "./world.ts";
import type { ActInput } from "../scenario/effect.ts";
import type { Service } from "../runtime/service.ts";
import { assumptionsGroup } from "./assumptions.ts";
import * as schemas from "./schemas.ts";
import { anything, operation, requireAct, requireOneOf } from "./operation.ts";

const simulateGroup = ({ acts, language }: Service) =>
  group("Admin: simulate", [
    operation({
      id: "adminSimulate",
      route: `POST /__admin/${language.words.subject}s/{id}/simulate/{act}`,
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

const tenantsGroup = group("Admin: tenants", [
  operation({
    id: "adminListTenants",
    route: "GET /__admin/tenants",
    handle: (_, { host }) => ({
      status: 200,
      body: {
        tenants: [...host.tenants()].map((tenant) => ({
          id: tenant.id,
          [`${tenant.service.language.words.subject}s`]: tenant.service.subjects.count(tenant.world),
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
  life: lifeVerbs(service),
  clock: clockVerbs,
  requests: requestVerbs,
  rules: ruleVerbs,
  scenarios: scenariosGroup,
  verification: verificationVerbs,
  snapshots: snapshotsGroup,
  world: worldGroup,
  metrics: metricsGroup,
  simulate: simulateGroup(service),
  assumptions: assumptionsGroup,
  webhooks: webhookVerbs(service),
  events: eventsGroup,
  tenants: tenantsGroup,
});
