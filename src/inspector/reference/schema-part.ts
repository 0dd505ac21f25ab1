/** Shows schemas of the served description as lists of members. */
import { type Html, html, type Part } from "../../engine/http/html.ts";

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  contentMediaType?: string;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  default?: unknown;
}

export interface Parameter {
  name: string;
  in: string;
  description?: string;
  required: boolean;
  schema: Schema;
}

const DEPTH_MAX = 7;
/** More values than this stay folded. */
const VALUES_MAX = 6;

export function parameterList(parameters: readonly Parameter[]): Html {
  return html`<ul class="fields">${parameters.map(
    ({ name, description, required, schema }) => html`<li>${head(name, { ...schema, description }, required)}</li>`,
  )}</ul>`;
}

/** @param first - the names of an example, which stand before the other members */
export function schemaPart(schema: Schema, isInput: boolean, depth = 0, first: readonly string[] = []): Part {
  const inner = membersOf(schema);
  if (!inner) return depth === 0 ? html`<p><span class="type">${typeOf(schema)}</span>${aboutHtml(schema)}</p>` : null;
  if (depth >= DEPTH_MAX) return null;
  const { properties = {}, required = [], additionalProperties } = inner;
  const isNeeded = (name: string) => isInput && required.includes(name);
  const names = isInput ? [...new Set([...first, ...required, ...Object.keys(properties)])] : Object.keys(properties);
  const rows = names.flatMap((name) => {
    const one = properties[name];
    return one ? [memberPart(name, one, { isNeeded: isNeeded(name), isInput, depth })] : [];
  });
  if (typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0)
    rows.push(memberPart("any name", additionalProperties, { isNeeded: false, isInput, depth }));
  return rows.length > 0 ? html`<ul class="fields">${rows}</ul>` : null;
}

function memberPart(name: string, schema: Schema, at: { isNeeded: boolean; isInput: boolean; depth: number }): Html {
  const inner = schemaPart(schema, at.isInput, at.depth + 1);
  const line = head(name, schema, at.isNeeded);
  return inner === null ? html`<li>${line}</li>` : html`<li><details><summary>${line}</summary>${inner}</details></li>`;
}

function head(name: string, schema: Schema, isNeeded: boolean): Html {
  return html`<code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${isNeeded ? html` <span class="must">required</span>` : null}${aboutHtml(schema)}`;
}

/** Finds the object in a list, or the first object of a union. */
function membersOf(schema: Schema): Schema | undefined {
  if (schema.properties || (typeof schema.additionalProperties === "object" && schema.type === "object")) return schema;
  if (schema.items) return membersOf(schema.items);
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    const found = membersOf(one);
    if (found) return found;
  }
  return undefined;
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.replace("#/components/schemas/", "");
  if (schema.enum) return schema.enum.length > VALUES_MAX ? String(schema.type ?? "value") : valuesOf(schema);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(" or ");
  if (schema.type === "array") return `list of ${schema.items ? typeOf(schema.items) : "anything"}`;
  const { type = "anything" } = schema;
  if (schema.contentMediaType) return "file";
  return schema.format ?? (typeof type === "string" ? type : type.join(" or "));
}

const valuesOf = ({ enum: values = [] }: Schema) => `one of ${values.map(String).join(", ")}`;

/** The sentence of the description, and the limits. A value outside the limits gets 400. */
function aboutHtml(schema: Schema): Part {
  const { description, minimum, maximum, enum: values = [] } = schema;
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const limits = [
    minimum !== undefined && most !== undefined
      ? `from ${minimum} to ${most}`
      : minimum !== undefined
        ? `at least ${minimum}`
        : most !== undefined && `at most ${most}`,
    schema.minLength === 1 && "not empty",
    schema.maxLength !== undefined && `at most ${schema.maxLength} characters`,
    schema.maxItems !== undefined && `at most ${schema.maxItems} of them`,
    values.length > VALUES_MAX && valuesOf(schema),
    schema.default !== undefined && `by default ${JSON.stringify(schema.default)}`,
  ].filter((one) => one !== false);
  const sentence = limits.join(", ").replace(/^./, (first) => first.toUpperCase());
  if (description === undefined && sentence === "") return null;
  return html` <span class="about">${description}${sentence === "" ? null : html` <span class="limit">${sentence}.</span>`}</span>`;
}
