import { toWebhookRules } from "../../engine/verbs/rules.ts";
import { type Html, html } from "../../engine/http/html.ts";
import { counted } from "./lists.ts";
import { assumptionsSection } from "./assumptions.ts";
import { documentsSection } from "./documents.ts";
import { headingOf } from "./heading.ts";
import { journalSection } from "./journal.ts";
import { lintSection } from "./lint.ts";
import { link, type Look, type View, VIEWS } from "./parts.ts";
import { pageShell } from "./shell.ts";
import { clockSection } from "./clock.ts";
import { deliveriesSection } from "./deliveries.ts";
import { mailsSection } from "./mails.ts";
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
};

/** A number of the menu with what it counts. `word` stands beside a number that does not count the rows of its page. */
interface Counter {
  count: number;
  noun: string;
  plural?: string;
  word?: string;
}

/** Counts what is there. Client lint would have to read the journal, so its page alone says what it found. */
function countersOf({ tenant, host }: Look): Readonly<Record<Exclude<View, "lint">, Counter>> {
  return {
    documents: { count: tenant.store.documents.size, noun: "document" },
    clock: { count: tenant.scheduler.waiting, noun: "due job", word: "due" },
    journal: { count: tenant.journal.size, noun: "call" },
    deliveries: { count: tenant.store.deliveries.size, noun: "webhook" },
    mails: { count: tenant.store.emails.size, noun: "mail" },
    rules: { count: tenant.rules.list().length + toWebhookRules(tenant).length, noun: "rule" },
    scenarios: { count: tenant.scenarios.size, noun: "loaded scenario", word: "loaded" },
    assumptions: {
      count: Object.keys(tenant.readings.assume).length,
      noun: "changed switch",
      plural: "changed switches",
      word: "changed",
    },
    tenants: { count: [...host.tenants()].length, noun: "tenant" },
  };
}

function counterHtml(counter: Counter | undefined): Html | null {
  if (!counter) return null;
  const { count, noun, plural, word } = counter;
  const said = counted(count, noun, plural);
  return html`<span class="count" title="${said}"><span aria-hidden="true">${count}${word ? ` ${word}` : null}</span><span class="sr">${said}</span></span>`;
}

const ELSEWHERE = [
  ["/docs/", "Docs"],
  ["/reference", "Reference"],
  ["/", "Start page"],
] as const;

export function inspectorPage(look: Look): Html {
  const { view } = look;
  const counters: Readonly<Partial<Record<View, Counter>>> = countersOf(look);
  return pageShell(look, {
    title: headingOf(look).title,
    nav: html`<nav class="nav" id="nav" aria-label="Sections" data-scroll><ul>${VIEWS.map((one) => html`<li><a href="${link(look, one)}" data-view="${one}"${one === view ? html` aria-current="page"` : null}>${shownName(one)} ${counterHtml(counters[one])}</a></li>`)}${ELSEWHERE.map(([address, name], i) => html`<li${i === 0 ? html` class="elsewhere"` : null}><a href="${address}">${name}</a></li>`)}</ul></nav>`,
    content: SECTIONS[view](look),
  });
}

function shownName(view: View): string {
  return view.replace(/^./, (first) => first.toUpperCase());
}
