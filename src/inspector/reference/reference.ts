import { type Html, html, type Part, htmlPage } from "../../engine/http/html.ts";
import { REFERENCE_SCRIPT, REFERENCE_STYLE } from "./assets.ts";
import { type Permission, lifecycle } from "../../service/service.ts";

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  nullable?: boolean;
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
  maxLength?: number;
  maxItems?: number;
  default?: unknown;
}

type Content = Record<string, { schema: Schema; example?: unknown }>;

interface Described {
  operationId: string;
  summary: string;
  tags: string[];
  description?: string;
  security?: unknown[];
  parameters: { name: string; in: string; description?: string; required: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface Description {
  info: { version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Described>>;
}

export interface AdminOperation {
  id: string;
  route: string;
  /** In Markdown. Only backticks have an effect. */
  does: string | undefined;
}

interface Entry extends Described {
  method: string;
  path: string;
}

const DEPTH_MAX = 7;

export function referencePage(document: Description, admin: readonly AdminOperation[]): Html {
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]): Entry => ({ ...one, method: method.toUpperCase(), path })),
  );
  const groups = document.tags.map(({ name }) => ({ name, entries: entries.filter((one) => one.tags[0] === name) }));
  return htmlPage({
    title: "Reference – docdouble",
    style: REFERENCE_STYLE,
    body: html`<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><a class="brand" href="#top" id="top"><span aria-hidden="true">◧</span> docdouble</a>
<a class="tick" href="/openapi.json">openapi.json</a><a class="tick" href="/__admin/">Inspector</a></header>
<div class="frame">
<nav class="nav" aria-label="Groups"><ul>${groups.map(({ name, entries: all }) => html`<li><a href="#${anchorOf(name)}">${name} <span class="count">${all.length}</span></a></li>`)}</ul></nav>
<main id="main" tabindex="-1">
<h1>Reference</h1>
<p>${document.info.description} Called at <code>${document.servers[0]?.url}</code> with <code>Authorization: API-Key docdouble-key</code>, or with the bearer token of <code>accessToken</code>. The <a href="#admin-api">admin API</a> steers the double; the service does not have it.</p>
<p class="keyed"><label for="key">API key to try operations with</label> <input id="key" autocomplete="off" spellcheck="false" value="docdouble-key"></p>
<form class="search" role="search"><label class="sr" for="q">Search operations</label><input type="search" id="q" placeholder="Search by name, path or field; press / to come here" autocomplete="off"><button type="button" id="all" aria-pressed="false">Open all</button></form>
<p id="found" class="soft" role="status"></p>
${groups.map(({ name, entries: all }) => html`<section class="group" aria-labelledby="${anchorOf(name)}"><h2 id="${anchorOf(name)}">${name}</h2>${all.map(operationPart)}</section>`)}
<section class="group" aria-labelledby="admin-api"><h2 id="admin-api">Admin API</h2><p class="soft">These paths control this double: clock, rules, recipients, stories. <a href="/docs/admin-api">The page of the admin API</a> has an example of each.</p>${admin.map(adminPart)}</section>
</main>
</div>
<footer class="foot">docdouble ${document.info.version}, a test double; not affiliated with PandaDoc.</footer>
<script>${REFERENCE_SCRIPT}</script>`,
  });
}

