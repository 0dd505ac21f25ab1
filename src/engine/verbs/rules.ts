import * as z from "zod";
import { notFound } from "../core/errors.ts";
import { lazy } from "../core/operation.ts";
import { type ArmedRule, effectsOf, explain, isExhausted, isPending, RUNTIME } from "../rules/rules.ts";
import type { DeliveryEffect, Effect } from "../scenario/rule-schema.ts";
import { ScenarioError } from "../scenario/error.ts";
import { readRule, readWebhookRule } from "../scenario/load.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { namesOrNone } from "./operation.ts";
import { verb, verbGroup } from "./define.ts";
import { groupBy } from "../core/maps.ts";

function toRuleView(rule: ArmedRule<Effect>) {
  return { id: rule.id, name: rule.name, source: rule.source, ...rule.written, ...progressOf([rule]), explain: explain(rule) };
}

function progressOf(rules: readonly ArmedRule<unknown>[]) {
  return {
    matched: Math.max(...rules.map((rule) => rule.matched)),
    hits: Math.max(...rules.map(effectsOf)),
    spent: rules.every(isExhausted),
    pending: rules.some(isPending),
  };
}

/** A webhook rule compiles to a plan for the delivery, to an effect on its attempts, or to both. */
export function toWebhookRules(tenant: Tenant) {
  const groups = groupBy(tenant.scenarioRunner.deliveryRules.list(), (rule) => JSON.stringify([rule.source, rule.name]));
  return [...groups.values()].map((rules) => {
    const [first] = rules as [ArmedRule<DeliveryEffect>];
    const noun = first.when.phase?.eq === "plan" ? "delivery" : "attempt";
    return {
      id: `${first.source}/${first.name}`,
      name: first.name,
      source: first.source,
      ...first.written,
      ...progressOf(rules),
      explain: explain(first, noun),
    };
  });
}

/** Listings add these members to a rule. Bodies may hold them, so that clients can send a listed rule back. */
const LISTED_ONLY = ["id", "source", "matched", "hits", "spent", "pending", "explain"];

/** A value has no lines, so the message of a refusal names none. */
function withoutPlace<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ScenarioError) error.message = error.mistakes.map((one) => one.message).join("; ");
    throw error;
  }
}

function runtimeRule(tenant: Tenant, body: unknown) {
  const isMap = typeof body === "object" && body !== null && !Array.isArray(body);
  const written = isMap ? Object.fromEntries(Object.entries(body).filter(([name]) => !LISTED_ONLY.includes(name))) : body;
  const rule = withoutPlace(() => readRule(written, tenant.service.language));
  return { ...rule, id: rule.name };
}

function putWebhookRule({ service, scenarioRunner: { deliveryRules } }: Tenant, body: unknown): string {
  const rules = withoutPlace(() => readWebhookRule(body, service.language));
  const name = rules[0]?.name ?? "";
  for (const one of runtimeWebhookRules(deliveryRules.list(), name)) deliveryRules.remove(one.id);
  for (const one of rules) deliveryRules.put(one);
  return name;
}

function runtimeWebhookRules(rules: readonly ArmedRule<DeliveryEffect>[], name: string) {
  return rules.filter((rule) => rule.source === RUNTIME && rule.name === name);
}

function requireRule(tenant: Tenant, id: string): ArmedRule<Effect> {
  const rule = found(tenant, id);
  const names = tenant.rules.list().map((one) => one.name);
  if (!rule) throw notFound(`no rule ${id}; known: ${namesOrNone(names)}`);
  return rule;
}

const ruleView = lazy(() =>
  z
    .strictObject({
      id: z.string(),
      name: z.string(),
      source: z.string(),
      matched: z.int().describe("how many calls it matched"),
      hits: z.int().describe("how often it acted"),
      spent: z.boolean(),
      pending: z.boolean().describe("it acted less often than expected"),
      explain: z.string(),
    })
    .catchall(z.unknown()),
);

const rulesView = lazy(() => z.strictObject({ rules: z.array(ruleView()) }));
const rule = () => z.looseObject({}).describe("a rule, as in scenario files: name, when, then");
const idInput = lazy(() => z.strictObject({ id: z.string().describe("an id or a name") }));
const allRules = (tenant: Tenant) => ({ rules: tenant.rules.list().map(toRuleView) });
const found = (tenant: Tenant, id: string) => tenant.rules.get(id) ?? tenant.rules.list().find((one) => one.name === id);

const NO_TOOL = { tool: "add_fault adds rules, and reset removes them" };

