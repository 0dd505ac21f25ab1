import { dirname, isAbsolute, join, normalize } from "node:path";
import type { Assume, Choice } from "../assumptions/switches.ts";
import type { Progression } from "./progression.ts";
import { type RequestContext, matches, type Rule, RUNTIME } from "../rules/rules.ts";
import { checkRule, requestNames, toActor, toDeliveryRules, toExpectations, toRule, toSubstitute, toTimer } from "./compile.ts";
import type { Actor, DeliveryEffect, Effect, Expectations, Substitute, TimerSpec } from "./effect.ts";
import type { Language } from "./language.ts";
import { assumeFileSchema } from "./later-schema.ts";
import { type Diagnostic, ScenarioError } from "./error.ts";
import { hint } from "../core/text.ts";
import { type Path, parse } from "./parse.ts";
import { webhookRule } from "./later-schema.ts";
import { recordPlaces } from "./source-map.ts";
import { type CheckedRule, ruleSchema, type CheckedScenario, scenarioFor, scenarioSchema } from "./schema.ts";

export { ScenarioError };

export interface Scenario {
  name: string;
  description: string;
  file: string;
  seed: string | undefined;
  clock: CheckedScenario["clock"];
  transitions: Partial<Record<string, Progression>>;
  assume: Assume;
  fixtures: string | undefined;
  world: object;
  rules: Rule<Effect>[];
  webhooks: Rule<DeliveryEffect>[];
  actors: Actor[];
  instead: Substitute[];
  timers: TimerSpec[];
  expect: Expectations | undefined;
  files: string[];
}

export type ReadFile = (path: string) => string;

/** @param read reads included files. Without it, the text came over the admin API, and other calls wait. */
export function readScenario(text: string, file: string, language: Language, read?: ReadFile): Scenario {
  const tried = new Set([file]);
  try {
    return readFile(text, file, { language, read, done: new Set(), tried }, []);
  } catch (error) {
    throw error instanceof ScenarioError ? new ScenarioError(error.mistakes, [...tried]) : error;
  }
}

interface Reading {
  language: Language;
  read: ReadFile | undefined;
  done: Set<string>;
  tried: Set<string>;
}

function readFile(text: string, file: string, reading: Reading, including: readonly string[]): Scenario {
  const { language } = reading;
  const { value, raw, at } = parse(text, file, () => scenarioSchema(language), {
    schemaFor: (raw) => scenarioFor(language, raw),
    isShared: reading.read === undefined,
    more: (raw, place) => mistakesOfRules(rulesIn(raw, language), language, place),
  });
  const mistakes: Diagnostic[] = [];
  const included = readIncluded(value.include, file, reading, [...including, normalize(file)], (i, message) =>
    mistakes.push(at(["include", i], message)),
  );
  mistakes.push(...included.mistakes);
  const names = new Map<string, string>();
  for (const [i, one] of included.scenarios)
    for (const name of new Set([...one.rules, ...one.webhooks].map((rule) => rule.name))) {
      const other = names.get(name);
      if (other !== undefined) mistakes.push(at(["include", i], `the rule name ${name} of ${one.file} is taken by ${other}`));
      names.set(name, one.file);
    }
  mistakes.push(...mistakesOfRules([...value.rules.entries()], language, at));
  for (const part of ["rules", "webhooks"] as const)
    for (const [i, rule] of value[part].entries()) {
      if (names.has(rule.name)) mistakes.push(at([part, i, "name"], `the rule name ${rule.name} is taken`));
      names.set(rule.name, file);
    }
  const except = typeof value.expect?.rules_used === "object" ? value.expect.rules_used.except : [];
  for (const [i, name] of except.entries())
    if (!names.has(name))
      mistakes.push(at(["expect", "rules_used", "except", i], `there is no rule "${name}"${hint(name, [...names.keys()])}`));
  for (const [i, expected] of (value.expect?.requests ?? []).entries()) {
    for (const message of requestNames(expected.match.operation, language.ids()))
      mistakes.push(at(["expect", "requests", i, "match", "operation"], message));
  }
  if (mistakes.length > 0) throw new ScenarioError(mistakes);
  recordPlaces(value.world ?? {}, text, file, ["world"], reading.read === undefined);
  return compile(
    value,
    raw as RawRules,
    file,
    language,
    included.scenarios.map(([, one]) => one),
  );
}

function readIncluded(
  paths: readonly string[],
  file: string,
  reading: Reading,
  including: readonly string[],
  addMistake: (index: number, message: string) => void,
): { scenarios: [index: number, scenario: Scenario][]; mistakes: Diagnostic[] } {
  const scenarios: [number, Scenario][] = [];
  const mistakes: Diagnostic[] = [];
  for (const [i, path] of paths.entries()) {
    const target = pathFrom(file, path);
    if (!reading.read) addMistake(i, "files cannot be included here");
    else if (including.includes(target)) addMistake(i, `${path} includes itself`);
    if (!reading.read || including.includes(target) || reading.done.has(target)) continue;
    reading.tried.add(target);
    try {
      scenarios.push([i, readFile(reading.read(target), target, reading, including)]);
      reading.done.add(target);
    } catch (error) {
      if (error instanceof ScenarioError) mistakes.push(...error.mistakes);
      else addMistake(i, `cannot read ${target}`);
    }
  }
  return { scenarios, mistakes };
}

function pathFrom(file: string, path: string): string {
  return isAbsolute(path) ? normalize(path) : join(dirname(file), path);
}

