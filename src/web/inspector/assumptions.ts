/** The inspector's list of assumptions, with the readings of the tenant. */
import { shownReading } from "../../assumptions/parse.ts";
import type { AssumptionRecord } from "../../assumptions/record.ts";
import type { SwitchId } from "../../assumptions/switches.ts";
import type { Tenant } from "../../admin/tenants/tenant.ts";
import { type Html, html } from "../html.ts";
import { button, empty, facts, type Look, opens, search } from "./parts.ts";

export function assumptionsSection(look: Look): Html {
  const { tenant, q, assumptions } = look;
  const found = assumptions.filter((one) => matches(one, q));
  const switches = found.filter((one) => one.switchable);
  const others = found.filter((one) => !one.switchable);
  return html`<h1>Assumptions <span class="soft">${assumptions.length}</span></h1>
<p class="soft">What no public source settles. A switch has several readings; the button sets one for this tenant until its reset. Profile: ${tenant.readings.profile}.</p>
${search(look, "Search assumptions", "id or statement")}
${found.length === 0 ? empty("No assumption matches", "Search for a part of an id or of a statement.") : null}
<div class="columns" data-testid="switches">${switches.map((one) => switchCard(tenant, one))}</div>
${others.length === 0 ? null : opens("h-fixed", `${others.length} with one reading`, html`<dl class="facts" data-testid="fixed">${others.map((one) => html`<div><dt><code>${one.id}</code></dt><dd>${one.statement}</dd></div>`)}</dl>`, q !== undefined)}`;
}

function matches({ id, statement }: AssumptionRecord, q = ""): boolean {
  return `${id} ${statement}`.toLowerCase().includes(q.toLowerCase());
}

function switchCard(tenant: Tenant, record: AssumptionRecord): Html {
  const { id, statement, readings, sources } = record;
  const current = String(shownReading(tenant.readings.of(id as SwitchId)));
  const { profile, assume } = tenant.readings.changes;
  // A change replaces the earlier ones, so the button sends all of them.
  const change = (reading: string | number) => ({ ...(profile && { profile }), ...assume, [id]: reading });
  const choices = readings.filter((one) => String(one) !== current && id !== "webhook.retry_schedule");
  return html`<section class="card"><h2><code>${id}</code></h2><p>${statement}</p>${facts([
    ["Reading", current],
    ["Default", String(record.default)],
    ["Sources", sources.map((one) => `${one.kind} for ${one.for}: ${one.text}`).join(" ")],
  ])}<div class="acts">${choices.map((one) => button(`Set ${one}`, "PUT /__admin/assumptions", change(one), "", `as the reading of ${id}`))}</div></section>`;
}
