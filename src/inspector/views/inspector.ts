import { type Html, html } from "../../engine/http/html.ts";
import { assumptionsSection } from "./assumptions.ts";
import { clockSection } from "./clock.ts";
import { deliveriesSection } from "./deliveries.ts";
import { documentsSection } from "./documents.ts";
import { journalSection } from "./journal.ts";
import { lintSection } from "./lint.ts";
import { counted } from "./lists.ts";
import { mailsSection } from "./mails.ts";
import { link, type Look, type View, VIEWS } from "./parts.ts";
import { rulesSection } from "./rules.ts";
import { scenariosSection } from "./scenarios.ts";
import type { Section } from "./section.ts";
import { pageShell } from "./shell.ts";
import { tenantsSection } from "./tenants.ts";

const SECTIONS: Readonly<Record<View, Section>> = {
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

const ELSEWHERE = [
  ["/docs/", "Docs"],
  ["/reference", "Reference"],
  ["/", "Start page"],
] as const;

export async function inspectorPage(look: Look): Promise<{ page: Html; isMissing: boolean }> {
  const { title, content, isMissing = false } = await SECTIONS[look.view].page(look);
  const menu = VIEWS.map((view) => {
    const name = view.replace(/^./, (first) => first.toUpperCase());
    return html`<li><a href="${link(look, view)}" data-view="${view}"${view === look.view && html` aria-current="page"`}>${name} ${counter(look, view)}</a></li>`;
  });
  const nav = html`<nav class="nav" id="nav" aria-label="Sections" data-scroll><ul>${menu}${ELSEWHERE.map(([address, name]) => html`<li><a href="${address}">${name}</a></li>`)}</ul></nav>`;
  return { page: pageShell(look, { title, nav, content }), isMissing };
}

/** Client lint would have to read the journal, so its page alone says what it found. */
function counter(look: Look, view: View): Html | undefined {
  const count = SECTIONS[view].count?.(look);
  if (!count) return undefined;
  const [number, noun, word] = count;
  return html`<span class="soft"><span aria-hidden="true">${number}${word && ` ${word}`}</span><span class="sr">${counted(number, noun)}</span></span>`;
}
