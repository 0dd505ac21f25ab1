import { lintClient } from "../lint/client-lint.ts";
import { toWebhookRules } from "../../engine/verbs/rules.ts";
import { type Html, html } from "../../engine/http/html.ts";
import { assumptionsSection } from "./assumptions.ts";
import { documentsSection } from "./documents.ts";
import { journalSection } from "./journal.ts";
import { lintSection } from "./lint.ts";
import { link, type Look, type View, VIEWS } from "./parts.ts";
import { pageShell } from "./shell.ts";
import { clockSection } from "./clock.ts";
import { deliveriesSection } from "./deliveries.ts";
import { mailsSection } from "./mails.ts";
import { searchSection } from "./search.ts";
import { rulesSection, scenariosSection } from "./stories.ts";
import { tenantsSection } from "./tenants.ts";

export { VIEWS };

const SECTIONS: Readonly<Record<View, (look: Look) => Html>> = {
  documents: documentsSection,
  clock: clockSection,
  journal: journalSection,
  deliveries: deliveriesSection,
  mails: mailsSection,
  rules: rulesSection,
  scenarios: scenariosSection,
  lint: lintSection,
  assumptions: assumptionsSection,
  tenants: tenantsSection,
  search: searchSection,
};

function counts({ tenant, host }: Look): Readonly<Record<View, number | undefined>> {
  return {
    documents: tenant.store.documents.size,
    clock: tenant.scheduler.waiting,
    journal: tenant.journal.size,
    deliveries: tenant.store.deliveries.size,
    mails: tenant.store.emails.size,
    rules: tenant.rules.list().length + toWebhookRules(tenant).length,
    scenarios: tenant.scenarios.size,
    lint: lintClient(tenant).length,
    assumptions: Object.keys(tenant.readings.assume).length,
    tenants: [...host.tenants()].length,
    search: undefined,
  };
}

export function inspectorPage(look: Look): Html {
  const { view, tenant, isDefault } = look;
  const numbers = counts(look);
  return pageShell(look, {
    title: shownName(view),
    nav: html`<nav class="nav" id="nav" aria-label="Sections" data-scroll><ul>${VIEWS.filter((one) => one !== "search").map((one) => html`<li><a href="${link(look, one)}" data-view="${one}"${one === view ? html` aria-current="page"` : null}>${shownName(one)} <span class="count">${numbers[one]}</span></a></li>`)}</ul></nav>`,
    bar: html`<form class="find" role="search" action="/__admin/" aria-label="Everything"><input type="hidden" name="view" value="search">${isDefault ? null : html`<input type="hidden" name="tenant" value="${tenant.id}">`}<input type="search" id="find" name="q" autocomplete="off" spellcheck="false" aria-label="Search everything" placeholder="Search all"></form>`,
    content: SECTIONS[view](look),
  });
}

function shownName(view: View): string {
  return view.replace(/^./, (first) => first.toUpperCase());
}
