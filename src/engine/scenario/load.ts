import { dirname, isAbsolute, join, normalize } from "node:path";
import type { Choice } from "../assumptions/switches.ts";
import { hint } from "../core/text.ts";
import { type Rule, RUNTIME } from "../rules/rules.ts";
import { type Diagnostic, ScenarioError } from "./error.ts";
import { EXPECTED, type Expectations } from "./expect-schema.ts";
import type { Language } from "./language.ts";
import { parse, type Path } from "./parse.ts";
import { type DeliveryEffect, type Effect, ruleSchema, webhookRule } from "./rule-schema.ts";
import { assumeFileSchema, type CheckedScenario, scenarioFor, scenarioSchema } from "./schema.ts";
import { recordPlaces } from "./source-map.ts";

export { ScenarioError };

type Taken = "name" | "description" | "seed" | "rules" | "webhooks" | "world" | "expect" | "$schema" | "version" | "include";
type Maps = "clock" | "transitions" | "assume";

/** A scenario and what it includes. */
export interface Scenario extends Omit<CheckedScenario, Taken | Maps>, Required<Pick<CheckedScenario, Maps>> {
  name: string;
  description: string;
  file: string;
  files: string[];
  seed: string | undefined;
  world: object;
  rules: Rule<Effect>[];
  webhooks: Rule<DeliveryEffect>[];
  expect: Expectations | undefined;
}

export type ReadFile = (path: string) => string;

/** @param read reads included files. Without it, the text came over the admin API, and other calls wait */
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
  const isShared = reading.read === undefined;
  const schemaFor = (one: unknown) => scenarioFor(language, one);
  const { value, raw, at } = parse(text, file, () => scenarioSchema(language), { schemaFor, isShared });
  const included = readIncluded(value.include, file, reading, [...including, normalize(file)], at);
  const mistakes = [...included.mistakes, ...mistakesOfNames(value, raw as Raw, included.scenarios, file, at)];
  if (mistakes.length > 0) throw new ScenarioError(mistakes);
  recordPlaces(value.world ?? {}, text, file, ["world"], isShared);
  return joined(
    value,
    raw as Raw,
    file,
    included.scenarios.map(([, one]) => one),
  );
}

/** What the author wrote. */
interface Raw {
  rules?: Written[];
  webhooks?: Written[];
  expect?: Readonly<Record<string, readonly Written[]>>;
}

type Written = Readonly<Record<string, unknown>>;
type At = (path: Path, message: string) => Diagnostic;
type Included = [index: number, scenario: Scenario];

/** Rules have different names, and `except` names rules. */
function mistakesOfNames(
  { expect }: CheckedScenario,
  raw: Raw,
  included: readonly Included[],
  file: string,
  at: At,
): Diagnostic[] {
  const mistakes: Diagnostic[] = [];
  const names = new Map<string, string>();
  for (const [i, one] of included)
    for (const name of new Set([...one.rules, ...one.webhooks].map((rule) => rule.name))) {
      const other = names.get(name);
      if (other !== undefined) mistakes.push(at(["include", i], `the rule name ${name} of ${one.file} is taken by ${other}`));
      names.set(name, one.file);
    }
  for (const part of ["rules", "webhooks"] as const)
    for (const [i, rule] of (raw[part] ?? []).entries()) {
      const name = String(rule.name);
      if (names.has(name)) mistakes.push(at([part, i, "name"], `the rule name ${name} is taken`));
      names.set(name, file);
    }
  const except = typeof expect?.rules_used === "object" ? expect.rules_used.except : [];
  for (const [i, name] of except.entries())
    if (!names.has(name))
      mistakes.push(at(["expect", "rules_used", "except", i], `there is no rule "${name}"${hint(name, [...names.keys()])}`));
  return mistakes;
}

function readIncluded(
  paths: readonly string[],
  file: string,
  reading: Reading,
  including: readonly string[],
  at: At,
): { scenarios: Included[]; mistakes: Diagnostic[] } {
  const scenarios: Included[] = [];
  const mistakes: Diagnostic[] = [];
  for (const [i, path] of paths.entries()) {
    const add = (message: string) => mistakes.push(at(["include", i], message));
    const target = pathFrom(file, path);
    if (!reading.read) add("files cannot be included here");
    else if (including.includes(target)) add(`${path} includes itself`);
    if (!reading.read || including.includes(target) || reading.done.has(target)) continue;
    reading.tried.add(target);
    try {
      scenarios.push([i, readFile(reading.read(target), target, reading, including)]);
      reading.done.add(target);
    } catch (error) {
      if (error instanceof ScenarioError) mistakes.push(...error.mistakes);
      else add(`cannot read ${target}`);
    }
  }
  return { scenarios, mistakes };
}

