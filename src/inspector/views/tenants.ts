import type { Tenant } from "../../service/service.ts";
import { html, type Html } from "../../engine/http/html.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { ago, countOf } from "./lists.ts";
import { button, empty, link, type Look, search, time } from "./parts.ts";

export function tenantsSection(look: Look): Html {
  const { host, tenant } = look;
  const every = [...host.tenants()];
  const wanted = look.q?.toLowerCase() ?? "";
  const all = every.filter(({ id }) => id.toLowerCase().includes(wanted));
  const isLong = every.length > LONG || wanted !== "";
  return html`<h1>Tenants <span class="soft">${countOf(all.length, every.length)}, ${tenant.id} is shown</span></h1>
<p class="soft">Each API key <code>test-…</code> opens a separate world. A click on a row shows that tenant on every page, and every button then acts on it.</p>
${isLong ? search(look, "Search tenants", "Search a part of a key") : null}${all.length === 0 ? empty("No tenants", "No key has these letters.") : tenantsGrid(look, all)}
<div class="columns">
<section class="card" aria-labelledby="h-new"><h2 id="h-new">Open a tenant</h2><p class="soft">Its first call opens it too. Use one key for each test file, and parallel tests share a server.</p><form class="inline act" data-call="POST /__admin/tenants" data-body="{}" data-label="Open a tenant"><label for="tenant-id">Key</label><input id="tenant-id" name="id" required pattern="test-.+" title="A key that begins with test-" autocomplete="off" spellcheck="false" placeholder="test-checkout" size="18"><button class="main">Open</button></form></section>
<section class="card danger-zone" aria-labelledby="h-reset"><h2 id="h-reset">Reset ${tenant.id}</h2><p class="soft">Back to the seed: documents, clock, journal, rules, deliveries and mails.</p><div class="acts">${button("Reset this tenant", "POST /__admin/reset", {}, "danger")}</div></section>
</div>`;
}

const LONG = 10;

function lastCall({ journal }: Tenant): number | undefined {
  return journal.latest(1)[0]?.at;
}

function columnsOf(look: Look): readonly Column<Tenant>[] {
  const count = (id: string, title: string, by: (one: Tenant) => number, kind: string): Column<Tenant> => ({
    ...{ id, title, by, falls: true, kind: `number ${kind}` },
    cell: (one) => String(by(one)),
  });
  return [
    {
      id: "id",
      title: "Tenant",
      kind: "grow",
      by: ({ id }) => id,
      cell: ({ id }) => html`<strong>${id}</strong>`,
      badges: (one) => (one === look.tenant ? html`<span class="badge good">shown</span>` : null),
    },
    count("documents", "Documents", ({ store }) => store.documents.size, ""),
    count("calls", "Calls", ({ journal }) => journal.size, "from-m"),
    count("mails", "Mails", ({ store }) => store.emails.size, "from-l"),
    count("webhooks", "Webhooks", ({ store }) => store.deliveries.size, "from-m"),
    {
      id: "clock",
      title: "Clock",
      kind: "from-m",
      falls: true,
      by: ({ clock }) => clock.now(),
      cell: ({ clock }) => html`${time(clock.now())}`,
    },
    {
      id: "mode",
      title: "Mode",
      kind: "from-l",
      by: ({ clock }) => clock.mode,
      cell: ({ clock }) => html`<span class="badge ${clock.mode === "real" ? "calm" : "busy"}">${clock.mode}</span>`,
    },
    {
      id: "last",
      title: "Last call",
      kind: "number from-l",
      falls: true,
      by: (one) => lastCall(one) ?? 0,
      cell: (one) => {
        const at = lastCall(one);
        return at === undefined ? html`<span class="soft">none</span>` : ago({ ...look, tenant: one }, at);
      },
    },
  ];
}

function tenantsGrid(look: Look, all: readonly Tenant[]): Html {
  const columns = columnsOf(look);
  return grid(look, {
    id: "tenants",
    label: "Tenants",
    columns,
    rows: sorted(look, columns, all),
    line: (one) => ({
      href: link({ ...look, isDefault: true }, "documents", one === look.host.defaultTenant ? {} : { tenant: one.id }),
      isCurrent: one === look.tenant,
    }),
  });
}
