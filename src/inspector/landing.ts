import { type Html, html, type Part, htmlPage } from "../engine/http/html.ts";
import { LANDING_SCRIPT, LANDING_STYLE } from "./assets.ts";

/** Key and calls are undefined when an admin token guards the server. */
export interface Landing {
  url: string;
  apiKey: string | undefined;
  version: string;
  firstCreate: string;
  hasGuides: boolean;
  recent: readonly Recent[] | undefined;
  /** What this server holds now. */
  glance: readonly Fact[] | undefined;
}

export interface Fact {
  text: string;
  /** The address of the page that lists it. */
  href: string;
  isWrong?: boolean;
}

/** Joins calls with the same title and status. The id is that of the newest call. */
export interface Recent {
  id: string;
  title: string;
  status: number | undefined;
  /** Date and time of the double's clock. */
  at: string;
  count: number;
}

interface Group {
  title: string;
  links: readonly (readonly [address: string, title: string, text: string])[];
}

const TOOLS: Group = {
  title: "This server",
  links: [
    ["/__admin/", "Inspector", "documents, clock, journal, deliveries, mails, rules"],
    ["/reference", "Reference", "every operation, to read and to try"],
    ["/openapi.json", "openapi.json", "the description of the API, for tools"],
    ["/health", "Health", "version and features of this server"],
  ],
};

const GUIDES: readonly Group[] = [
  {
    title: "Begin",
    links: [
      ["/docs/", "Documentation", "all pages, with search"],
      ["/docs/start/install", "Install", "add docdouble to your project"],
      ["/docs/start/tutorial", "Tutorial", "create, send, sign, break, verify"],
      ["/docs/tests/runners", "Test runners", "Vitest, Jest and node:test"],
    ],
  },
  {
    title: "Look up",
    links: [
      ["/docs/look-up/library", "Library", "docdouble in your tests"],
      ["/docs/do/scenarios", "Scenarios", "describe a story in a file"],
      ["/docs/do/retries", "Errors and retries", "423, 429 and lost answers"],
      ["/docs/world", "The built-in world", "templates, people and keys of this server"],
    ],
  },
];

const UNBUILT: Group = { title: "Begin", links: [["/docs/", "Documentation", "how to build it in this clone"]] };

export function landingPage(landing: Landing): Html {
  const { url, apiKey, version, firstCreate, hasGuides, recent, glance } = landing;
  return htmlPage({
    title: "docdouble",
    style: LANDING_STYLE,
    script: LANDING_SCRIPT,
    body: html`<header class="bar"><span class="brand"><span aria-hidden="true">◧</span> docdouble</span>
<a class="tick main" href="/__admin/">Inspector</a><a class="tick" href="/reference">Reference</a><a class="tick" href="/docs/">Docs</a></header>
<main class="landing">
<h1>A test double for PandaDoc's public document API</h1>
<p>Point your integration at this server in place of the real service. It keeps documents, sends signed webhooks, plays recipients, and breaks on command. Nothing leaves this machine, and nobody signs anything binding.</p>
${glance && html`<ul class="glance" aria-label="What this server holds">${glance.map(({ text, href, isWrong }) => html`<li${isWrong ? html` class="wrong"` : null}><a href="${href}">${text}</a></li>`)}</ul>`}
<div class="start">
<section class="card" aria-labelledby="h-key"><h2 id="h-key">Your address and key</h2><dl class="values">${valueHtml("Address", url, "address")}${valueHtml("Header", `Authorization: API-Key ${apiKey ?? "YOUR-KEY"}`, "header")}</dl>${apiKey === undefined ? html`<p class="soft">An admin token guards this server, so this page shows no key.</p>` : html`<p class="soft">Any key <code>test-…</code> opens a world of its own.</p>`}</section>
<section class="card" aria-labelledby="h-first"><h2 id="h-first">Create a first document</h2><pre id="first" tabindex="0" role="region" aria-label="A first call">${firstCreate}</pre><div class="acts"><button type="button" class="act main" data-copy="${firstCreate}" data-of="first">Copy the command</button><a href="/reference#createDocument">Try it in the browser</a></div></section>
<section class="card last" aria-labelledby="h-recent"><h2 id="h-recent">What happened last</h2>${recentHtml(recent)}</section>
</div>
${linkColumns(hasGuides)}
</main>
<footer class="foot">docdouble ${version}, not affiliated with PandaDoc.</footer>`,
  });
}

function valueHtml(name: string, value: string, id: string): Html {
  return html`<div><dt>${name}</dt><dd><code id="${id}">${value}</code><button type="button" class="act copy-small" data-copy="${value}" data-of="${id}" aria-label="Copy the ${name.toLowerCase()}">Copy</button></dd></div>`;
}

/** The same for a program, such as curl. */
export function landingText({ url, apiKey = "YOUR-KEY", version }: Pick<Landing, "url" | "apiKey" | "version">): string {
  const lines = [
    ["The API", `${url}/public/v1/`],
    ["Key", `Authorization: API-Key ${apiKey}`],
    ["Try it", `curl -H 'Authorization: API-Key ${apiKey}' ${url}/public/v1/templates`],
    ["For people", `${url}/ in a browser`],
    ["Operations", `${url}/openapi.json`],
    ["Control", `${url}/__admin/, see /docs/admin-api`],
    ["Ready?", `${url}/health`],
  ];
  const rows = lines.map(([name = "", value]) => `${name.padEnd(12)}${value}\n`);
  return `docdouble ${version}, a test double for PandaDoc's public document API.\n\n${rows.join("")}`;
}

/** Links to the pages of the server and to the guides. */
export function linkColumns(hasGuides: boolean): Html {
  return html`<div class="columns links">${[TOOLS, ...(hasGuides ? GUIDES : [UNBUILT])].map(groupHtml)}</div>`;
}

function groupHtml({ title, links }: Group): Html {
  const id = `h-${title.toLowerCase().replaceAll(" ", "-")}`;
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2><ul class="plain">${links.map(([href, name, text]) => html`<li><a href="${href}">${name}</a> <span class="soft">${text}</span></li>`)}</ul></section>`;
}

function recentHtml(recent: Landing["recent"]): Part {
  if (recent === undefined) return html`<p class="soft">Open the inspector with the admin token to see the calls.</p>`;
  if (recent.length === 0) return html`<p class="soft">No call yet. Make the first one with the command on this page.</p>`;
  return html`<ul class="recent">${recent.map(
    ({ id, title, status, at, count }) =>
      html`<li><span class="badge ${status !== undefined && status < 400 ? "good" : "bad"}">${status ?? "none"}</span> <span><a href="/__admin/?view=journal&amp;id=${id}">${title}</a>${count > 1 ? html` <span class="badge calm">×${count}</span>` : null}</span> <span class="soft when">${at}</span></li>`,
  )}</ul><p class="soft"><a href="/__admin/?view=journal">All calls</a></p>`;
}
