/** The page at `/`, with links to the docs and the inspector. */
import { type Html, html } from "./html.ts";
import { STYLE } from "./inspector/assets.ts";

export function landingPage({ url, apiKey, version }: { url: string; apiKey: string; version: string }): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>docdouble</title>
<style>${STYLE}</style>
</head>
<body>
<header class="bar"><span class="brand"><span aria-hidden="true">◧</span> docdouble</span></header>
<main>
<h1>A test double for PandaDoc's public document API</h1>
<ul class="rows">
<li><a class="row" href="/__admin/"><span class="what"><strong>Inspector</strong><span class="soft">documents, clock, journal, deliveries, mails, rules</span></span></a></li>
<li><a class="row" href="/docs"><span class="what"><strong>Reference</strong><span class="soft">every operation, with examples</span></span></a></li>
<li><a class="row" href="/openapi.json"><span class="what"><strong>openapi.json</strong><span class="soft">the same for tools</span></span></a></li>
<li><a class="row" href="/health"><span class="what"><strong>health</strong><span class="soft">what it is and can do</span></span></a></li>
</ul>
<h2>A first call</h2>
<pre tabindex="0" aria-label="A first call">curl -H 'Authorization: API-Key ${apiKey}' ${url}/public/v1/templates</pre>
</main>
<footer class="foot">docdouble ${version}, not affiliated with PandaDoc.</footer>
</body>
</html>`;
}
