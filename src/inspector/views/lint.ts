import { html, type Html, type Part } from "../../engine/http/html.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { lintClient } from "../lint/client-lint.ts";
import { FINDING_KINDS, type LintFinding } from "../lint/finding.ts";
import { FINDINGS } from "../lint/records.ts";
import { opensBelow } from "./grid.ts";
import { clockTime, counted, numberText } from "./lists.ts";
import { button, codeBadge, facts, link, type Look } from "./parts.ts";
import { byText, type List, listPage, type Section } from "./section.ts";

const PROOFS_SHOWN = 5;

/** A finding as a row. Findings have no ids, so the row makes one. */
interface Row extends LintFinding {
  id: string;
}

export const lintSection: Section = {
  page: (look) =>
    listPage(
      look,
      listOf(
        look,
        lintClient(look.tenant).map((one, i) => ({ ...one, id: `lint-${i}` })),
      ),
    ),
};

const kindWords = (kind: string) => kind.replaceAll("_", " ");

function listOf(look: Look, rows: readonly Row[]): List<Row> {
  return {
    title: "Client lint",
    size: rows.length,
    hint: "kind or message",
    find: byText(rows, ({ kind, message }) => `${kind} ${message}`),
    kindsOf: ({ kind }) => [kindWords(kind)],
    kinds: FINDING_KINDS.map(kindWords),
    note: (shown) => `${counted(shown.length, "finding")}, ${FINDING_KINDS.length} kinds of mistakes checked`,
    lead: html`Mistakes of your client that your tests may not show. <a href="/docs/lint">The guide</a> explains each kind.`,
    none: ["No findings", "Client lint found no mistakes so far. Findings appear here while your client calls."],
    line: (row) => ({ ...opensBelow(look, row.id), detail: () => detailHtml(look, row) }),
    below: ({ message }) => redactText(message),
    columns: [
      {
        id: "kind",
        title: "Finding",
        kind: "grow whole",
        by: ({ kind }) => kind,
        cell: ({ kind }) => html`<strong>${kindWords(kind)}</strong>`,
      },
      { id: "message", title: "What happened", kind: "grow from-m", cell: ({ message }) => redactText(message) },
      { id: "place", title: "First at", kind: "grow from-l", by: firstAt, cell: (row) => firstAtHtml(look, row) },
      {
        id: "document",
        title: "Document",
        kind: "grow from-l",
        by: ({ place }) => place.document,
        cell: (row) => documentHtml(look, row),
      },
      { id: "times", title: "Times", kind: "number", by: ({ times }) => times, cell: ({ times }) => numberText(times) },
    ],
    after: html`<section class="card" aria-labelledby="h-probe"><h2 id="h-probe">Does your receiver check signatures?</h2><p class="soft">Sends an event with a wrong signature to each webhook receiver. A receiver that accepts it becomes a finding.</p><div class="acts">${button("Probe webhook signatures", "POST /__admin/contract/signatures")}</div></section>`,
  };
}

function firstAt({ place }: Row): string {
  return place.operation === undefined ? (place.call ?? "") : `${place.operation}, call ${place.nth}`;
}

/** The call of the first proof, while the journal has it. */
function firstAtHtml(look: Look, row: Row): Part {
  const entry = look.tenant.journal.get(row.entries[0] ?? "");
  return entry ? html`<a href="${link(look, "journal", { id: entry.id })}">${firstAt(row)}</a>` : firstAt(row);
}

function documentHtml(look: Look, { place: { document, document_id: id = "" } }: Row): Part {
  return document && html`<a href="${link(look, "documents", { id })}">${document}</a>`;
}

function detailHtml(look: Look, row: Row): Html {
  const { kind, message, fix, place } = row;
  return facts([
    ["Found", redactText(message)],
    ["Why it matters", FINDINGS[kind].matters],
    ["Fix", fix],
    ["First at", firstAtHtml(look, row)],
    ["Document", documentHtml(look, row)],
    ["In the body", place.pointer && html`<code>${place.pointer}</code>`],
    ["Receiver", place.receiver && redactText(place.receiver)],
    ["Proof", proofs(look, row.entries)],
    // The site writes headings with hyphens.
    ["Meaning", html`<a href="/docs/lint#${kind.replaceAll("_", "-")}">${kind} in the guide</a>`],
  ]);
}

function proofs(look: Look, entries: readonly string[]): Part {
  const { journal, store } = look.tenant;
  const links = entries.slice(0, PROOFS_SHOWN).map((id) => {
    const call = journal.get(id);
    if (call)
      return html`<li><a href="${link(look, "journal", { id })}">${call.operationId ?? "call"}</a> ${codeBadge(call.status)} ${clockTime(call.at)}</li>`;
    const delivery = store.deliveries.get(id);
    return (
      delivery &&
      html`<li><a href="${link(look, "deliveries", { open: id })}">${delivery.event}</a> to ${delivery.subscriber_name} ${clockTime(delivery.created)}</li>`
    );
  });
  const more = entries.length - PROOFS_SHOWN;
  return html`<ul class="plain">${links}${more > 0 && html`<li class="soft">and ${numberText(more)} more</li>`}</ul>`;
}
