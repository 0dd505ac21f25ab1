/** The frame of an inspector page. After an event, its script replaces the live part. */
import { lazy } from "../../engine/core/operation.ts";
import { PAGE_TOKEN_HEADER } from "../../engine/http/admin-guard.ts";
import { hashSource, html, type Html, type Part, htmlPage } from "../../engine/http/html.ts";
import { SCRIPT, STYLE } from "../assets.ts";
import { link, type Look, time } from "./parts.ts";

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["/"], "search this list"],
  [["j", "k"], "next and previous row"],
  [["Enter"], "open the row"],
  [["[", "]"], "previous and next page"],
  [["g", "d"], "documents"],
  [["g", "c"], "clock"],
  [["g", "j"], "journal"],
  [["g", "w"], "webhook deliveries"],
  [["g", "m"], "mails"],
  [["g", "r"], "rules"],
  [["g", "s"], "scenarios"],
  [["n"], "skip to the next job of the clock"],
  [["Esc"], "close"],
  [["?"], "this help"],
];

/** Only the inspector's script runs, it calls only this server, and no page can embed it. */
export const pageHeaders = lazy(() => ({
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "content-security-policy": `default-src 'none'; style-src ${hashSource(STYLE)}; script-src ${hashSource(SCRIPT)}; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
}));

export interface Shell {
  title: string;
  nav: Html;
  content: Part;
}

/** A page never shows another tenant in silence. */
function unknownHtml(look: Look): Html | undefined {
  const { unknown, tenant } = look;
  if (unknown === undefined) return undefined;
  const isKey = unknown.startsWith("test-");
  return html`<p class="error" role="alert" data-testid="unknown-tenant">There is no tenant <strong>${unknown}</strong>. This page shows the tenant <strong>${tenant.id}</strong>.${isKey && html` A call with the key ${unknown} opens a new tenant.`} <a href="${link(look, "tenants")}">All tenants</a></p>`;
}

export function pageShell(look: Look, { title, nav, content }: Shell): Html {
  const { view, tenant, host, isDefault } = look;
  // A tenant's key in the header would replace the browser's credentials. The visitor has already passed the check of the admin token.
  const data = {
    tenant: isDefault ? null : tenant.id,
    token: isDefault ? null : (host.adminToken ?? null),
    pageToken: host.pageToken,
    tokenHeader: PAGE_TOKEN_HEADER,
  };
  return htmlPage({
    title: `${title} – docdouble`,
    style: STYLE,
    data,
    script: SCRIPT,
    body: html`<a class="skip" href="#main">Skip to the content</a>
<div id="live">
<header class="bar"><a class="brand" href="${link(look, "documents")}"><span aria-hidden="true">◧</span> docdouble</a>
<a class="tenant tick" href="${link(look, "tenants")}"><span class="soft">tenant</span> ${tenant.id}</a>
<a class="tick" href="${link(look, "clock")}"><span class="soft">${tenant.clock.mode}</span> ${time(tenant.clock.now())}</a></header>
<div class="frame">
${nav}
<main id="main" tabindex="-1" data-view="${view}">
<noscript><p class="note">Without JavaScript you can read this page. It does not refresh, and its buttons do nothing: use the admin API.</p></noscript>
${unknownHtml(look)}${content}
</main>
</div>
</div>
<section id="result" role="status" aria-label="Result of your last action" hidden></section>
<dialog id="preview" aria-label="Preview"><form method="dialog"><strong id="preview-title"></strong><button>Close</button></form><div id="preview-frame"></div></dialog>
<dialog id="help" aria-labelledby="help-title"><form method="dialog"><strong id="help-title">Keys</strong><button>Close</button></form><dl class="facts">${KEYS.map(([keys, what]) => html`<dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd>`)}</dl></dialog>
<footer class="foot"><span id="link-state" class="soft"></span> <span class="keys"><kbd>/</kbd> search · <kbd>j</kbd> <kbd>k</kbd> next and previous row · <kbd>?</kbd> all keys ·</span> docdouble ${host.version}, a test double; not affiliated with PandaDoc.</footer>`,
  });
}
