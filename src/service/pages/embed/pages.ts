import { type Html, html, htmlPage } from "../../../engine/http/html.ts";
import { EMBED_SCRIPT, EMBED_STYLE } from "../assets.ts";

const embedPage = (title: string, body: Html): Html =>
  htmlPage({ title, style: EMBED_STYLE, module: EMBED_SCRIPT, state: "waiting", body });

export const SIGNING_PAGE = embedPage(
  "Signing",
  html`<main><section class="card" data-testid="no-session">
<p class="kind">docdouble</p>
<h1>No session is open</h1>
<p>The library <code>pandadoc-signing</code> opens this page in an iframe, then names the session to show.</p>
</section></main>`,
);

export const EDITOR_PAGE = embedPage(
  "Editor stand-in",
  html`<main><section class="card" data-testid="editor" aria-live="polite">
<p class="kind">Stand-in for the editor</p>
<h1 id="title" data-testid="title">No document is open</h1>
<dl id="facts" data-testid="facts"></dl>
<p>docdouble has no editor. This page checks the E-Token and sends the editor's events. Change documents and templates through the API.</p>
</section></main>`,
);