export const ruleVerbs = verbGroup("Admin: rules", { ...NO_TOOL }, [
  verb({
    name: "rules.list",
    does: "Lists all rules in the order in which docdouble tries them, with the number of matches. `pending` names the rules that acted less often than expected.",
    run: ({ tenant }) => tenant,
    admin: {
      id: "adminListRules",
      route: "GET /__admin/rules",
      answer: () => rulesView().extend({ webhooks: z.array(ruleView()), pending: z.array(z.string()) }),
      show: (tenant) => ({
        ...allRules(tenant),
        webhooks: toWebhookRules(tenant),
        pending: [
          ...new Set([...tenant.rules.pending(), ...tenant.scenarioRunner.deliveryRules.pending()].map((one) => one.name)),
        ],
      }),
    },
  }),
  verb({
    name: "rules.add",
    does: "Adds a rule. docdouble tries it before the rules of scenario files. It replaces a rule of the same name that you added at run time. docs/do/scenarios.md describes the members.",
    input: () => z.strictObject({ rule: rule() }),
    run: ({ tenant }, input) => tenant.rules.put(runtimeRule(tenant, input.rule)),
    admin: {
      id: "adminAddRule",
      route: "POST /__admin/rules",
      status: 201,
      body: "rule",
      answer: ruleView,
      show: toRuleView,
    },
  }),
  verb({
    name: "rules.show",
    does: "Returns one rule, by id or name.",
    input: idInput,
    run: ({ tenant }, { id }) => requireRule(tenant, id),
    admin: {
      id: "adminRule",
      route: "GET /__admin/rules/{id}",
      answer: ruleView,
      errors: [404],
      show: toRuleView,
    },
  }),
  verb({
    name: "rules.put",
    does: "Replaces one rule, or adds it.",
    input: () => idInput().extend({ rule: rule() }),
    run: ({ tenant }, input) =>
      tenant.rules.put({ ...runtimeRule(tenant, input.rule), id: tenant.rules.get(input.id)?.id ?? input.id }),
    admin: {
      id: "adminPutRule",
      route: "PUT /__admin/rules/{id}",
      body: "rule",
      answer: ruleView,
      show: toRuleView,
    },
  }),
  verb({
    name: "rules.replace",
    does: "Replaces all rules that you added at run time.",
    input: () => z.strictObject({ rules: z.union([z.array(rule()), z.strictObject({ rules: z.array(rule()) })]) }),
    run({ tenant }, { rules }) {
      tenant.rules.arm(
        RUNTIME,
        (Array.isArray(rules) ? rules : rules.rules).map((one) => runtimeRule(tenant, one)),
      );
      return tenant;
    },
    admin: {
      id: "adminReplaceRules",
      route: "PUT /__admin/rules",
      body: "rules",
      answer: rulesView,
      show: allRules,
    },
  }),
  verb({
    name: "rules.remove",
    does: "Deletes one rule.",
    input: idInput,
    run({ tenant }, { id }) {
      const rule = found(tenant, id);
      return { id, isRemoved: rule !== undefined && tenant.rules.remove(rule.id) };
    },
    admin: {
      id: "adminDeleteRule",
      route: "DELETE /__admin/rules/{id}",
      answer: null,
      errors: [404],
      show: ({ id, isRemoved }, { tenant }) => void (isRemoved || requireRule(tenant, id)),
    },
  }),
  verb({
    name: "rules.clear",
    does: "Deletes all rules that you added at run time.",
    run({ tenant }) {
      tenant.rules.clear(RUNTIME);
      return tenant;
    },
    admin: { id: "adminClearRules", route: "DELETE /__admin/rules", answer: rulesView, show: allRules },
  }),
  verb({
    name: "webhooks.rules.add",
    does: "Adds a rule for deliveries. Write it like an entry of `webhooks` in a scenario. docdouble tries it first. It replaces a rule of the same name that you added at run time.",
    input: () => z.strictObject({ rule: rule() }),
    run: ({ tenant }, input) => putWebhookRule(tenant, input.rule),
    admin: {
      id: "adminAddWebhookRule",
      route: "POST /__admin/webhooks/rules",
      status: 201,
      body: "rule",
      answer: ruleView,
      show: (name, { tenant }) => toWebhookRules(tenant).find((one) => one.source === RUNTIME && one.name === name) as never,
    },
  }),
  verb({
    name: "webhooks.rules.remove",
    does: "Deletes a webhook rule that you added at run time.",
    input: () => z.strictObject({ name: z.string() }),
    run({ tenant }, { name }) {
      const { deliveryRules } = tenant.scenarioRunner;
      const rules = runtimeWebhookRules(deliveryRules.list(), name);
      for (const one of rules) deliveryRules.remove(one.id);
      return { name, isRemoved: rules.length > 0 };
    },
    admin: {
      id: "adminDeleteWebhookRule",
      route: "DELETE /__admin/webhooks/rules/{name}",
      answer: null,
      errors: [404],
      show({ name, isRemoved }) {
        if (!isRemoved) throw notFound(`no webhook rule ${name} was added at run time`);
      },
    },
  }),
  verb({
    name: "webhooks.rules.clear",
    does: "Deletes all webhook rules that you added at run time.",
    run({ tenant }) {
      tenant.scenarioRunner.deliveryRules.clear(RUNTIME);
      return tenant;
    },
    admin: {
      id: "adminClearWebhookRules",
      route: "DELETE /__admin/webhooks/rules",
      answer: () => z.strictObject({ webhooks: z.array(ruleView()) }),
      show: (tenant) => ({ webhooks: toWebhookRules(tenant) }),
    },
  }),
]);
