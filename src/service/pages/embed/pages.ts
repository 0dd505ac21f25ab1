import { EDITOR_SHELL, SIGNING_SHELL } from "./script.ts";
import { type Html, html, raw, htmlPage } from "../../../engine/http/html.ts";

export interface EmbedPage {
  content: Html;
  style: Html;
  script: Html;
}

const STYLE = raw(`
:root{color-scheme:light dark;--bg:#eef1f5;--paper:#fff;--ink:#17202b;--soft:#525d6d;--line:#d3dae3}
@media (prefers-color-scheme:dark){:root{--bg:#0f1319;--paper:#171d26;--ink:#e9edf3;--soft:#a9b3c2;--line:#2e3846}}
*{box-sizing:border-box}html,body{height:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:break-word}
iframe{display:block;width:100%;height:100%;border:0}
main{max-width:34rem;margin:0 auto;padding:8vh 1.25rem 2rem}
.card{background:var(--paper);border:1px solid var(--line);border-radius:1rem;padding:clamp(1.25rem,5vw,2.25rem);display:grid;gap:.9rem}
h1{margin:0;font-size:1.35rem;line-height:1.3}p{margin:0;color:var(--soft)}
.kind{font-size:.8rem;font-weight:600;letter-spacing:.04em;text-transform:uppercase}
dl{margin:0;display:grid;grid-template-columns:auto 1fr;gap:.3rem 1.2rem}dl:empty{display:none}dt{color:var(--soft)}dd{margin:0}
[hidden]{display:none}
`);

function embedPage(title: string, script: Html, body: Html): EmbedPage {
  const content = htmlPage({
    title: title,
    style: STYLE,
    state: "waiting",
    body: html`${body}
<script>${script}</script>`,
  });
  return { content, style: STYLE, script };
}

export const SIGNING_PAGE = embedPage(
  "Signing",
  SIGNING_SHELL,
  html`<main><section class="card" data-testid="no-session">
<p class="kind">docdouble</p>
<h1>No session is open</h1>
<p>The library <code>pandadoc-signing</code> opens this page in an iframe, then names the session to show.</p>
</section></main>`,
);

export const EDITOR_PAGE = embedPage(
  "Editor stand-in",
  EDITOR_SHELL,
  html`<main><section class="card" data-testid="editor" aria-live="polite">
<p class="kind">Stand-in for the editor</p>
<h1 id="title" data-testid="title">No document is open</h1>
<dl id="facts" data-testid="facts"></dl>
<p>docdouble has no editor. This page checks the E-Token and sends the editor's events. Change documents and templates through the API.</p>
</section></main>`,
);
