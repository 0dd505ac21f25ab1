/** Reads scenario and fixtures files, YAML or JSON: every mistake at once, each with file, line and column. */
import { isMap, isScalar, LineCounter, type Document as YamlDocument, parseDocument } from "yaml";
import type { z } from "zod";
import { type Facts, type Matcher, matches, type Rule } from "../engine/rules.ts";
import type { Schema } from "../core/operation.ts";
import { nearest } from "../core/text.ts";
import type { Fixtures } from "../domain/fixtures.ts";
import type { Model, Progression } from "../domain/world.ts";
import { type Actor, type Effect, STATUS_OF_ERROR } from "./effect.ts";
import { fixtures } from "./fixtures-schema.ts";
import { type RuleInput, ruleSchema, type ScenarioFile, scenarioSchema } from "./schema.ts";

export interface Mistake {
  file: string;
  line: number;
  column: number;
  message: string;
}

/** One or more mistakes in a file; the message lists them as `file:line:column message`. */
export class ScenarioError extends Error {
  readonly mistakes: Mistake[];
  constructor(mistakes: Mistake[]) {
    super(mistakes.map((one) => `${one.file}:${one.line}:${one.column} ${one.message}`).join("\n"));
    this.mistakes = mistakes;
  }
}

/** What a rule may be checked against: the operations and the error statuses each declares, undefined when it is not known. */
export interface Catalogue {
  ids(): string[];
  errorsOf(id: string): readonly number[] | undefined;
}

/** A scenario ready to play. */
export interface Scenario {
  name: string;
  description: string;
  file: string;
  seed: string | undefined;
  clock: ScenarioFile["clock"];
  transitions: Partial<Record<Model, Progression>>;
  world: Fixtures;
  rules: Rule<Effect>[];
  actors: Actor[];
}

/** Reads a scenario. @throws ScenarioError with every mistake */
export function readScenario(text: string, file: string, catalogue: Catalogue): Scenario {
  const { value, at } = parse(text, file, scenarioSchema);
  const mistakes: Mistake[] = [];
  const names = new Set<string>();
  for (const [i, rule] of value.rules.entries()) {
    for (const [path, message] of checkRule(rule, catalogue)) mistakes.push(at(["rules", i, ...path], message));
    if (names.has(rule.name)) mistakes.push(at(["rules", i, "name"], `the rule name ${rule.name} is taken`));
    names.add(rule.name);
  }
  if (mistakes.length > 0) throw new ScenarioError(mistakes);
  const name = value.name ?? file.replace(/^.*\//, "").replace(/\.(ya?ml|json)$/i, "");
  return {
    name,
    description: value.description ?? "",
    file,
    seed: value.seed === undefined ? undefined : String(value.seed),
    clock: value.clock,
    transitions: (value.transitions as Partial<Record<Model, Progression>>) ?? {},
    world: value.world ?? {},
    rules: value.rules.map((rule) => toRule(rule, name, catalogue)),
    actors: value.actors.map((actor) => ({
      name: actor.name,
      source: name,
      on: typeof actor.on === "string" ? [actor.on] : actor.on,
      document: mapMatchers(actor.document),
      recipient: actor.recipient && mapMatchers(actor.recipient as Record<string, RawMatcher>),
      steps: actor.steps.map((step) => ({ after_ms: step.after, do: step.do, with: step.with })),
    })),
  };
}

/** Reads fixtures. @throws ScenarioError with every mistake */
export function readFixtures(text: string, file: string): Fixtures {
  return parse(text, file, fixtures).value;
}

/** Reads one rule as the admin API takes it. @throws ScenarioError */
export function readRule(text: string, source: string, catalogue: Catalogue): Rule<Effect> {
  const { value, at } = parse(text, source, ruleSchema);
  const mistakes = checkRule(value, catalogue).map(([path, message]) => at(path, message));
  if (mistakes.length > 0) throw new ScenarioError(mistakes);
  return toRule(value, source, catalogue);
}

type Path = (string | number)[];

function parse<T extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema<T>,
): { value: z.output<T>; at: (path: Path, message: string) => Mistake } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  if (document.errors.length > 0) {
    throw new ScenarioError(
      document.errors.map((error) => {
        const { line, col } = lines.linePos(error.pos[0]);
        return { file, line, column: col, message: error.message };
      }),
    );
  }
  const at = (path: Path, message: string, key?: string): Mistake => {
    const { line, col } = lines.linePos(offsetOf(document, path, key));
    return { file, line, column: col, message };
  };
  const result = schema().safeParse(document.toJS({ maxAliasCount: 100 }));
  if (result.success) return { value: result.data, at };
  const names = namesOf(schema());
  throw new ScenarioError(
    result.error.issues.flatMap((issue) => mistakesOf(issue, names).map(({ path, message, key }) => at(path, message, key))),
  );
}

