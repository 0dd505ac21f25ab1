/** Makes the lists of all members of scenario and fixtures files from their JSON Schemas. */
import type { JsonSchema } from "../src/engine/scenario/describe-schema.ts";
import { scenarioJsonSchema } from "../src/engine/scenario/json-schema.ts";
import { operationIds } from "../src/service/api/index.ts";
import { service } from "../src/service/service.ts";

type Defs = Readonly<Record<string, JsonSchema>>;

const { language } = service;

/** Long lists of words, which the page explains once. */
const WORDS: readonly (readonly [title: string, what: string, words: readonly string[]])[] = [
  ["Acts", "an act", language.acts],
  ["Statuses", "a status", language.statuses],
  ["Events", "an event", language.events],
  ["Triggers", "an event or a status", language.triggers],
];

/** Parts with a list each: the anchor on the page, and the words of a reference to it. */
const PARTS: readonly (readonly [def: string, title: string, what: string])[] = [
  ["RuleFile", "a rule", "a rule"],
  ["Matcher", "a matcher", "a matcher, or the value itself"],
  ["ActorFile", "an actor", "an actor"],
  ["ActInputFile", "the input of an act", "the input of an act"],
  ["TimerFile", "a timer", "a timer"],
  ["WebhookRuleFile", "a webhook rule", "a webhook rule"],
  ["ExpectFile", "the expectations", "expectations"],
  ["ProgressionFile", "a transition", "`immediate`, `manual`, `fail`, or a transition"],
];

/** Parts of a world, which have their own page. */
const WORLD_PARTS: readonly (readonly [def: string, title: string, what: string])[] = [
  ["FixturesFile", "a fixtures file", "rows of a world"],
  ["TemplateFile", "a template", "a template"],
  ["QuoteFile", "a quote", "a quote"],
];

const SIMPLE: Readonly<Record<string, string>> = {
  Duration: "a duration",
  DocumentMatcher: "conditions on a document",
  OperationName: "an operation",
};

function anchor(title: string): string {
  return `#members-of-${title.replaceAll(" ", "-")}`;
}

function reference(def: string, isWorldPage: boolean): string {
  if (SIMPLE[def] !== undefined) return SIMPLE[def];
  if (def === "AssumeFile") return "[readings](assumptions.md) by id";
  const own = PARTS.find(([name]) => name === def);
  if (own) return `[${own[2]}](${isWorldPage ? "scenarios.md" : ""}${anchor(own[1])})`;
  const world = WORLD_PARTS.find(([name]) => name === def);
  return world ? `[${world[2]}](${isWorldPage ? "" : "fixtures.md"}${anchor(world[1])})` : def;
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  null: "null",
  object: "a map",
  array: "a list",
};

interface ValueSchema extends JsonSchema {
  $ref?: string;
  enum?: readonly unknown[];
  type?: string | readonly string[];
}

/** What a reader writes as the value. */
function valueText(schema: JsonSchema, isWorldPage: boolean): string {
  const { $ref, enum: words, const: only, type, items, anyOf, oneOf, pattern } = schema as Readonly<ValueSchema>;
  if ($ref !== undefined) return reference($ref.split("/").at(-1) ?? "", isWorldPage);
  if (only !== undefined) return `\`${String(only)}\``;
  if (words) return WORDS.find((one) => sameWords(one[2], words))?.[1] ?? words.map((one) => `\`${String(one)}\``).join(", ");
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map((one) => valueText(one, isWorldPage)))].join(", or ");
  if (items) return items.type === "object" ? "a list" : `a list: ${valueText(items, isWorldPage)}`;
  if (typeof pattern === "string") return timeText(pattern) ?? "a text";
  if (typeof type === "string") return TYPES[type] ?? type;
  return type === undefined ? "any value" : type.map((one) => TYPES[one] ?? one).join(", or ");
}

/** The patterns of times name units, years, or both. */
function timeText(pattern: string): string | undefined {
  const kinds = [...(pattern.includes("{4}") ? ["an instant"] : []), ...(pattern.includes("ms|") ? ["a duration"] : [])];
  return kinds.length === 0 ? undefined : kinds.join(", or ");
}

function sameWords(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((word) => other.includes(word));
}

interface Member {
  path: string;
  value: string;
  text: string;
}

/** All members below `schema`, at any depth. Other named parts have their own list. */
export function membersOf(schema: JsonSchema, isWorldPage = false, path = ""): Member[] {
  const members: Member[] = [];
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const at = path === "" ? name : `${path}.${name}`;
    members.push({ path: at, value: valueText(member, isWorldPage), text: member.description ?? "" });
    members.push(...membersOf(member, isWorldPage, at));
  }
  const { items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  if (items) members.push(...membersOf(items, isWorldPage, path));
  if (typeof additionalProperties === "object") members.push(...membersOf(additionalProperties, isWorldPage, `${path}.NAME`));
  for (const one of [...anyOf, ...oneOf]) members.push(...membersOf(one, isWorldPage, path));
  // Alternatives of one value may share a member.
  return members.filter((one, i) => members.findIndex((other) => other.path === one.path) === i);
}

function table(members: readonly Member[]): string {
  const rows = members.map(({ path, value, text }) => `| \`${path}\` | ${cell(value)} | ${cell(text)} |`);
  return ["| member | value | meaning |", "|---|---|---|", ...rows].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function schemaRoot(): JsonSchema {
  return scenarioJsonSchema(language, operationIds()) as JsonSchema;
}

/** The part of docs/scenarios.md with every member of a scenario file. */
export function scenarioMembers(): string {
  const root = schemaRoot();
  const defs = root.$defs as Defs;
  return [
    `### Members of a scenario file\n\n${table(membersOf(root))}`,
    ...PARTS.map(([def, title]) => `### Members of ${title}\n\n${table(membersOf(defs[def] as JsonSchema))}`),
    ...WORDS.slice(0, 3).map(([title, , words]) => `**${title}**: ${words.map((one) => `\`${one}\``).join(", ")}.`),
    `A condition on a document is a map. Its names are ${language.subjectFacts.names.map((one) => `\`${one}\``).join(", ")} and \`metadata.<key>\`, and its values are matchers.`,
  ].join("\n\n");
}

export function fixturesPage(note: string): string {
  const defs = schemaRoot().$defs as Defs;
  return `${[
    "# Members of fixtures files",
    note,
    [
      "A fixtures file describes an account: people, keys, templates, documents and settings. `world` of a [scenario](scenarios.md#world) has the same",
      "members. [Describe your account's templates](guides/templates.md) shows a first file.",
    ].join("\n"),
    "`docdouble check FILE` finds mistakes in a file. `docdouble schema fixtures` prints the JSON Schema for editors.",
    ...WORLD_PARTS.map(([def, title]) => `## Members of ${title}\n\n${table(membersOf(defs[def] as JsonSchema, true))}`),
  ].join("\n\n")}\n`;
}
