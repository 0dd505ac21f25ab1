import { type Html, html, htmlPage } from "../engine/http/html.ts";
import { LANDING_STYLE } from "./assets.ts";

const TITLES: Readonly<Record<number, string>> = {
  400: "This address has a wrong part",
  401: "This page needs the admin token",
  403: "This page is not allowed here",
  404: "There is no such page",
};

/** What a person sees in a browser at an address without a page. Programs get the same reason as JSON. */
export function refusalPage({ status, why, version }: { status: number; why: string; version: string }): Html {
  const title = TITLES[status] ?? "There is no page here";
  return htmlPage({
    title: `${title} · docdouble`,
    style: LANDING_STYLE,
    body: html`<header class="bar"><a class="brand" href="/"><span aria-hidden="true">◧</span> docdouble</a>
<a class="tick" href="/__admin/">Inspector</a><a class="tick" href="/reference">Reference</a><a class="tick" href="/docs/">Docs</a></header>
<main class="landing">
<h1>${title}</h1>
<p>${why.replace(/^./, (first) => first.toUpperCase())}.</p>
</main>
<footer class="foot">docdouble ${version}, not affiliated with PandaDoc.</footer>`,
  });
}
