import { service } from "../../service/service.ts";
import type { Tenant } from "../../service/service.ts";
import { RUNTIME } from "../../engine/rules/rules.ts";
import { readWebhookRule } from "../../engine/scenario/load.ts";
import { withoutPlace } from "./options.ts";
import type { WebhookRules } from "./types.ts";

export function webhookRulesOf({ scenarioRunner: { deliveryRules } }: Tenant): WebhookRules {
  const ownRules = (name: string) => deliveryRules.list().filter((rule) => rule.source === RUNTIME && rule.name === name);
  const remove = (name: string) => ownRules(name).filter((rule) => deliveryRules.remove(rule.id)).length > 0;
  return {
    add(rule) {
      const compiled = withoutPlace(() => readWebhookRule(rule, service.language));
      remove(rule.name);
      for (const one of compiled) deliveryRules.put(one);
    },
    remove,
    clear: () => deliveryRules.clear(RUNTIME),
    pending: () => [...new Set(deliveryRules.pending().map((rule) => rule.name))],
  };
}
