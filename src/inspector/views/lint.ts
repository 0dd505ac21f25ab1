import { lintClient } from "../lint/client-lint.ts";
import { FINDING_KINDS, type FindingKind, type LintFinding } from "../lint/finding.ts";
import { FINDINGS } from "../lint/records.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { type Html, html, type Part } from "../../engine/http/html.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { clockTime, counted, filtered, numberText } from "./lists.ts";
import { button, codeBadge, empty, facts, link, type Look, search } from "./parts.ts";
import { opensBelow, pageOf } from "./rows.ts";

const PROOFS_SHOWN = 5;

export function lintSection(look: Look): Html {
  const wanted = look.q?.toLowerCase() ?? "";
  const found = lintClient(look.tenant).filter((one) => `${one.kind} ${one.message}`.toLowerCase().includes(wanted));
  const { rows: all, bar } = filtered(
    look,
    found,
    (one) => [one.kind.replaceAll("_", " ")],
    FINDING_KINDS.map((kind) => kind.replaceAll("_", " ")),
  );
  const numbered = all.map((finding, i) => ({ id: `lint-${i}`, finding }));
  const { rows, pager } = pageOf(look, sorted(look, COLUMNS, numbered));
  return html`<h1>Client lint <span class="soft">${counted(all.length, "finding")}, ${FINDING_KINDS.length} kinds of mistakes checked</span></h1>
<p class="soft">Mistakes of your client that your tests may not show. <a href="/docs/lint">The guide</a> explains each kind.</p>
${found.length === 0 && !look.q ? null : html`${search(look, "Search findings", "Search kind or message")}${bar}`}
${
  all.length === 0
    ? look.q || look.is
      ? empty("No findings", "No finding matches.")
      : empty("No findings", "Client lint found no mistakes so far. Findings appear here while your client calls.")
    : html`${findingsGrid(look, rows)}${pager}`
}
<section class="card" aria-labelledby="h-probe"><h2 id="h-probe">Does your receiver check signatures?</h2><p class="soft">Sends an event with a wrong signature to each webhook receiver. A receiver that accepts it becomes a finding.</p><div class="acts">${button("Probe webhook signatures", "POST /__admin/contract/signatures")}</div></section>`;
}

interface Row {
  id: string;
  finding: LintFinding;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: "kind",
    title: "Finding",
    kind: "grow whole",
    by: ({ finding }) => finding.kind,
    cell: ({ finding }) => html`<strong>${finding.kind.replaceAll("_", " ")}</strong>`,
  },
  { id: "message", title: "What happened", kind: "grow from-m", cell: ({ finding }) => redactText(finding.message) },
  {
    id: "place",
    title: "First at",
    kind: "grow from-l",
    by: ({ finding }) => placeOf(finding),
    cell: ({ finding }) => placeOf(finding),
  },
  {
    id: "document",
    title: "Document",
    kind: "grow from-xl",
    by: ({ finding }) => finding.place.document,
    cell: ({ finding }) => finding.place.document,
  },
  {
    id: "times",
    title: "Times found",
    kind: "number",
    falls: true,
    by: ({ finding }) => finding.times,
    cell: ({ finding }) => numberText(finding.times),
  },
];

function placeOf({ place }: LintFinding): string {
  return place.operation === undefined ? (place.call ?? "") : `${place.operation}, call ${place.nth}`;
}

function findingsGrid(look: Look, rows: readonly Row[]): Html {
  return grid(look, {
    id: "lint",
    label: "Findings",
    columns: COLUMNS,
    rows,
    below: ({ finding }) => redactText(finding.message),
    line: ({ id, finding }) => ({ ...opensBelow(look, id), detail: () => findingDetail(look, finding) }),
  });
}

/** The section of the guide. The site writes headings with hyphens. */
function docsLink(kind: FindingKind): Html {
  return html`<a href="/docs/lint#${kind.replaceAll("_", "-")}">${kind} in the guide</a>`;
}

function findingDetail(look: Look, { kind, message, fix, place, entries }: LintFinding): Part {
  const call = place.operation === undefined ? place.call : `${place.operation}, call ${place.nth}`;
  const rows: (readonly [string, Part])[] = [
    ["Found", redactText(message)],
    ["Why it matters", FINDINGS[kind].matters],
    ["Fix", fix],
  ];
  if (call !== undefined) rows.push(["First at", firstAt(look, call, entries)]);
  if (place.document !== undefined && place.document_id !== undefined)
    rows.push(["Document", html`<a href="${link(look, "documents", { id: place.document_id })}">${place.document}</a>`]);
  if (place.pointer !== undefined) rows.push(["In the body", html`<code>${place.pointer}</code>`]);
  if (place.receiver !== undefined) rows.push(["Receiver", redactText(place.receiver)]);
  rows.push(["Proof", proofs(look, entries)], ["Meaning", docsLink(kind)]);
  return facts(rows);
}

/** The call of the first proof, while the journal has it. */
function firstAt(look: Look, call: string, [first]: readonly string[]): Part {
  const entry = first === undefined ? undefined : look.tenant.journal.get(first);
  return entry ? html`<a href="${link(look, "journal", { id: entry.id })}">${call}</a> ${clockTime(entry.at)}` : call;
}

function proofs(look: Look, entries: readonly string[]): Part {
  const { journal, store } = look.tenant;
  const links = entries.slice(0, PROOFS_SHOWN).flatMap((id) => {
    const call = journal.get(id);
    if (call)
      return [
        html`<li><a href="${link(look, "journal", { id })}">${call.operationId ?? "call"}</a> ${codeBadge(call.status)} ${clockTime(call.at)}</li>`,
      ];
    const delivery = store.deliveries.get(id);
    return delivery
      ? [
          html`<li><a href="${link(look, "deliveries", { open: id })}">${delivery.event}</a> to ${delivery.subscriber_name} ${clockTime(delivery.created)}</li>`,
        ]
      : [];
  });
  if (links.length === 0) return "no longer in the journal";
  const more = entries.length - PROOFS_SHOWN;
  return html`<ul class="plain">${links}${more > 0 ? html`<li class="soft">and ${numberText(more)} more</li>` : null}</ul>`;
}