/** Where the value at `path` stands, or the key `key` inside it; of what is missing, its nearest parent. */
function offsetOf(document: YamlDocument, path: Path, key?: string): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (key !== undefined && length === path.length && isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
      if (pair && isScalar(pair.key)) return pair.key.range?.[0] ?? 0;
    }
    const range = (node as { range?: [number, number, number] } | null)?.range;
    if (range) return range[0];
  }
  return 0;
}

type Issue = z.core.$ZodIssue;

function mistakesOf(issue: Issue, names: readonly string[], prefix: Path = []): { path: Path; message: string; key?: string }[] {
  const path = [...prefix, ...(issue.path as Path)];
  const where = path.length > 0 ? `${path.join(".")}: ` : "";
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path, key, message: `unknown name "${key}"${hint(key, names)}` }));
  }
  if (issue.code === "invalid_value") {
    const input = String((issue as { input?: unknown }).input ?? "");
    const choices = issue.values.map(String);
    return [{ path, message: `${where}must be one of ${choices.join(", ")}${input ? hint(input, choices) : ""}` }];
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const deepest = issue.errors.map((errors) => errors[0]).sort((a, b) => (b?.path.length ?? 0) - (a?.path.length ?? 0))[0];
    if (deepest && (deepest.path.length > 0 || deepest.code === "unrecognized_keys" || deepest.code === "custom"))
      return mistakesOf(deepest, names, path);
  }
  if (issue.code === "invalid_key")
    return issue.issues.flatMap((inner) =>
      mistakesOf({ ...inner, path: [] }, names, path.slice(0, -1)).map((one) => ({ ...one, key: String(path.at(-1)) })),
    );
  return [{ path, message: `${where}${issue.message}` }];
}

function hint(word: string, names: readonly string[]): string {
  const near = nearest(word, names);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

/** Every key that the schema knows, for suggestions. */
function namesOf(schema: z.ZodType, found = new Set<string>(), seen = new Set<unknown>()): string[] {
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    const definition = (value as { _zod?: { def?: Record<string, unknown> } })._zod?.def;
    if (!definition) return;
    if (definition.shape) {
      for (const [name, inner] of Object.entries(definition.shape as object)) {
        found.add(name);
        visit(inner);
      }
    }
    for (const inner of [definition.innerType, definition.element, definition.valueType, definition.in, definition.out])
      visit(inner);
    for (const option of (definition.options as unknown[] | undefined) ?? []) visit(option);
  };
  visit(schema);
  return [...found];
}

