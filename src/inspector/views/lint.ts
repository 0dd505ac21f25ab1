import { lintClient } from "../lint/client-lint.ts";
import type { LintFinding } from "../lint/finding.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { type Html, html, type Part } from "../../engine/http/html.ts";
import { counted, filtered } from "./lists.ts";
import { button, empty, facts, link, type Look, search } from "./parts.ts";
import { openRow, pageOf } from "./rows.ts";

const PROOFS_SHOWN = 5;

export function lintSection(look: Look): Html {
  const wanted = look.q?.toLowerCase() ?? "";
  const found = lintClient(look.tenant).filter((one) => `${one.kind} ${one.message}`.toLowerCase().includes(wanted));
  const { rows: all, bar } = filtered(look, found, (one) => [one.kind.replaceAll("_", " ")]);
  const { rows, pager } = pageOf(
    look,
    all.map((finding, i) => ({ id: `lint-${i}`, finding })),
  );
  return html`<h1>Client lint <span class="soft">${all.length}</span></h1>
<p class="soft">Mistakes of your client that the service accepts, so no answer shows them.</p>
${search(look, "Search findings", "Search kind or message")}${bar}
${
  all.length === 0
    ? look.q || look.is
      ? empty("No findings", "No finding matches.")
      : empty("No findings", "Client lint found no mistakes so far. Findings appear here while your client calls.")
    : html`<ul class="rows" data-testid="lint">${rows.map(({ id, finding }) => findingRow(look, id, finding))}</ul>${pager}`
}
<section class="card" aria-labelledby="h-probe"><h2 id="h-probe">Does your receiver check signatures?</h2><p class="soft">Sends an event with a wrong signature to each webhook receiver. A receiver that accepts it becomes a finding.</p><div class="acts">${button("Probe webhook signatures", "POST /__admin/contract/signatures")}</div></section>`;
}

function findingRow(look: Look, id: string, finding: LintFinding): Html {
  const { kind, message, fix, times } = finding;
  return openRow(
    look,
    id,
    html`<span class="what"><strong>${kind.replaceAll("_", " ")}</strong><span>${redactText(message)}</span><span class="soft">${fix}</span></span><span class="badge busy">${counted(times, "time")}</span>`,
    () => findingDetail(look, finding),
  );
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
