/** One operation of the reference: what it takes and answers on the left, a trial on the right. The script adds the form of the trial. */
import { type Html, html, type Part } from "../../engine/http/html.ts";
import { type Permission, lifecycle } from "../../service/service.ts";
import { type Parameter, parameterList, type Schema, schemaPart } from "./schema-part.ts";

export type Content = Record<string, { schema: Schema; examples?: { recorded: { value: unknown } } }>;

export interface Described {
  operationId: string;
  summary: string;
  tags: string[];
  description?: string;
  security?: unknown[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface Entry extends Described {
  method: string;
  path: string;
}

/** `kind` is the class of its element. */
export function operationPart(one: Entry, kind: "op" | "admin-op" = "op"): Html {
  const words = [one.operationId, one.summary, one.method, one.path, ...namesOf(one)].join(" ").toLowerCase();
  const [media, body] = Object.entries(one.requestBody?.content ?? {})[0] ?? [];
  const answers = Object.entries(one.responses);
  return html`<details class="${kind}" id="${one.operationId}" data-words="${words}" data-method="${one.method}" data-path="${one.path}" data-media="${media ?? ""}">
<summary>${methodHtml(one.method)} <code class="path">${pathHtml(one.path)}</code> <span class="id">${one.operationId}</span></summary>
<div class="both"><div class="tell">
<p class="lead">${sentence(one.summary)}${kind === "op" && one.security?.length === 0 ? " Takes no credentials." : null}</p>
${
  one.description
    ? html`<p class="note">${one.description
        .replace(/^docdouble: /, "")
        .replace(/^./, (first) => first.toUpperCase())
        .replace(/\.+$/, ".")}</p>`
    : null
}
${statusesPart(one.operationId)}${parametersPart(one)}
${body ? html`<h3>Body <span class="type">${media}${one.requestBody?.required ? null : ", optional"}</span></h3>${schemaPart(body.schema, true, 0, namesIn(body))}` : null}
<h3>Answers</h3>
<ul class="answers">${answers.map(([status, answer]) => html`<li>${answerPart(status, answer)}</li>`)}</ul>
</div>
<div class="side">${queryData(one)}${body ? requestPart(body) : null}${answerExample(answers)}</div></div>
</details>`;
}

const recordedIn = ({ examples }: Content[string]): unknown => examples?.recorded.value;

function namesIn(content: Content[string]): string[] {
  const value = recordedIn(content);
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

/** In Markdown. Only backticks have an effect. */
function sentence(text: string): Html {
  const parts = text.replace(/\.?$/, ".").split("`");
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

export const methodHtml = (method: string) => html`<span class="method ${method.toLowerCase()}">${method}</span>`;

/** Paths break after a slash. Parameters stand out. */
export function pathHtml(path: string): Html[] {
  return path.split(/(?<=\/)|(?=\?)/).map((part) => (part.startsWith("{") ? html`<em>${part}</em><wbr>` : html`${part}<wbr>`));
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
  const inPath = parameters.filter((one) => one.in === "path");
  const inQuery = parameters.filter((one) => one.in === "query");
  return [
    inPath.length > 0 && html`<h3>Path</h3>${parameterList(inPath)}`,
    inQuery.length > 0 &&
      html`<h3>Query</h3><p class="soft">A value outside the limits gets <a href="#errors">400</a>.</p>${parameterList(inQuery)}`,
  ];
}

function answerPart(status: string, { description, content }: Described["responses"][string]): Html {
  const code = Number(status);
  const badge = html`<span class="badge ${code < 300 ? "good" : code < 500 ? "busy" : "bad"}">${status}</span> ${description}`;
  const [media, one] = Object.entries(content ?? {})[0] ?? [];
  const schema = one?.schema;
  const refusal = one && recordedIn(one);
  if (code >= 300 && refusal !== undefined)
    return html`<details class="answer"><summary>${badge}</summary>${codeBlock(refusal, `Example of the answer ${status}`)}</details>`;
  if (!schema || schema.$ref) return html`<p class="answer">${badge}</p>`;
  return html`<details class="answer"><summary>${badge}</summary><p class="soft">${media}</p>${schemaPart(schema, false)}</details>`;
}

/** The form offers these parameters. The values of an enum become choices. */
function queryData({ parameters }: Entry): Part {
  const shown = parameters
    .filter((one) => one.in === "query")
    .map(({ name, required, schema }) => ({ name, required, type: schema.type, values: schema.enum ?? schema.items?.enum }));
  return shown.length > 0 ? html`<div hidden data-query="${JSON.stringify(shown)}"></div>` : null;
}

function requestPart(content: Content[string]): Part {
  const { schema } = content;
  const example = recordedIn(content);
  const files = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => (one.contentMediaType ? [name] : []));
  if (example === undefined) return html`<div hidden data-files="${files.join(" ")}"></div>`;
  return html`<div class="given"><h3>Example of the request</h3>${codeBlock(example, "Example of the request")}</div>`;
}

function answerExample(answers: [string, Described["responses"][string]][]): Part {
  for (const [status, { content }] of answers) {
    const [first] = Object.values(content ?? {});
    const example = first && recordedIn(first);
    if (Number(status) < 300 && example !== undefined)
      return html`<div class="given answered"><h3>Example of the answer <span class="badge good">${status}</span></h3>${codeBlock(example, "Example of the answer")}</div>`;
  }
  return null;
}

function codeBlock(value: unknown, label: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}">${typeof value === "string" ? value : JSON.stringify(value, null, 2)}</pre>`;
}
