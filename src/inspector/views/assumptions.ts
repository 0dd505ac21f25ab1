import { shownReading } from "../../engine/assumptions/switches.ts";
import type { AssumptionRecord, AssumptionSource } from "../../engine/assumptions/record.ts";
import { type Html, html, type Part } from "../../engine/http/html.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { countOf, filtered } from "./lists.ts";
import { button, empty, facts, here, type Look, search } from "./parts.ts";
import { opensBelow } from "./rows.ts";

const SWITCHES = "switches";
const CHANGED = "changed";
const FIXED = "one reading";

export function assumptionsSection(look: Look): Html {
  const { tenant, q, assumptions } = look;
  const found = assumptions.filter((one) => textOf(one).includes(q?.toLowerCase() ?? ""));
  const kindsOf = (one: AssumptionRecord) => (one.switchable ? [SWITCHES, ...(isChanged(look, one) ? [CHANGED] : [])] : [FIXED]);
  const { rows, bar } = filtered(look, found, kindsOf, [SWITCHES, CHANGED, FIXED]);
  const changed = assumptions.filter((one) => isChanged(look, one)).length;
  const switches = rows.filter((one) => one.switchable);
  const others = rows.filter((one) => !one.switchable);
  return html`<h1>Assumptions <span class="soft">${countOf(found.length, assumptions.length)}, ${changed} changed, profile ${tenant.readings.profile}</span></h1>
<p class="soft">What no public source settles. A switch has several readings. A button sets one for this tenant, until its reset.</p>
${search(look, "Search assumptions", "Search id, statement, reading or operation, such as sendDocument")}${bar}
${rows.length === 0 ? empty("No assumptions", look.is === CHANGED ? "Every switch has the reading of the profile. Open a switch to set another." : "Search for a part of an id or of a statement.") : null}
${switches.length === 0 ? null : html`<h2>Switches <span class="soft">${switches.length}</span></h2>${recordsGrid(look, "switches", switches)}`}
${others.length === 0 ? null : fixedHtml(look, others)}`;
}

/** The ledger writes code between backticks, because the docs are Markdown. */
function withCode(text: string): Part {
  return text.split("`").map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`));
}

function textOf({ id, statement, readings, operations }: AssumptionRecord): string {
  return [id, statement, ...readings, ...operations].join(" ").toLowerCase();
}

function readingOf({ tenant }: Look, { id }: AssumptionRecord): string {
  return String(shownReading(tenant.readings.of(id)));
}

function isChanged({ tenant }: Look, { id }: AssumptionRecord): boolean {
  return tenant.readings.assume[id] !== undefined;
}

/** A long id breaks between its words. */
function idHtml(id: string): Part {
  return id.split(/(?<=[._])/).map((word, i) => (i === 0 ? word : html`<wbr>${word}`));
}

function recordsGrid(look: Look, id: string, records: readonly AssumptionRecord[]): Html {
  const columns: readonly Column<AssumptionRecord>[] = [
    {
      id: "id",
      title: "Assumption",
      kind: "grow two-lines",
      by: (one) => one.id,
      cell: (one) => html`<strong><code>${idHtml(one.id)}</code></strong>`,
    },
    {
      id: "statement",
      title: "Statement",
      kind: "grow two-lines from-m",
      cell: ({ statement }) => withCode(statement),
    },
    {
      id: "operations",
      title: "Operations",
      kind: "grow from-xl",
      by: ({ operations }) => operations.join(),
      cell: ({ operations }) => operations.join(", "),
    },
    {
      id: "reading",
      title: "Reading",
      kind: "fits from-m",
      by: (one) => (one.switchable ? readingOf(look, one) : ""),
      cell: (one) => (one.switchable ? readingsHtml(look, one) : html`<span class="soft">the only one</span>`),
    },
  ];
  return grid(look, {
    id,
    label: id === "switches" ? "Switches" : "Assumptions with one reading",
    columns,
    rows: sorted(look, columns, records),
    below: (one) => html`${one.switchable ? html`${readingsHtml(look, one)} · ` : null}${withCode(one.statement)}`,
    line: (one) => ({
      ...opensBelow(look, one.id),
      detail: () => (one.switchable ? switchDetail(look, one, readingOf(look, one)) : fixedDetail(one)),
    }),
  });
}

/** The chosen reading stands first, because a row may be too short for all. */
function readingsHtml(look: Look, record: AssumptionRecord): Html {
  const current = readingOf(look, record);
  const others = Array.isArray(record.default) ? [] : record.readings.map(String).filter((one) => one !== current);
  const title = [`chosen: ${current}`, ...others.map((one) => `or ${one}`)].join(", ");
  return html`<span class="readings" title="${title}"><span class="badge ${isChanged(look, record) ? "busy" : "good"}">${current}</span>${others.map((one) => html`<span class="soft">${one}</span>`)}</span>`;
}

function switchDetail(look: Look, record: AssumptionRecord, current: string): Part {
  const { profile, assume } = look.tenant.readings.changes;
  // Each change replaces all earlier changes, so the button sends them all.
  const change = (reading: string | number) => ({ ...(profile && { profile }), ...assume, [record.id]: reading });
  const isList = Array.isArray(record.default);
  return html`<p>${withCode(record.statement)}</p>${facts(
    [...new Set([current, ...(isList ? [] : record.readings.map(String))])].map((reading) => [
      html`<strong>${reading}</strong>`,
      html`${reading === current ? html`<span class="badge good">in force</span> ` : null}${reading === String(record.default) ? html`<span class="badge calm">default</span> ` : null}${sourcesOf(record, reading)}${reading === current ? null : html`<span class="acts">${button(`Set ${reading}`, "PUT /__admin/assumptions", change(reading), "", `as the reading of ${record.id}`)}</span>`}`,
    ]),
  )}${isList ? html`<p class="soft">A list. Set it with <code>--assume ${record.id}=…</code>, or in a scenario.</p>` : null}${record.operations.length === 0 ? null : html`<p class="soft">Touches ${record.operations.join(", ")}</p>`}${probeHtml(record)}`;
}

function probeHtml({ id, not_probeable_because }: AssumptionRecord): Html {
  return not_probeable_because === undefined
    ? html`<p class="soft">Check it with <code>docdouble probe --only ${id}</code>.</p>`
    : html`<p class="soft">A probe does not check it: ${withCode(not_probeable_because)}</p>`;
}

function sourcesOf({ sources }: AssumptionRecord, reading: string): Part {
  const found = sources.filter((one) => String(one.for) === reading);
  return found.length === 0
    ? html`<span class="soft">No source names it.</span>`
    : html`<ul class="plain">${found.map(sourceItem)}</ul>`;
}

function sourceItem({ kind, text }: AssumptionSource): Html {
  return html`<li><span class="soft">${kind}:</span> ${withCode(text)}</li>`;
}

/** Most visitors look for a switch, so these records wait for a search or a click. */
function fixedHtml(look: Look, records: readonly AssumptionRecord[]): Html {
  const isWanted = look.is === FIXED || Boolean(look.q);
  return html`<h2>With one reading <span class="soft">${records.length}</span></h2>${isWanted ? recordsGrid(look, "fixed", records) : html`<p><a href="${here(look, { is: FIXED, open: undefined })}">Show all ${records.length}</a></p>`}`;
}

function fixedDetail(record: AssumptionRecord): Html {
  return html`<p>${withCode(record.statement)}</p><ul class="plain">${record.sources.map(sourceItem)}</ul>${record.operations.length === 0 ? null : html`<p class="soft">Touches ${record.operations.join(", ")}</p>`}`;
}
