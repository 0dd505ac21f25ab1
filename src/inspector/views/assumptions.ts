import { type AssumptionRecord, type AssumptionSource, SOURCE_KINDS } from "../../engine/assumptions/record.ts";
import { shownReading } from "../../engine/assumptions/switches.ts";
import { type Html, html, type Part } from "../../engine/http/html.ts";
import { service } from "../../service/service.ts";
import { opensBelow } from "./grid.ts";
import { countOf } from "./lists.ts";
import { button, facts, type Look } from "./parts.ts";
import { byText, type List, listPage, type Section } from "./section.ts";

export const assumptionsSection: Section = {
  count: ({ tenant }) => [Object.keys(tenant.readings.assume).length, "changed reading", "changed"],
  page: async (look) => listPage(look, listOf(look, await service.ledger())),
};

function listOf(look: Look, records: readonly AssumptionRecord[]): List<AssumptionRecord> {
  const { readings } = look.tenant;
  // Most visitors look for a switch.
  const rows = [...records].sort((a, b) => Number(b.switchable) - Number(a.switchable));
  const isChanged = ({ id }: AssumptionRecord) => readings.assume[id] !== undefined;
  return {
    title: "Assumptions",
    size: rows.length,
    hint: "id, statement, reading or operation, such as sendDocument",
    find: byText(rows, (one) => [one.id, one.statement, ...one.readings, ...one.operations].join(" ")),
    kindsOf: (one) => (one.switchable ? ["switches", ...(isChanged(one) ? ["changed"] : [])] : ["one reading"]),
    kinds: ["switches", "changed", "one reading"],
    note: (shown) =>
      `${countOf(shown.length, rows.length)}, ${rows.filter(isChanged).length} changed, profile ${readings.profile}`,
    lead: "What no public source settles. A switch has several readings. A button sets one for this tenant, until its reset.",
    none: ["No assumptions", null],
    line: (one) => ({ ...opensBelow(look, one.id), detail: () => detailHtml(look, one) }),
    below: ({ statement }) => withCode(statement),
    columns: [
      {
        id: "id",
        title: "Assumption",
        kind: "grow whole",
        by: ({ id }) => id,
        cell: ({ id }) => html`<strong><code>${id}</code></strong>`,
      },
      { id: "statement", title: "Statement", kind: "grow from-m", cell: ({ statement }) => withCode(statement) },
      { id: "certainty", title: "Certainty", kind: "from-l", by: certaintyOf, cell: certaintyOf },
      {
        id: "reading",
        title: "Reading",
        by: (one) => (one.switchable ? currentOf(look, one) : ""),
        cell: (one) =>
          one.switchable && html`<span class="badge ${isChanged(one) ? "busy" : "good"}">${currentOf(look, one)}</span>`,
      },
    ],
  };
}

/** The best source of the reading that docdouble follows. */
function certaintyOf({ sources, default: by }: AssumptionRecord): string {
  return SOURCE_KINDS.find((kind) => sources.some((one) => one.kind === kind && String(one.for) === String(by))) ?? "guess";
}

/** The ledger writes code between backticks, because the docs are Markdown. */
function withCode(text: string): Part {
  return text.split("`").map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`));
}

function currentOf({ tenant }: Look, { id }: AssumptionRecord): string {
  return String(shownReading(tenant.readings.of(id)));
}

function detailHtml(look: Look, record: AssumptionRecord): Html {
  const { id, statement, operations, sources, switchable } = record;
  return html`<p>${withCode(statement)}</p>${switchable ? readingsHtml(look, record) : sourcesHtml(sources)}${operations.length > 0 && html`<p class="soft">Touches ${operations.join(", ")}</p>`}${switchable && html`<p class="soft">${record.not_probeable_because === undefined ? html`Check it with <code>docdouble probe --only ${id}</code>.` : html`A probe does not check it: ${withCode(record.not_probeable_because)}`}</p>`}`;
}

function readingsHtml(look: Look, record: AssumptionRecord): Html {
  const { profile, assume } = look.tenant.readings.changes;
  const current = currentOf(look, record);
  if (Array.isArray(record.default))
    return html`<p>Now ${current}. Set the list with <code>--assume ${record.id}=…</code>, or in a scenario.</p>`;
  return facts(
    record.readings.map((reading) => {
      // Each change replaces all earlier changes, so the button sends them all.
      const change = { ...(profile && { profile }), ...assume, [record.id]: reading };
      const isDefault = reading === record.default && html` <span class="badge calm">default</span>`;
      const found = sources(record, reading);
      return [
        String(reading) === current
          ? html`<strong>${reading}</strong> <span class="badge good">in force</span>`
          : button(`Set ${reading}`, "PUT /__admin/assumptions", change, "", `as the reading of ${record.id}`),
        html`${isDefault}${found.length > 0 ? sourcesHtml(found) : html` <span class="soft">No source names it.</span>`}`,
      ];
    }),
  );
}

function sources({ sources: all }: AssumptionRecord, reading: string | number): AssumptionSource[] {
  return all.filter((one) => String(one.for) === String(reading));
}

function sourcesHtml(all: readonly AssumptionSource[]): Html {
  return html`<ul class="plain">${all.map(({ kind, text }) => html`<li><span class="soft">${kind}:</span> ${withCode(text)}</li>`)}</ul>`;
}
