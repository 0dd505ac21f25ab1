/** Finds rules that never act, because an earlier rule takes each of their calls. It may miss such a rule, but never names another. */
import { type Conditions, type Matcher, matchesAttribute, type Rule } from "../../engine/rules/rules.ts";
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

/** What a condition says about another attribute: the path of an operation, for example. */
type Consequence = (attribute: string, matcher: Matcher, narrow: Conditions) => boolean;

/**
 * Returns the earlier rule that takes all calls of `rule`. Several earlier rules may share its operations. Then it returns the first.
 *
 * @param earlier rules of the same list, in their order
 */
export function shadowOf<E>(rule: Rule<E>, earlier: readonly Rule<E>[], follows: Consequence = () => false): Rule<E> | undefined {
  const takers = earlier.filter(takesAll);
  const operations = rule.when.operation?.in;
  if (!operations || operations.length === 0) return takers.find(({ when }) => covers(when, rule.when, follows));
  const found = operations.map((one) =>
    takers.find(({ when }) => covers(when, { ...rule.when, operation: { ...rule.when.operation, in: [one] } }, follows)),
  );
  return found.every((one) => one !== undefined) ? found[0] : undefined;
}

/** No call that meets the conditions of the rule reaches a later rule. */
function takesAll({ call, times, fallthrough }: Rule<unknown>): boolean {
  if (times !== undefined || fallthrough) return false;
  if (!call) return true;
  return call.nth === undefined && call.first === undefined && (call.from ?? 1) <= 1 && (call.every ?? 1) === 1;
}

function covers(wide: Conditions, narrow: Conditions, follows: Consequence): boolean {
  return Object.entries(wide).every(([name, matcher]) => implies(narrow[name] ?? {}, matcher) || follows(name, matcher, narrow));
}

/** Each value that `narrow` accepts is one that `wide` accepts. Values may be lists, of which one element must fit. */
function implies(narrow: Matcher, wide: Matcher): boolean {
  const sets = [narrow.eq === undefined ? undefined : [narrow.eq], narrow.in].filter(
    (one) => one !== undefined && one.length > 0,
  );
  const eachFits = (fits: (one: unknown) => boolean) => sets.some((set) => (set as readonly unknown[]).every(fits));
  const parts = Object.entries(wide).filter(([, wanted]) => wanted !== undefined) as [keyof Matcher, never][];
  return parts.every(([kind, wanted]) => {
    const part: Matcher = { [kind]: wanted };
    switch (kind) {
      case "eq":
      case "in":
        return eachFits((one) => matchesAttribute(one, part));
      case "contains":
        return eachFits((one) => matchesAttribute(one, part)) || (narrow.contains ?? "").includes(wanted);
      case "regex":
        return narrow.regex === wanted || eachFits((one) => matchesAttribute(one, part));
      case "gt":
      case "lt":
        return isTighter(narrow[kind], part) || eachFits((one) => isPlain(one) && matchesAttribute(one, part));
      case "exists":
        return narrow.exists === wanted || (wanted === true && eachFits((one) => one !== null));
      case "ne":
        return narrow.ne === wanted;
      default:
        return false;
    }
  });
}

/** A bound of the same kind at the same place or further in. */
function isTighter(bound: number | string | undefined, { gt, lt }: Matcher): boolean {
  const wide = gt ?? lt;
  if (bound === undefined || wide === undefined || typeof bound !== typeof wide) return false;
  return bound === wide || (gt === undefined ? bound < wide : bound > wide);
}

/** As text, `true` equals true. As a number, only true is 1. */
function isPlain(value: unknown): boolean {
  return typeof value !== "boolean" && value !== "true" && value !== "false" && value !== null;
}