function pathFrom(file: string, path: string): string {
  return isAbsolute(path) ? normalize(path) : join(dirname(file), path);
}

function joined(value: CheckedScenario, raw: Raw, file: string, included: readonly Scenario[]): Scenario {
  const name = value.name ?? file.replace(/^.*\//, "").replace(/\.(ya?ml|json)$/i, "");
  const rename = <R extends { source: string; id: string }>(rule: R): R => ({
    ...rule,
    source: name,
    id: rule.id.replace(/^[^/]*/, () => name),
  });
  const all = <K extends keyof Scenario>(part: K) => included.map((one) => one[part]);
  const firstOf = <K extends keyof Scenario>(part: K) => all(part).find((one) => one !== undefined);
  return {
    name,
    description: value.description ?? "",
    file,
    files: [file, ...all("files").flat()],
    seed: value.seed === undefined ? firstOf("seed") : String(value.seed),
    clock: Object.assign({}, ...all("clock"), value.clock),
    transitions: Object.assign({}, ...all("transitions"), value.transitions),
    assume: Object.assign({}, ...all("assume"), value.assume),
    fixtures: value.fixtures === undefined ? firstOf("fixtures") : pathFrom(file, value.fixtures),
    world: mergeFixtures([...all("world"), value.world ?? {}]),
    rules: [
      ...value.rules.map((rule, i) => named(rule, name, raw.rules?.[i])),
      ...all("rules").flatMap((rules) => rules.map(rename)),
    ],
    webhooks: [
      ...value.webhooks.flatMap((rules, i) => rules.map((rule) => namedPart(rule, name, raw.webhooks?.[i]))),
      ...all("webhooks").flatMap((rules) => rules.map(rename)),
    ],
    actors: [...all("actors").flat(), ...value.actors],
    instead: [...value.instead, ...all("instead").flat()],
    timers: [...all("timers").flat(), ...value.timers],
    expect: joinExpectations([...all("expect").flatMap((one) => one ?? []), ...expectationsOf(value.expect, raw.expect)]),
  };
}

type Checked<E> = Omit<Rule<E>, "id" | "source" | "written">;

/** The rule with its author's notation. */
function named<E>(rule: Checked<E>, source: string, { when, then }: Written = {}, id = rule.name): Rule<E> {
  return { ...rule, id: `${source}/${id}`, source, written: { when, then } };
}

function namedPart<E>(rule: Checked<E>, source: string, written?: Written): Rule<E> {
  return named(rule, source, written, `${rule.name}/${String(rule.when.phase?.eq)}`);
}

function expectationsOf(checked: CheckedScenario["expect"], raw: Raw["expect"]): Expectations[] {
  if (!checked) return [];
  const lists = EXPECTED.map((part) => [
    part,
    checked[part].map((one, i) => ({ ...one, text: one.note ?? `${part} ${describe(raw?.[part]?.[i])}` })),
  ]);
  const { contract } = checked;
  const kinds = contract === "clean" ? ["*"] : (contract?.without ?? []);
  return [{ ...checked, ...Object.fromEntries(lists), contract: kinds } as Expectations];
}

function describe({ match = {}, name, acknowledged, attempts }: Written = {}): string {
  const text = JSON.stringify({ ...(match as object), name, acknowledged, attempts });
  return text === "{}" ? "of any kind" : text;
}

/** The last file that sets `rules_used` wins. */
function joinExpectations(all: readonly Expectations[]): Expectations | undefined {
  if (all.length < 2) return all[0];
  const lists = [...EXPECTED, "contract"] as const;
  return {
    ...Object.assign({}, ...all),
    ...Object.fromEntries(lists.map((part) => [part, all.flatMap((one): unknown[] => [...one[part]])])),
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

/** @throws ScenarioError */
export function readRule(rule: unknown, language: Language): Rule<Effect> {
  const { value, raw } = parse(JSON.stringify(rule, null, 2), RUNTIME, () => ruleSchema(language));
  return named(value, RUNTIME, raw as Written);
}

/** May return two rules. @throws ScenarioError */
export function readWebhookRule(rule: unknown, language: Language): Rule<DeliveryEffect>[] {
  const { value, raw } = parse(JSON.stringify(rule, null, 2), RUNTIME, () => webhookRule(language));
  return value.map((one) => namedPart(one, RUNTIME, raw as Written));
}
