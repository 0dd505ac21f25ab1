/** Makes the list of all members of scenario and fixtures files from their JSON Schema: a table for each part with a name. */
import { scenarioJsonSchema } from "../../src/engine/scenario/json-schema.ts";
import { operationIds } from "../../src/service/nouns/index.ts";
import { service } from "../../src/service/service.ts";

const { language } = service;

/** Long lists of words, which the page shows once. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  "an act": language.acts,
  "a status": language.statuses,
  "an event": language.events,
  "an event or a status": language.triggers,
  "an operation": operationIds(),
};

interface JsonSchema {
  $ref?: string;
  $defs?: Readonly<Record<string, JsonSchema>>;
  const?: unknown;
  enum?: readonly unknown[];
  type?: string | readonly string[];
  description?: string;
  properties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: readonly JsonSchema[];
}

export function membersList(): string {
  const { $defs = {}, ...root } = scenarioJsonSchema(language, operationIds()) as JsonSchema;
  const parts = Object.entries({ ScenarioFile: root, ...$defs });
  const valueText = (schema: JsonSchema): string => {
    const { $ref, const: only, enum: words, type, items, anyOf } = schema;
    const name = $ref?.split("/").at(-1) ?? "";
    const part = $defs[name];
    if (part) return rowsOf(part, "").length > 0 ? `[${name}](#${name.toLowerCase()})` : valueText(part);
    if (only !== undefined) return `\`${only}\``;
    if (words) return nameOf(words) ?? words.map((one) => `\`${one}\``).join(", ");
    if (anyOf) return [...new Set(anyOf.map(valueText))].join(", or ");
    if (items) return items.properties ? "list" : `list: ${valueText(items)}`;
    return [type ?? "any"].flat().join(", or ");
  };
  const rowsOf = (schema: JsonSchema, path: string): string[] => {
    const { properties = {}, items, additionalProperties, anyOf = [] } = schema;
    const own = Object.entries(properties).flatMap(([name, one]) => [
      `| \`${path}${name}\` | ${valueText(one)} | ${one.description ?? ""} |`,
      ...rowsOf(one, `${path}${name}.`),
    ]);
    const named = typeof additionalProperties === "object" ? rowsOf(additionalProperties, `${path}NAME.`) : [];
    // Alternatives of one value may share a member.
    return [...new Set([...own, ...[...(items ? [items] : []), ...anyOf].flatMap((one) => rowsOf(one, path)), ...named])];
  };
  return [
    "# Members of scenario and fixtures files",
    "`docdouble check FILE` finds mistakes in a file. `docdouble schema scenario` and `docdouble schema fixtures` print the JSON Schemas for editors.",
    ...parts
      .map(([name, schema]) => ({ name, rows: rowsOf(schema, "") }))
      .filter(({ rows }) => rows.length > 0)
      .map(({ name, rows }) => [`## ${name}\n`, "| member | value | meaning |", "|---|---|---|", ...rows].join("\n")),
    "## Words",
    ...Object.entries(WORDS).map(([name, words]) => `**${name}**: ${words.map((one) => `\`${one}\``).join(", ")}.`),
    "",
  ].join("\n\n");
}

function nameOf(words: readonly unknown[]): string | undefined {
  return Object.entries(WORDS).find(([, all]) => all.length === words.length && all.every((one) => words.includes(one)))?.[0];
}
