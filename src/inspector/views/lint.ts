import { lintClient } from "../lint/client-lint.ts";
import { FINDING_KINDS, type FindingKind, type LintFinding } from "../lint/finding.ts";
import { FINDINGS } from "../lint/records.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { type Html, html, type Part } from "../../engine/http/html.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { counted, filtered } from "./lists.ts";
import { button, empty, facts, link, type Look, search } from "./parts.ts";
import { opensBelow, pageOf } from "./rows.ts";

const PROOFS_SHOWN = 5;

export function lintSection(look: Look): Html {
  const wanted = look.q?.toLowerCase() ?? "";
  const found = lintClient(look.tenant).filter((one) => `${one.kind} ${one.message}`.toLowerCase().includes(wanted));
  const { rows: all, bar } = filtered(look, found, (one) => [one.kind.replaceAll("_", " ")]);
  const numbered = all.map((finding, i) => ({ id: `lint-${i}`, finding }));
  const { rows, pager } = pageOf(look, sorted(look, COLUMNS, numbered));
  return html`<h1>Client lint <span class="soft">${counted(all.length, "finding")}, ${FINDING_KINDS.length} kinds of mistakes checked</span></h1>
<p class="soft">Mistakes of your client that the service accepts, so no answer shows them.</p>
${search(look, "Search findings", "Search kind or message")}${bar}
${
  all.length === 0
    ? look.q || look.is
      ? empty("No findings", "No finding matches.")
      : empty("No findings", "Client lint found no mistakes so far. Findings appear here while your client calls.")
    : html`${findingsGrid(look, rows)}${pager}`
}
<section class="card" aria-labelledby="h-probe"><h2 id="h-probe">Does your receiver check signatures?</h2><p class="soft">Sends an event with a wrong signature to each webhook receiver. A receiver that accepts it becomes a finding.</p><div class="acts">${button("Probe webhook signatures", "POST /__admin/contract/signatures")}</div></section>
<h2>What is checked <span class="soft">${FINDING_KINDS.length} kinds</span></h2>
${checksGrid(look, found)}`;
}

interface Row {
  id: string;
  finding: LintFinding;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: "kind",
    title: "Finding",
    kind: "w-people",
    by: ({ finding }) => finding.kind,
    cell: ({ finding }) => html`<strong>${finding.kind.replaceAll("_", " ")}</strong>`,
  },
  { id: "message", title: "What happened", kind: "grow", cell: ({ finding }) => redactText(finding.message) },
  {
    id: "place",
    title: "First at",
    kind: "w-people from-l",
    by: ({ finding }) => placeOf(finding),
    cell: ({ finding }) => placeOf(finding),
  },
  {
    id: "document",
    title: "Document",
    kind: "w-people from-xl",
    by: ({ finding }) => finding.place.document ?? "",
    cell: ({ finding }) => finding.place.document,
  },
  {
    id: "times",
    title: "Times",
    kind: "w-number number",
    falls: true,
    by: ({ finding }) => finding.times,
    cell: ({ finding }) => String(finding.times),
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
    line: ({ id, finding }) => ({ ...opensBelow(look, id), detail: () => findingDetail(look, finding) }),
  });
}

/** Every kind of mistake, so that an empty list says what it means. */
function checksGrid(look: Look, found: readonly LintFinding[]): Html {
  const times = (kind: FindingKind) => found.filter((one) => one.kind === kind).length;
  const columns: readonly Column<FindingKind>[] = [
    { id: "check", title: "Mistake", kind: "grow", cell: (kind) => FINDINGS[kind].title },
    { id: "name", title: "Kind", kind: "w-assumption from-m", cell: (kind) => html`<code>${kind}</code>` },
    {
      id: "found",
      title: "Found",
      kind: "w-number number",
      cell: (kind) =>
        times(kind) === 0 ? html`<span class="soft">0</span>` : html`<span class="badge busy">${times(kind)}</span>`,
    },
  ];
  return grid(look, {
    id: "checks",
    label: "What client lint checks",
    columns,
    rows: FINDING_KINDS,
    line: (kind) => ({
      ...opensBelow(look, `check-${kind}`),
      detail: () =>
        facts([
          ["Meaning", FINDINGS[kind].meaning],
          ["Why it matters", FINDINGS[kind].matters],
          ["Fix", FINDINGS[kind].fix],
        ]),
    }),
  });
}

function findingDetail(look: Look, { message, fix, docs, place, entries }: LintFinding): Part {
  const call = place.operation === undefined ? place.call : `${place.operation}, call ${place.nth}`;
  const rows: (readonly [string, Part])[] = [
    ["Found", redactText(message)],
    ["Fix", fix],
  ];
  if (call !== undefined) rows.push(["First at", call]);
  if (place.document !== undefined && place.document_id !== undefined)
    rows.push(["Document", html`<a href="${link(look, "documents", { id: place.document_id })}">${place.document}</a>`]);
  if (place.pointer !== undefined) rows.push(["In the body", html`<code>${place.pointer}</code>`]);
  if (place.receiver !== undefined) rows.push(["Receiver", redactText(place.receiver)]);
  rows.push(["Proof", proofs(look, entries)], ["Meaning", html`<code>${docs}</code>`]);
  return facts(rows);
}

function proofs(look: Look, entries: readonly string[]): Part {
  const { journal, store } = look.tenant;
  const links = entries.slice(0, PROOFS_SHOWN).flatMap((id) => {
    if (journal.get(id)) return [html`<a href="${link(look, "journal", { id })}">${journal.get(id)?.operationId ?? "call"}</a> `];
    return store.deliveries.get(id) ? [html`<a href="${link(look, "deliveries", { open: id })}">delivery</a> `] : [];
  });
  if (links.length === 0) return "no longer in the journal";
  return html`${links}${entries.length > PROOFS_SHOWN ? html`<span class="soft">and ${entries.length - PROOFS_SHOWN} more</span>` : null}`;
}
