/** Makes the list of all members of scenario and fixtures files from their JSON Schema. */
import type { JsonSchema } from "../../src/engine/scenario/describe-schema.ts";
import { scenarioJsonSchema } from "../../src/engine/scenario/json-schema.ts";
import { operationIds } from "../../src/service/api/index.ts";
import { service } from "../../src/service/service.ts";

const { language } = service;

/** Long lists of words, which the page shows once. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  "an act": language.acts,
  "a status": language.statuses,
  "an event": language.events,
  "an event or a status": language.triggers,
};

/** Parts with a table each. Other parts of the schema have a short name. */
const PARTS: Readonly<Record<string, string>> = {
  RuleFile: "a rule",
  Matcher: "a matcher",
  ActorFile: "an actor",
  ActInputFile: "the input of an act",
  TimerFile: "a timer",
  WebhookRuleFile: "a webhook rule",
  ExpectFile: "the expectations",
  ProgressionFile: "a transition",
  FixturesFile: "a fixtures file",
  TemplateFile: "a template",
  QuoteFile: "a quote",
};
const SIMPLE: Readonly<Record<string, string>> = {
  Duration: "a duration",
  DocumentMatcher: "conditions on a document",
  OperationName: "an operation",
  AssumeFile: "[readings](assumptions.md) by id",
};
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
function valueText(schema: JsonSchema): string {
  const { $ref, enum: words, const: only, type, items, anyOf, oneOf, pattern } = schema as Readonly<ValueSchema>;
  if ($ref !== undefined) return reference($ref.split("/").at(-1) ?? "");
  if (only !== undefined) return `\`${String(only)}\``;
  if (words) return nameOf(words) ?? listOf(words);
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map(valueText))].join(", or ");
  if (items) return items.type === "object" ? "a list" : `a list: ${valueText(items)}`;
  if (typeof pattern === "string") return timeText(pattern) ?? "a text";
  if (type === undefined) return "any value";
  return [type]
    .flat()
    .map((one) => TYPES[one] ?? one)
    .join(", or ");
}

function reference(def: string): string {
  const part = PARTS[def];
  return part === undefined ? (SIMPLE[def] ?? def) : `[${part}](#members-of-${part.replaceAll(" ", "-")})`;
}

function nameOf(words: readonly unknown[]): string | undefined {
  return Object.entries(WORDS).find(([, all]) => all.length === words.length && all.every((one) => words.includes(one)))?.[0];
}

function listOf(words: readonly unknown[]): string {
  return words.map((one) => `\`${String(one)}\``).join(", ");
}

/** The patterns of times name units, years, or both. */
function timeText(pattern: string): string | undefined {
  const kinds = [...(pattern.includes("{4}") ? ["an instant"] : []), ...(pattern.includes("ms|") ? ["a duration"] : [])];
  return kinds.length === 0 ? undefined : kinds.join(", or ");
}

interface Member {
  path: string;
  value: string;
  text: string;
}

/** All members below `schema`, at any depth. Other parts have their own table. */
function membersOf(schema: JsonSchema, path = ""): Member[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
  const own = Object.entries(properties).flatMap(([name, member]) => {
    const at = path === "" ? name : `${path}.${name}`;
    return [{ path: at, value: valueText(member), text: member.description ?? "" }, ...membersOf(member, at)];
  });
  const inner = [...(items ? [items] : []), ...anyOf, ...oneOf].flatMap((one) => membersOf(one, path));
  const named = typeof additionalProperties === "object" ? membersOf(additionalProperties, `${path}.NAME`) : [];
  // Alternatives of one value may share a member.
  return [...new Map([...own, ...inner, ...named].reverse().map((one) => [one.path, one])).values()].reverse();
}

function tableOf(title: string, schema: JsonSchema): string {
  const rows = membersOf(schema).map((one) => `| \`${one.path}\` | ${cell(one.value)} | ${cell(one.text)} |`);
  return [`## Members of ${title}`, ["| member | value | meaning |", "|---|---|---|", ...rows].join("\n")].join("\n\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

export function membersList(): string {
  const root = scenarioJsonSchema(language, operationIds()) as JsonSchema;
  const defs = root.$defs as Readonly<Record<string, JsonSchema>>;
  return [
    "# Members of scenario and fixtures files",
    "`docdouble check FILE` finds mistakes in a file. `docdouble schema scenario` and `docdouble schema fixtures` print the JSON Schemas for editors.",
    tableOf("a scenario file", root),
    ...Object.entries(PARTS).map(([def, title]) => tableOf(title, defs[def] as JsonSchema)),
    "## Words",
    ...Object.entries(WORDS).map(([name, words]) => `**${name}**: ${listOf(words)}.`),
    `**conditions on a document** have the names ${listOf(language.subjectFacts.names)} and \`metadata.<key>\`, and matchers as values.`,
    "",
  ].join("\n\n");
}
