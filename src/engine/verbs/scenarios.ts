import * as z from "zod";
import { ApiError, notFound } from "../core/errors.ts";
import { group, lazy } from "../core/operation.ts";
import { readScenario, type Scenario } from "../scenario/load.ts";
import { unmetExpectations } from "../runtime/scenario-runs/expectations.ts";
import { readyStories, readyStory } from "../runtime/scenario-runs/ready-stories.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { anything, ignoredBody, namesOrNone, operation } from "./operation.ts";

const scenarioText = lazy(() => z.string());

function requireScenario(tenant: Tenant, name: string): Scenario {
  const scenario = tenant.scenarios.get(name);
  if (!scenario) throw notFound(`no scenario ${name}; known: ${namesOrNone(tenant.scenarios.keys())}`);
  return scenario;
}

function toScenario({ name, description, file, seed, rules, webhooks, actors, timers, expect }: Scenario) {
  return {
    name,
    description,
    file,
    seed: seed ?? null,
    rules: rules.map((one) => one.name),
    webhooks: [...new Set(webhooks.map((one) => one.name))],
    actors: actors.map((one) => one.name),
    timers: timers.map((one) => one.name),
    expects: expect !== undefined,
  };
}

export const scenariosGroup = group("Admin: scenarios", [
  operation({
    id: "adminListScenarios",
    route: "GET /__admin/scenarios",
    handle: (_, { tenant }) => ({ status: 200, body: { scenarios: [...tenant.scenarios.values()].map(toScenario) } }),
  }),
  operation({
    id: "adminLoadScenario",
    route: "POST /__admin/scenarios",
    body: scenarioText,
    bodyKind: "text",
    responses: { 201: anything },
    errors: [400, 409],
    handle: ({ body }, { tenant }) => {
      const scenario = readScenario(body, "scenario", tenant.service.language);
      tenant.load(scenario);
      return { status: 201, body: toScenario(scenario) };
    },
  }),
  operation({
    id: "adminListStories",
    route: "GET /__admin/stories",
    handle: (_, { tenant }) => ({
      status: 200,
      body: { stories: readyStories(tenant.service).map(({ name, description }) => ({ name, description })) },
    }),
  }),
  operation({
    id: "adminLoadStory",
    route: "POST /__admin/stories/{name}",
    body: ignoredBody,
    bodyOptional: true,
    responses: { 201: anything },
    errors: [404, 409],
    handle: ({ params }, { tenant }) => {
      const story = readyStory(tenant.service, params.name);
      const names = readyStories(tenant.service).map((one) => one.name);
      if (!story) throw notFound(`no story ${params.name}; known: ${namesOrNone(names)}`);
      // After the first call, a tenant refuses a story that sets the clock back.
      tenant.load({ ...story, clock: undefined });
      return { status: 201, body: toScenario(story) };
    },
  }),
  operation({
    id: "adminScenario",
    route: "GET /__admin/scenarios/{name}",
    errors: [404],
    handle: ({ params }, { tenant }) => ({ status: 200, body: toScenario(requireScenario(tenant, params.name)) }),
  }),
  operation({
    id: "adminDeleteScenario",
    route: "DELETE /__admin/scenarios/{name}",
    responses: { 204: null },
    errors: [404],
    handle: ({ params }, { tenant }) => {
      tenant.scenarioRunner.unload(requireScenario(tenant, params.name).name);
    },
  }),
  operation({
    id: "adminVerifyScenario",
    route: "POST /__admin/scenarios/{name}/verify",
    errors: [404, 422],
    handle: ({ params }, { tenant }) => {
      const scenario = requireScenario(tenant, params.name);
      const unmet = scenario.expect ? unmetExpectations(tenant, scenario.expect) : [];
      const body = { name: scenario.name, verified: unmet.length === 0, unmet };
      if (unmet.length > 0)
        throw new ApiError("invalid", "not verified", { status: 422, body: { type: "docdouble_not_verified", ...body } });
      return { status: 200, body };
    },
  }),
  operation({
    id: "adminResetScenarios",
    route: "POST /__admin/scenarios/reset",
    handle: (_, { tenant }) => {
      tenant.scenarioRunner.restart();
      return { status: 200, body: { scenarios: [...tenant.scenarios.values()].map(toScenario) } };
    },
  }),
]);