function mistakesOfRules(
  rules: readonly (readonly [index: number, rule: CheckedRule])[],
  language: Language,
  at: (path: Path, message: string) => Diagnostic,
): Diagnostic[] {
  return rules.flatMap(([i, rule]) => checkRule(rule, language).map(([path, message]) => at(["rules", i, ...path], message)));
}

function rulesIn(raw: unknown, language: Language): (readonly [number, CheckedRule])[] {
  const rules = (raw as { rules?: unknown } | null)?.rules;
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule, i) => {
    const result = ruleSchema(language).safeParse(rule);
    return result.success ? [[i, result.data] as const] : [];
  });
}

interface RawRules {
  rules?: unknown[];
  webhooks?: unknown[];
}

function compile(
  value: CheckedScenario,
  raw: RawRules,
  file: string,
  language: Language,
  included: readonly Scenario[],
): Scenario {
  const name = value.name ?? file.replace(/^.*\//, "").replace(/\.(ya?ml|json)$/i, "");
  const rename = <R extends { source: string; id: string }>(rule: R): R => ({
    ...rule,
    source: name,
    id: rule.id.replace(/^[^/]*/, () => name),
  });
  const firstOf = (pick: (one: Scenario) => string | undefined) => included.map(pick).find((one) => one !== undefined);
  return {
    name,
    description: value.description ?? "",
    file,
    files: [file, ...included.flatMap((one) => one.files)],
    seed: value.seed === undefined ? firstOf((one) => one.seed) : String(value.seed),
    clock: { ...Object.assign({}, ...included.map((one) => one.clock)), ...value.clock },
    transitions: {
      ...Object.assign({}, ...included.map((one) => one.transitions)),
      ...value.transitions,
    } as Scenario["transitions"],
    assume: { ...Object.assign({}, ...included.map((one) => one.assume)), ...value.assume },
    fixtures: value.fixtures === undefined ? firstOf((one) => one.fixtures) : pathFrom(file, value.fixtures),
    world: mergeFixtures([...included.map((one) => one.world), value.world ?? {}]),
    rules: [
      ...value.rules.map((rule, i) => toRule(rule, name, language, raw.rules?.[i])),
      ...included.flatMap((one) => one.rules.map(rename)),
    ],
    webhooks: [
      ...value.webhooks.flatMap((rule, i) => toDeliveryRules(rule, name, raw.webhooks?.[i])),
      ...included.flatMap((one) => one.webhooks.map(rename)),
    ],
    actors: [...included.flatMap((one) => one.actors), ...value.actors.map((actor) => toActor(actor, name))],
    instead: [...value.instead.map((one) => toSubstitute(one)), ...included.flatMap((one) => one.instead ?? [])],
    timers: [...included.flatMap((one) => one.timers), ...value.timers.map((timer, i) => toTimer(timer, i))],
    expect: mergeExpectations([
      ...included.flatMap((one) => one.expect ?? []),
      ...(value.expect ? [toExpectations(value.expect, language)] : []),
    ]),
  };
}

/** The last file that sets `rules_used` wins. */
function mergeExpectations(all: readonly Expectations[]): Expectations | undefined {
  if (all.length < 2) return all[0];
  return {
    requests: all.flatMap((one) => one.requests),
    tools: all.flatMap((one) => one.tools),
    subjects: all.flatMap((one) => one.subjects),
    deliveries: all.flatMap((one) => one.deliveries),
    messages: all.flatMap((one) => one.messages),
    rules_used: all.findLast((one) => one.rules_used)?.rules_used,
    unmatched: all.some((one) => one.unmatched),
    contract: all.some((one) => one.contract),
    contract_without: all.flatMap((one) => one.contract_without),
    client: Object.assign({}, ...all.map((one) => one.client)),
  };
}

function mergeFixtures(all: readonly object[]): object {
  const merged: Record<string, unknown[]> = {};
  for (const one of all)
    for (const [key, rows] of Object.entries(one))
      merged[key] = [...(merged[key] ?? []), ...((rows as unknown[] | undefined) ?? [])];
  return merged;
}

export function readFixtures(text: string, file: string, { fixtures, fixturesFor }: Language): object {
  const { value } = parse(text, file, fixtures, { schemaFor: fixturesFor });
  recordPlaces(value, text, file);
  return value;
}

/** @throws ScenarioError */
export function readAssumeFile(text: string, file: string, language: Language): Choice {
  return language.switches.readChoice(parse(text, file, () => assumeFileSchema(language)).value);
}

export function readRule(rule: unknown, language: Language): Rule<Effect> {
  const { value, raw, at } = parse(JSON.stringify(rule, null, 2), RUNTIME, () => ruleSchema(language));
  const mistakes = checkRule(value, language).map(([path, message]) => at(path, message));
  if (mistakes.length > 0) throw new ScenarioError(mistakes);
  return toRule(value, RUNTIME, language, raw);
}

/** May return two rules. @throws ScenarioError */
export function readWebhookRule(rule: unknown, language: Language): Rule<DeliveryEffect>[] {
  const { value, raw } = parse(JSON.stringify(rule, null, 2), RUNTIME, () => webhookRule(language));
  return toDeliveryRules(value, RUNTIME, raw);
}

export function appliesTo(actor: Pick<Actor, "subject">, context: RequestContext): boolean {
  return matches(actor.subject, context);
}
