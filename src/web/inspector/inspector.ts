/**
 * The inspector shows the state of a tenant. The server renders each view whole. After an event, the script fetches the page again
 * and replaces the view.
 */
import { type Html, html, scriptJson } from "../html.ts";
import { SCRIPT, STYLE } from "./assets.ts";
import { assumptionsSection } from "./assumptions.ts";
import { documentsSection } from "./documents.ts";
import { journalSection } from "./journal.ts";
import { link, type Look, time, type View, VIEWS } from "./parts.ts";
import { clockSection, deliveriesSection, mailsSection, rulesSection, scenariosSection, tenantsSection } from "./sections.ts";

export { VIEWS };

const SECTIONS: Readonly<Record<View, (look: Look) => Html>> = {
  documents: documentsSection,
  clock: clockSection,
  journal: journalSection,
  deliveries: deliveriesSection,
  mails: mailsSection,
  rules: rulesSection,
  scenarios: scenariosSection,
  assumptions: assumptionsSection,
  tenants: tenantsSection,
};

function counts({ tenant, host }: Look): Readonly<Record<View, number | undefined>> {
  return {
    documents: tenant.store.documents.size,
    clock: tenant.scheduler.waiting,
    journal: tenant.journal.size,
    deliveries: tenant.store.deliveries.size,
    mails: tenant.store.emails.size,
    rules: tenant.rules.list().length + tenant.scenarioRunner.deliveryRules.list().length,
    scenarios: tenant.scenarios.size,
    assumptions: Object.keys(tenant.readings.assume).length,
    tenants: [...host.tenants()].length,
  };
}

export function inspectorPage(look: Look): Html {
  const { view, tenant, host, isDefault } = look;
  const numbers = counts(look);
  // A tenant's key in the header would replace the browser's credentials. The visitor has passed the admin token already.
  const state = {
    tenant: isDefault ? null : tenant.id,
    token: isDefault ? null : (host.adminToken ?? null),
    pageToken: host.pageToken,
  };
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>${view.replace(/^./, (first) => first.toUpperCase())} – docdouble</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<div id="live">
<header class="bar"><a class="brand" href="${link(look, "documents")}"><span aria-hidden="true">◧</span> docdouble</a>
<a class="tenant" href="${link(look, "tenants")}"><span class="soft">tenant</span> ${tenant.id}</a>
<a class="tick" href="${link(look, "clock")}"><span class="soft">${tenant.clock.mode}</span> ${time(tenant.clock.now())}</a></header>
<div class="frame">
<nav class="nav" id="nav" aria-label="Sections" data-scroll><ul>${VIEWS.map((one) => html`<li><a href="${link(look, one)}"${one === view ? html` aria-current="page"` : null}>${one.replace(/^./, (first) => first.toUpperCase())} <span class="count">${numbers[one]}</span></a></li>`)}</ul></nav>
<main id="main" tabindex="-1" data-view="${view}">
<noscript><p class="note">Without JavaScript this page is for reading: it does not refresh itself, and acts are for the admin API.</p></noscript>
${SECTIONS[view](look)}
</main>
</div>
</div>
<section id="said" role="status" aria-label="What was done" hidden></section>
<footer class="foot"><span id="link-state" class="soft"></span> <span class="keys"><kbd>/</kbd> searches · <kbd>j</kbd> <kbd>k</kbd> walk the list · <kbd>Esc</kbd> closes ·</span> docdouble ${host.version}, a test double; not affiliated with PandaDoc.</footer>
<script type="application/json" id="state">${scriptJson(state)}</script>
<script>${SCRIPT}</script>
</body>
</html>`;
}
