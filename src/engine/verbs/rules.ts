import { notFound } from "../core/errors.ts";
import { group } from "../core/operation.ts";
import { type ArmedRule, effectsOf, explain, isExhausted, isPending, RUNTIME } from "../rules/rules.ts";
import type { DeliveryEffect, Effect } from "../scenario/effect.ts";
import { readRule, readWebhookRule } from "../scenario/load.ts";
import * as schemas from "./schemas.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { anything, namesOrNone, operation } from "./operation.ts";

function toRuleView(rule: ArmedRule<Effect>) {
  return { id: rule.id, name: rule.name, source: rule.source, ...writtenOf(rule), ...progressOf([rule]), explain: explain(rule) };
}

/** Data files of earlier versions hold only the compiled form of a rule. */
function writtenOf(rule: ArmedRule<unknown>) {
  return rule.written ?? { when: rule.when, then: rule.effect };
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
  const groups = new Map<string, ArmedRule<DeliveryEffect>[]>();
  for (const rule of tenant.scenarioRunner.deliveryRules.list()) {
    const key = JSON.stringify([rule.source, rule.name]);
    groups.set(key, [...(groups.get(key) ?? []), rule]);
  }
  return [...groups.values()].map((rules) => {
    const [first] = rules as [ArmedRule<DeliveryEffect>];
    const noun = first.when.phase?.eq === "plan" ? "delivery" : "attempt";
    return {
      id: `${first.source}/${first.name}`,
      name: first.name,
      source: first.source,
      ...writtenOf(first),
      ...progressOf(rules),
      explain: explain(first, noun),
    };
  });
}

/** Listings add these members to a rule. Bodies may hold them, so that clients can send a listed rule back. */
const LISTED_ONLY = ["id", "source", "matched", "hits", "spent", "pending", "explain"];

function runtimeRule(tenant: Tenant, body: unknown) {
  const isMap = typeof body === "object" && body !== null && !Array.isArray(body);
  const written = isMap ? Object.fromEntries(Object.entries(body).filter(([name]) => !LISTED_ONLY.includes(name))) : body;
  const rule = readRule(written, tenant.service.language);
  return { ...rule, id: rule.name };
}

function putWebhookRule({ service, scenarioRunner: { deliveryRules } }: Tenant, body: unknown): string {
  const rules = readWebhookRule(body, service.language);
  const name = rules[0]?.name ?? "";
  for (const one of runtimeWebhookRules(deliveryRules.list(), name)) deliveryRules.remove(one.id);
  for (const one of rules) deliveryRules.put(one);
  return name;
}

function runtimeWebhookRules(rules: readonly ArmedRule<DeliveryEffect>[], name: string) {
  return rules.filter((rule) => rule.source === RUNTIME && rule.name === name);
}

function requireRule(tenant: Tenant, id: string): ArmedRule<Effect> {
  const rule = tenant.rules.get(id) ?? tenant.rules.list().find((one) => one.name === id);
  const names = tenant.rules.list().map((one) => one.name);
  if (!rule) throw notFound(`no rule ${id}; known: ${namesOrNone(names)}`);
  return rule;
}

export const rulesGroup = group("Admin: rules", [
  operation({
    id: "adminListRules",
    route: "GET /__admin/rules",
    handle: (_, { tenant }) => ({
      status: 200,
      body: {
        rules: tenant.rules.list().map(toRuleView),
        webhooks: toWebhookRules(tenant),
        pending: [
          ...new Set([...tenant.rules.pending(), ...tenant.scenarioRunner.deliveryRules.pending()].map((rule) => rule.name)),
        ],
      },
    }),
  }),
  operation({
    id: "adminAddRule",
    route: "POST /__admin/rules",
    body: anything,
    responses: { 201: anything },
    errors: [400],
    handle: ({ body }, { tenant }) => ({ status: 201, body: toRuleView(tenant.rules.put(runtimeRule(tenant, body))) }),
  }),
  operation({
    id: "adminRule",
    route: "GET /__admin/rules/{id}",
    errors: [404],
    handle: ({ params }, { tenant }) => ({ status: 200, body: toRuleView(requireRule(tenant, params.id)) }),
  }),
  operation({
    id: "adminPutRule",
    route: "PUT /__admin/rules/{id}",
    body: anything,
    errors: [400, 404],
    handle: ({ params, body }, { tenant }) => ({
      status: 200,
      body: toRuleView(tenant.rules.put({ ...runtimeRule(tenant, body), id: tenant.rules.get(params.id)?.id ?? params.id })),
    }),
  }),
  operation({
    id: "adminReplaceRules",
    route: "PUT /__admin/rules",
    body: schemas.replaceRulesBody,
    errors: [400],
    handle: ({ body }, { tenant }) => {
      const rules = (Array.isArray(body) ? body : body.rules).map((one: unknown) => runtimeRule(tenant, one));
      tenant.rules.arm(RUNTIME, rules);
      return { status: 200, body: { rules: tenant.rules.list().map(toRuleView) } };
    },
  }),
  operation({
    id: "adminDeleteRule",
    route: "DELETE /__admin/rules/{id}",
    responses: { 204: null },
    errors: [404],
    handle: ({ params }, { tenant }) => {
      tenant.rules.remove(requireRule(tenant, params.id).id);
    },
  }),
  operation({
    id: "adminClearRules",
    route: "DELETE /__admin/rules",
    handle: (_, { tenant }) => {
      tenant.rules.clear(RUNTIME);
      return { status: 200, body: { rules: tenant.rules.list().map(toRuleView) } };
    },
  }),
  operation({
    id: "adminAddWebhookRule",
    route: "POST /__admin/webhooks/rules",
    body: anything,
    responses: { 201: anything },
    errors: [400],
    handle: ({ body }, { tenant }) => {
      const name = putWebhookRule(tenant, body);
      return { status: 201, body: toWebhookRules(tenant).find((one) => one.source === RUNTIME && one.name === name) };
    },
  }),
  operation({
    id: "adminDeleteWebhookRule",
    route: "DELETE /__admin/webhooks/rules/{name}",
    responses: { 204: null },
    errors: [404],
    handle: ({ params }, { tenant }) => {
      const { deliveryRules } = tenant.scenarioRunner;
      const found = runtimeWebhookRules(deliveryRules.list(), params.name);
      if (found.length === 0) throw notFound(`no webhook rule ${params.name} was added at run time`);
      for (const rule of found) deliveryRules.remove(rule.id);
    },
  }),
]);
