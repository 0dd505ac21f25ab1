/** The reference: an index of all operations with a filter, and each operation with a trial beside it. */
import { type Html, html, htmlPage, type Part } from "../../engine/http/html.ts";
import { REFERENCE_SCRIPT, REFERENCE_STYLE } from "../assets.ts";
import { type Described, type Entry, methodHtml, operationPart, pathHtml } from "./operation-part.ts";

export interface Description {
  info: { version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Described>>;
}

/** A page of the admin API. It has no description in OpenAPI. */
export interface AdminPage {
  id: string;
  route: string;
  does: string | undefined;
}

export interface Reference {
  described: Description;
  /** The admin API, with an example of each body. */
  admin: Pick<Description, "paths">;
  pages: readonly AdminPage[];
  /** Undefined when an admin token guards the server. */
  apiKey: string | undefined;
}

interface Group {
  name: string;
  anchor: string;
  entries: readonly Pick<Entry, "operationId" | "method" | "path">[];
  parts: Part;
}

export function referencePage({ described, admin, pages, apiKey }: Reference): Html {
  const entries = entriesOf(described);
  const groups = described.tags.map(({ name }): Group => {
    const own = entries.filter((one) => one.tags[0] === name);
    return {
      name,
      anchor: anchorOf(name),
      entries: own,
      parts: own.map((one) => operationPart(one)),
    };
  });
  const steering = entriesOf(admin);
  const shown: readonly Group[] = [
    ...groups,
    {
      name: "Admin API",
      anchor: "admin-api",
      entries: [...pages.map(toEntry), ...steering],
      parts: html`<p class="soft">These paths control this double: clock, rules, recipients, stories. A page may not change the double, so copy those calls. <a href="/docs/admin-api">The page of the admin API</a> explains them.</p>${pages.map(pagePart)}${steering.map((one) => operationPart(one, "admin-op"))}`,
    },
  ];
  return htmlPage({
    title: "Reference – docdouble",
    style: REFERENCE_STYLE,
    script: REFERENCE_SCRIPT,
    body: html`<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><a class="brand" href="/" id="top"><span aria-hidden="true">◧</span> docdouble</a>
<a class="tick" href="/docs/">Guides</a><a class="tick" href="/__admin/">Inspector</a><a class="tick" href="/openapi.json">openapi.json</a></header>
<div class="frame">
<nav class="nav" aria-label="Operations"><div class="index">
<form class="filter" role="search"><label class="sr" for="q">Filter operations</label><input type="search" id="q" placeholder="Name, path or field" autocomplete="off"><kbd>/</kbd></form>
<p id="found" class="soft" role="status"></p>
<div class="links">${shown.map(indexPart)}</div></div></nav>
<main id="main" tabindex="-1">
<h1>Reference</h1>
<div class="intro"><div>${introHtml(described.info.description)}<p>The <a href="#admin-api">admin API</a> steers the double; the service does not have it.</p></div>
<dl class="facts"><div><dt>Address</dt><dd><code>${described.servers[0]?.url}</code></dd></div><div><dt>Header</dt><dd><code>Authorization: API-Key ${apiKey ?? "YOUR-KEY"}</code></dd></div><div class="keyed"><dt><label for="key">Key for trials</label></dt><dd><input id="key" autocomplete="off" spellcheck="false" value="${apiKey ?? ""}"></dd></div></dl></div>
<p class="acts keyed"><button type="button" id="all" aria-pressed="false">Open all</button></p>
<p id="errors" class="note">Each refusal has a header <code>x-docdouble-why</code>, which says in a sentence what would pass.</p>
${shown.map(({ name, anchor, parts }) => html`<section class="group" aria-labelledby="${anchor}"><h2 id="${anchor}">${name}</h2>${parts}</section>`)}
</main>
</div>
<footer class="foot">docdouble ${described.info.version}, a test double; not affiliated with PandaDoc.</footer>`,
  });
}

/** The first two sentences. The others are about versions. */
function introHtml(description: string): Html {
  const sentences = description.split(/(?<=\.) (?=[A-Z])/);
  return html`<p>${sentences.slice(0, 2).join(" ")}</p><details class="more"><summary>Versions of the API</summary><p>${sentences.slice(2).join(" ")}</p></details>`;
}

function entriesOf({ paths }: Pick<Description, "paths">): Entry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]): Entry => ({ ...one, method: method.toUpperCase(), path })),
  );
}

function toEntry({ id, route }: AdminPage): Pick<Entry, "operationId" | "method" | "path"> {
  const [method = "", path = ""] = route.split(" ");
  return { operationId: id, method, path };
}

function anchorOf(name: string): string {
  return `group-${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
}

/** Names break before a capital letter. */
const brokenName = (name: string) => name.split(/(?=[A-Z])/).map((part) => html`${part}<wbr>`);

/** A group of the index. It opens when one of its operations is shown or found. */
function indexPart({ name, anchor, entries }: Group): Html {
  return html`<details data-group="${anchor}"><summary>${name} <span class="count">${entries.length}</span></summary><ul>${entries.map(
    ({ operationId, method }) =>
      html`<li><a href="#${operationId}" data-of="${operationId}"><span>${brokenName(operationId)}</span> <small class="${method.toLowerCase()}">${method}</small></a></li>`,
  )}</ul></details>`;
}

function pagePart(page: AdminPage): Html {
  const { operationId, method, path } = toEntry(page);
  return html`<details class="admin-op" id="${operationId}" data-words="${`${operationId} ${page.route} ${page.does ?? ""}`.toLowerCase()}" data-method="${method}" data-path="${path}" data-media="">
<summary>${methodHtml(method)} <code class="path">${pathHtml(path)}</code> <span class="id">${operationId}</span></summary>
<div class="both"><div class="tell"><p class="lead">${(page.does ?? "").split("`").map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}</p></div><div class="side"><p><a href="${path}">Open this page</a></p></div></div></details>`;
}