function anchorOf(name: string): string {
  return `group-${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
}

function operationPart(one: Entry): Html {
  const words = [one.operationId, one.summary, one.method, one.path, ...namesOf(one)].join(" ").toLowerCase();
  return html`<details class="op" id="${one.operationId}" data-words="${words}" data-method="${one.method}" data-path="${one.path}">
<summary><span class="method ${one.method.toLowerCase()}">${one.method}</span> <code class="path">${one.path}</code> <span class="id">${one.operationId}</span></summary>
<div class="inside">
<p>${one.summary}.${one.security?.length === 0 ? " Takes no credentials." : null}${one.description ? html` <span class="note">${one.description}</span>` : null}</p>
${statusesPart(one.operationId)}${parametersPart(one)}
${one.requestBody ? html`<h3>Body${one.requestBody.required ? null : " (may be left out)"}</h3>${contentPart(one.requestBody.content, "request")}` : null}
<h3>Answers</h3>
${Object.entries(one.responses).map(([status, answer]) => answerPart(status, answer))}
</div>
</details>`;
}

function adminPart({ id, route, does }: AdminOperation): Html {
  const [method = "", path = ""] = route.split(" ");
  return html`<details class="admin-op" id="${id}" data-words="${`${id} ${route} ${does ?? ""}`.toLowerCase()}" data-method="${method}" data-path="${path}"><summary><span class="method ${method.toLowerCase()}">${method}</span> <code class="path">${path}</code> <span class="id">${id}</span></summary><div class="inside">${does === undefined ? null : html`<p>${does.split("`").map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}</p>`}</div></details>`;
}

const NEEDS: Readonly<Record<string, Permission>> = {
  updateDocument: "edit",
  sendDocument: "send",
  detailsDocument: "details",
  createDocumentLink: "embed",
  downloadDocument: "download",
  downloadProtectedDocument: "download_protected",
  createManualReminder: "remind",
  statusDocumentAutoReminder: "remind",
};

function statusesPart(id: string): Part {
  const permission = NEEDS[id];
  if (permission === undefined) return null;
  return html`<p>Allowed while the document is in ${lifecycle.allowedIn[permission].map((status, i) => html`${i > 0 ? ", " : null}<code>${status}</code>`)}.</p>`;
}

function namesOf(one: Entry): string[] {
  const bodies = Object.values(one.requestBody?.content ?? {}).flatMap(({ schema }) => Object.keys(schema.properties ?? {}));
  return [...new Set([...one.parameters.map((parameter) => parameter.name), ...bodies])];
}

function parametersPart({ parameters }: Entry): Part {
  if (parameters.length === 0) return null;
  return html`<h3>Parameters</h3><ul class="fields">${parameters.map(
    ({ name, in: place, description, required, schema }) =>
      html`<li><code class="name">${name}</code> <span class="type">${place}, ${typeOf(schema)}${required ? null : ", optional"}</span>${descriptionHtml(schema, description)}</li>`,
  )}</ul>`;
}

function answerPart(status: string, { description, content }: Described["responses"][string]): Html {
  const badge = html`<span class="badge ${Number(status) < 300 ? "good" : Number(status) < 500 ? "busy" : "bad"}">${status}</span> ${description}`;
  const schema = Object.values(content ?? {})[0]?.schema;
  if (!content || !schema || schema.$ref) return html`<p class="answer">${badge}</p>`;
  return html`<details class="answer"><summary>${badge}</summary>${contentPart(content, "answer")}</details>`;
}

function contentPart(content: Content, kind: string): Part {
  return Object.entries(content).map(
    ([media, { schema, example }]) =>
      html`<p class="soft">${media}</p>${schemaPart(schema, 0)}${
        example === undefined
          ? null
          : html`<pre tabindex="0" aria-label="Example of the ${kind}">${JSON.stringify(example, null, 2)}</pre>`
      }`,
  );
}

function schemaPart(schema: Schema, depth: number): Part {
  const inner = membersOf(schema);
  if (!inner) return depth === 0 ? html`<p><span class="type">${typeOf(schema)}</span>${descriptionHtml(schema)}</p>` : null;
  if (depth >= DEPTH_MAX) return null;
  const { properties = {}, required = [], additionalProperties } = inner;
  const rows = Object.entries(properties).map(([name, one]) => memberPart(name, one, required.includes(name), depth));
  if (typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0)
    rows.push(memberPart("any name", additionalProperties, true, depth));
  return rows.length > 0 ? html`<ul class="fields">${rows}</ul>` : null;
}

function memberPart(name: string, schema: Schema, isRequired: boolean, depth: number): Html {
  const inner = schemaPart(schema, depth + 1);
  const head = html`<code class="name">${name}</code> <span class="type">${typeOf(schema)}${isRequired ? null : ", optional"}</span>${descriptionHtml(schema)}`;
  return inner === null ? html`<li>${head}</li>` : html`<li><details><summary>${head}</summary>${inner}</details></li>`;
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
  const orNull = schema.nullable ? " or null" : "";
  if (schema.$ref) return schema.$ref.replace("#/components/schemas/", "");
  if (schema.enum) return `one of ${schema.enum.map(String).join(", ")}${orNull}`;
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(" or ") + orNull;
  if (schema.type === "array") return `list of ${schema.items ? typeOf(schema.items) : "anything"}${orNull}`;
  return (schema.format ?? schema.type ?? "anything") + orNull;
}

function descriptionHtml(schema: Schema, description = schema.description): Part {
  const limits = [
    schema.minimum === undefined ? undefined : `at least ${schema.minimum}`,
    schema.maximum === undefined || schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : `at most ${schema.maximum}`,
    schema.maxLength === undefined ? undefined : `at most ${schema.maxLength} characters`,
    schema.maxItems === undefined ? undefined : `at most ${schema.maxItems} of them`,
    schema.default === undefined ? undefined : `by default ${JSON.stringify(schema.default)}`,
  ].filter((one) => one !== undefined);
  const sentence = limits.join(", ").replace(/^./, (first) => first.toUpperCase());
  const parts = [description, sentence === "" ? undefined : `${sentence}.`].filter((one) => one !== undefined);
  return parts.length > 0 ? html` <span class="about">${parts.join(" ")}</span>` : null;
}
