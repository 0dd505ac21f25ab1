import { type Html, html, htmlPage } from "../engine/http/html.ts";
import { LANDING_STYLE } from "./assets.ts";
import { linkColumns } from "./landing.ts";

export function unbuiltDocsPage(version: string): Html {
  return htmlPage({
    title: "Documentation · docdouble",
    style: LANDING_STYLE,
    body: html`<header class="bar"><a class="brand" href="/"><span aria-hidden="true">◧</span> docdouble</a></header>
<main class="landing">
<h1>This clone has no built documentation</h1>
<p>Run this command in the folder of the clone. It takes about two minutes. Then reload this page.</p>
<pre tabindex="0" role="region" aria-label="The command that builds the documentation">npm run tools && npm run site</pre>
<p>You can also read the pages as Markdown files: start with <code>docs/index.md</code> in the clone.</p>
${linkColumns(false)}
</main>
<footer class="foot">docdouble ${version}, not affiliated with PandaDoc.</footer>`,
  });
}
