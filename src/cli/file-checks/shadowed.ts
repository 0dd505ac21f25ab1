/** Rules of a scenario that never act, because an earlier rule takes their calls. */
import type { Rule } from "../../engine/rules/rules.ts";
import { shadowOf } from "../../engine/rules/shadow.ts";
import type { Scenario } from "../../engine/scenario/load.ts";
import { followsFromOperation } from "./paths.ts";

export interface ShadowedRule {
  part: "rules" | "webhooks";
  name: string;
  message: string;
}

/** Includes rules of included files, which come after the rules of the file. */
export function shadowedRules({ rules, webhooks }: Pick<Scenario, "rules" | "webhooks">): ShadowedRule[] {
  const shadowed = rules.flatMap((rule, i): ShadowedRule[] => {
    const shadow = shadowOf(rule, rules.slice(0, i), followsFromOperation);
    return shadow ? [{ part: "rules", name: rule.name, message: messageOf(shadow) }] : [];
  });
  return [...shadowed, ...shadowedWebhooks(webhooks)];
}

/** A webhook rule may plan deliveries and change attempts. It is shadowed if both never act. */
function shadowedWebhooks(rules: readonly Rule<unknown>[]): ShadowedRule[] {
  const names = [...new Set(rules.map(({ name }) => name))];
  return names.flatMap((name): ShadowedRule[] => {
    const shadows = rules.flatMap((rule, i) => (rule.name === name ? [shadowOf(rule, rules.slice(0, i))] : []));
    const [first] = shadows;
    return first && shadows.every((one) => one !== undefined) ? [{ part: "webhooks", name, message: messageOf(first) }] : [];
  });
}

function messageOf({ name }: Rule<unknown>): string {
  return `never acts, because the rule "${name}" comes first and takes all of its calls; move it up, or add fallthrough: true to "${name}"`;
}
