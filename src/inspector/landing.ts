/** The page at `/`, what `/` says to a program, and pages that only say something. */
import { type Html, html, htmlPage, type Part } from "../engine/http/html.ts";
import { LANDING_SCRIPT, LANDING_STYLE } from "./assets.ts";

/** Key and calls are undefined when an admin token guards the server. */
export interface Landing {
  url: string;
  apiKey: string | undefined;
  version: string;
  firstCreate: string;
  recent: readonly Recent[] | undefined;
}

/** Joins calls with the same title and status. The id is that of the newest call. */
export interface Recent {
  id: string;
  title: string;
  status: number | undefined;
  ago: Html;
  count: number;
}

const KEYLESS = html`<p class="soft">An admin token guards this server, so this page shows no key.</p>`;

/** A page with the frame of the page at `/`. */
function framed(title: string, version: string, content: Part, script = LANDING_SCRIPT): Html {
  return htmlPage({
    title,
    style: LANDING_STYLE,
    script,
    body: html`<header class="bar"><a class="brand" href="/"><span aria-hidden="true">◧</span> docdouble</a>
<a class="tick" href="/__admin/">Inspector</a><a class="tick" href="/reference">Reference</a><a class="tick" href="/docs/">Docs</a></header>
<main class="landing">
${content}
</main>
<footer class="foot"><a href="/openapi.json">openapi.json</a> · <a href="/health">health</a> · docdouble ${version}, not affiliated with PandaDoc.</footer>`,
  });
}

export function landingPage({ url, apiKey, version, firstCreate, recent }: Landing): Html {
  const body = html`<h1>A test double for PandaDoc's public document API</h1>
<p>Point your integration at this server in place of the real service. It keeps documents, sends signed webhooks, plays recipients, and breaks on command. Nothing leaves this machine, and nobody signs anything binding.</p>
<div class="columns">
<div>
<section class="card" aria-labelledby="h-key"><h2 id="h-key">1. Your address and key</h2><dl class="facts small">${value("Address", url, "address")}${value("Header", `Authorization: API-Key ${apiKey ?? "YOUR-KEY"}`, "header")}</dl>${apiKey === undefined ? KEYLESS : html`<p class="soft">Any key <code>test-…</code> opens a world of its own.</p>`}</section>
<section class="card" aria-labelledby="h-first"><h2 id="h-first">2. Create a first document</h2><pre id="first" tabindex="0" role="region" aria-label="A first call">${firstCreate}</pre><div class="acts"><button type="button" class="act main" data-copy="${firstCreate}" data-of="first">Copy the command</button><a class="button" href="/reference#createDocument">Try it in the browser</a></div></section>
<section class="card" aria-labelledby="h-look"><h2 id="h-look">3. Look at it</h2><p>The inspector shows documents, calls, webhooks and mails. It signs for recipients, moves the clock and breaks answers.</p><a class="button main" href="/__admin/">Open the inspector</a></section>
</div>
<section class="card" aria-labelledby="h-recent"><h2 id="h-recent">What happened last</h2>${recentHtml(recent)}</section>
</div>`;
  return framed("docdouble", version, body);
}

function value(name: string, text: string, id: string): Html {
  return html`<dt>${name}</dt><dd><code id="${id}">${text}</code> <button type="button" class="act" data-copy="${text}" data-of="${id}" aria-label="Copy the ${name.toLowerCase()}">Copy</button></dd>`;
}

function recentHtml(recent: Landing["recent"]): Part {
  if (recent === undefined) return html`<p class="soft">Open the inspector with the admin token to see the calls.</p>`;
  if (recent.length === 0) return html`<p class="soft">No call yet. Make the first one with the command on this page.</p>`;
  return html`<ul class="plain">${recent.map(
    ({ id, title, status, ago, count }) =>
      html`<li><span class="badge ${status !== undefined && status < 400 ? "good" : "bad"}">${status ?? "none"}</span> <a href="/__admin/?view=journal&amp;id=${id}">${title}</a>${count > 1 && html` <span class="badge calm">×${count}</span>`} <span class="soft">${ago}</span></li>`,
  )}</ul><p class="soft"><a href="/__admin/?view=journal">All calls</a></p>`;
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
  const rows = lines.map(([name = "", text]) => `${name.padEnd(12)}${text}\n`);
  return `docdouble ${version}, a test double for PandaDoc's public document API.\n\n${rows.join("")}`;
}

const TITLES: Readonly<Record<number, string>> = {
  400: "This address has a wrong part",
  401: "This page needs the admin token",
  403: "This page is not allowed here",
  404: "There is no such page",
};

/** What a person sees in a browser at an address without a page. Programs get the same reason as JSON. */
export function refusalPage({ status, why, version }: { status: number; why: string; version: string }): Html {
  const title = TITLES[status] ?? "There is no page here";
  const sentence = why.replace(/^./, (first) => first.toUpperCase());
  return framed(`${title} · docdouble`, version, html`<h1>${title}</h1><p>${sentence}.</p>`);
}

export function unbuiltDocsPage(version: string): Html {
  const text = html`<h1>This clone has no built documentation</h1>
<p>Run this command in the folder of the clone. It takes about two minutes. Then reload this page.</p>
<pre tabindex="0" role="region" aria-label="The command that builds the documentation">npm run tools && npm run site</pre>
<p>You can also read the pages as Markdown files: start with <code>docs/index.md</code> in the clone.</p>`;
  return framed("Documentation · docdouble", version, text);
}