function checkRule(rule: RuleInput, catalogue: Catalogue): [Path, string][] {
  const mistakes: [Path, string][] = [];
  const ids = catalogue.ids();
  const named = rule.when.operation === undefined ? [] : [rule.when.operation].flat();
  for (const [i, name] of named.entries()) {
    if (operationsOf(name, ids).length > 0) continue;
    const path = Array.isArray(rule.when.operation) ? ["when", "operation", i] : ["when", "operation"];
    mistakes.push([path, name.includes("*") ? `no operation fits "${name}"` : `unknown operation "${name}"${hint(name, ids)}`]);
  }
  const status = rule.then.respond?.status ?? (rule.then.error && STATUS_OF_ERROR[rule.then.error]);
  if (status !== undefined && status >= 400 && !rule.then.undeclared) {
    const part = rule.then.error ? "error" : "respond";
    for (const id of named.filter((name) => !name.includes("*"))) {
      const errors = catalogue.errorsOf(id);
      if (errors && !errors.includes(status)) {
        mistakes.push([
          ["then", part],
          `${id} does not declare ${status}, only ${errors.join(", ")}; add undeclared: true if that is meant`,
        ]);
      }
    }
  }
  return mistakes;
}

/** The ids that a name or glob stands for. */
function operationsOf(name: string, ids: readonly string[]): string[] {
  if (!name.includes("*")) return ids.includes(name) ? [name] : [];
  const pattern = new RegExp(
    `^${name
      .split("*")
      .map((part) => part.replace(/[^\w]/g, "\\$&"))
      .join(".*")}$`,
  );
  return ids.filter((id) => pattern.test(id));
}

type RawMatcher = string | number | boolean | null | { [name: string]: unknown };

function toMatcher(raw: RawMatcher): Matcher {
  if (raw === null) return { exists: false };
  return typeof raw === "object" ? (raw as Matcher) : { eq: raw };
}

function mapMatchers(raw: Readonly<Record<string, unknown>>, prefix = "", lower = false): Record<string, Matcher> {
  return Object.fromEntries(
    Object.entries(raw)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [prefix + (lower ? name.toLowerCase() : name), toMatcher(one as RawMatcher)]),
  );
}

function toRule(rule: RuleInput, source: string, catalogue: Catalogue): Rule<Effect> {
  const { when, then } = rule;
  const ids = catalogue.ids();
  const conditions: Record<string, Matcher> = {
    ...(when.operation === undefined
      ? {}
      : { operation: { in: [when.operation].flat().flatMap((name) => operationsOf(name, ids)) } }),
    ...mapMatchers({ path: when.path, method: when.method, tenant: when.tenant }),
    ...mapMatchers(when.query ?? {}, "query."),
    ...mapMatchers(when.headers ?? {}, "headers.", true),
    ...mapMatchers(when.body ?? {}, "body."),
    ...mapMatchers(when.document ?? {}, "document."),
  };
  const { delay, rate_limit: limit, respond, retry_after, lock } = then;
  return {
    id: `${source}/${rule.name}`,
    name: rule.name,
    source,
    when: conditions,
    ...(when.call
      ? { call: { ...when.call, ...(when.call.per === undefined || when.call.per === "rule" ? { per: undefined } : {}) } }
      : {}),
    ...(then.times === undefined ? {} : { times: then.times }),
    ...(then.fallthrough === undefined ? {} : { fallthrough: then.fallthrough }),
    effect: {
      phase: then.phase,
      ...(then.error ? { error: then.error } : {}),
      ...(then.detail === undefined ? {} : { detail: then.detail }),
      ...(retry_after === undefined ? {} : { retry_after_s: Math.ceil(retry_after / 1000) }),
      ...(lock
        ? {
            lock: {
              ...(lock.by === undefined ? {} : { by: lock.by }),
              ...(lock.expires_in === undefined ? {} : { expires_in_ms: lock.expires_in }),
            },
          }
        : {}),
      ...(respond ? { respond: { status: respond.status, headers: respond.headers, body: respond.body } } : {}),
      ...(then.network ? { network: then.network } : {}),
      ...(delay === undefined ? {} : { delay_ms: typeof delay === "number" ? { min: delay, max: delay } : delay }),
      ...(limit ? { rate_limit: { limit: limit.limit, window_ms: limit.window } } : {}),
    },
  };
}

/** Whether an actor is meant by a document, whose facts are told without prefix. */
export function concerns(actor: Actor, facts: Facts): boolean {
  return matches(actor.document, facts);
}
