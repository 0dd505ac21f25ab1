import * as z from "zod";
import { ApiError, notFound } from "../core/errors.ts";
import { lazy } from "../core/operation.ts";
import { readScenario, type Scenario } from "../scenario/load.ts";
import { unmetExpectations } from "../runtime/scenario-runs/expectations.ts";
import { readyStories, readyStory } from "../runtime/scenario-runs/ready-stories.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { verb, verbGroup } from "./define.ts";
import { namesOrNone } from "./operation.ts";

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

const names = () => z.array(z.string());
const scenarioView = lazy(() =>
  z.strictObject({
    name: z.string(),
    description: z.string().optional(),
    file: z.string(),
    seed: z.union([z.string(), z.number()]).nullable(),
    rules: names(),
    webhooks: names(),
    actors: names(),
    timers: names(),
    expects: z.boolean(),
  }),
);
const listView = lazy(() => z.strictObject({ scenarios: z.array(scenarioView()) }));
const allOf = (tenant: Tenant) => ({ scenarios: [...tenant.scenarios.values()].map(toScenario) });
const nameInput = lazy(() => z.strictObject({ name: z.string() }));

const ELSEWHERE = {
  tool: "seed loads scenarios and stories, and verify verifies them",
};

export const scenarioVerbs = verbGroup("Admin: scenarios", ELSEWHERE, [
  verb({
    name: "scenarios.list",
    does: "Lists the loaded scenarios.",
    run: ({ tenant }) => allOf(tenant),
    admin: { id: "adminListScenarios", route: "GET /__admin/scenarios", answer: listView },
  }),
  verb({
    name: "scenarios.load",
    does: "Loads a scenario in YAML or JSON.",
    input: () => z.strictObject({ scenario: z.string().describe("the text of a scenario file") }),
    run({ tenant }, { scenario: text }) {
      const scenario = readScenario(text, "scenario", tenant.service.language);
      tenant.load(scenario);
      return scenario;
    },
    admin: {
      id: "adminLoadScenario",
      route: "POST /__admin/scenarios",
      status: 201,
      body: "scenario",
      bodyKind: "text",
      answer: scenarioView,
      errors: [409],
      show: toScenario,
    },
  }),
  verb({
    name: "stories.list",
    does: "Lists the ready-made stories that come with docdouble.",
    run: ({ tenant }) => readyStories(tenant.service),
    admin: {
      id: "adminListStories",
      route: "GET /__admin/stories",
      answer: () =>
        z.strictObject({ stories: z.array(z.strictObject({ name: z.string(), description: z.string().optional() })) }),
      show: (stories) => ({ stories: stories.map(({ name, description }) => ({ name, description })) }),
    },
  }),
  verb({
    name: "stories.load",
    does: "Loads a ready-made story as a scenario. The clock stays as it is.",
    input: nameInput,
    run({ tenant }, { name }) {
      const story = readyStory(tenant.service, name);
      if (!story) throw notFound(`no story ${name}; known: ${namesOrNone(readyStories(tenant.service).map((one) => one.name))}`);
      // After the first call, a tenant refuses a story that sets the clock back.
      tenant.load({ ...story, clock: {} });
      return toScenario(story);
    },
    admin: {
      id: "adminLoadStory",
      route: "POST /__admin/stories/{name}",
      status: 201,
      answer: scenarioView,
      errors: [404, 409],
    },
  }),
  verb({
    name: "scenarios.show",
    does: "Returns one scenario: the names of its rules, actors and timers. `GET /__admin/rules` shows how often its rules acted.",
    input: nameInput,
    run: ({ tenant }, { name }) => toScenario(requireScenario(tenant, name)),
    admin: {
      id: "adminScenario",
      route: "GET /__admin/scenarios/{name}",
      answer: scenarioView,
      errors: [404],
    },
  }),
  verb({
    name: "scenarios.verify",
    does: "Verifies the expectations of a scenario, after all work that is due now. Returns 200, or 422 with the failures.",
    input: () => z.strictObject({ name: z.string().optional().describe("Default: all loaded scenarios") }),
    async run({ tenant }, { name }) {
      await tenant.clock.settle();
      const chosen = name === undefined ? [...tenant.scenarios.values()] : [requireScenario(tenant, name)];
      return { name, unmet: chosen.flatMap(({ expect }) => (expect ? unmetExpectations(tenant, expect) : [])) };
    },
    admin: {
      id: "adminVerifyScenario",
      route: "POST /__admin/scenarios/{name}/verify",
      answer: () => z.strictObject({ name: z.string(), verified: z.boolean(), unmet: z.array(z.unknown()) }),
      errors: [404, 422],
      show({ name = "", unmet }) {
        const body = { name, verified: unmet.length === 0, unmet };
        if (!body.verified)
          throw new ApiError("invalid", "not verified", { status: 422, body: { type: "docdouble_not_verified", ...body } });
        return body;
      },
    },
  }),
  verb({
    name: "scenarios.restart",
    does: "Resets the counters of all scenarios.",
    run({ tenant }) {
      tenant.scenarioRunner.restart();
      return allOf(tenant);
    },
    admin: { id: "adminResetScenarios", route: "POST /__admin/scenarios/reset", answer: listView },
  }),
  verb({
    name: "scenarios.unload",
    does: "Deletes a scenario with its rules and actors.",
    input: nameInput,
    run: ({ tenant }, { name }) => ({ name, isUnloaded: tenant.scenarioRunner.unload(name) }),
    admin: {
      id: "adminDeleteScenario",
      route: "DELETE /__admin/scenarios/{name}",
      answer: null,
      errors: [404],
      show: ({ name, isUnloaded }, { tenant }) => void (isUnloaded || requireScenario(tenant, name)),
    },
  }),
]);
