import type { Tenant } from "../../service/service.ts";
import { html, type Html } from "../../engine/http/html.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { button, link, type Look, time } from "./parts.ts";

export function tenantsSection(look: Look): Html {
  const { host, tenant } = look;
  const all = [...host.tenants()];
  return html`<h1>Tenants <span class="soft">${all.length} in all, ${tenant.id} is shown</span></h1>
<p class="soft">Each API key <code>test-…</code> opens a separate world. Every page shows the tenant that you choose here, and every button acts on it.</p>
${tenantsGrid(look, all)}
<div class="columns">
<section class="card" aria-labelledby="h-new"><h2 id="h-new">Open a tenant</h2><p class="soft">Its first call opens it too. Use one key for each test file, and parallel tests share a server.</p><form class="inline act" data-call="POST /__admin/tenants" data-body="{}" data-label="Open a tenant"><label for="tenant-id">Key</label><input id="tenant-id" name="id" required pattern="test-.+" title="A key that begins with test-" autocomplete="off" spellcheck="false" placeholder="test-checkout" size="18"><button class="main">Open</button></form></section>
<section class="card danger-zone" aria-labelledby="h-reset"><h2 id="h-reset">Reset ${tenant.id}</h2><p class="soft">Back to the seed: documents, clock, journal, rules, deliveries and mails.</p><div class="acts">${button("Reset this tenant", "POST /__admin/reset", {}, "danger")}</div></section>
</div>`;
}

function columnsOf(): readonly Column<Tenant>[] {
  const count = (id: string, title: string, by: (one: Tenant) => number, kind = "from-m"): Column<Tenant> => ({
    ...{ id, title, by, falls: true, kind: `w-number number ${kind}` },
    cell: (one) => String(by(one)),
  });
  return [
    { id: "id", title: "Tenant", kind: "grow", by: ({ id }) => id, cell: ({ id }) => html`<strong>${id}</strong>` },
    count("documents", "Documents", ({ store }) => store.documents.size, "wide"),
    count("calls", "Calls", ({ journal }) => journal.size, ""),
    count("mails", "Mails", ({ store }) => store.emails.size),
    count("webhooks", "Webhooks", ({ store }) => store.deliveries.size),
    {
      id: "clock",
      title: "Clock",
      kind: "w-time from-m",
      falls: true,
      by: ({ clock }) => clock.now(),
      cell: ({ clock }) => html`${time(clock.now())}`,
    },
    {
      id: "mode",
      title: "Mode",
      kind: "w-code",
      by: ({ clock }) => clock.mode,
      cell: ({ clock }) => html`<span class="badge ${clock.mode === "real" ? "calm" : "busy"}">${clock.mode}</span>`,
    },
  ];
}

function tenantsGrid(look: Look, all: readonly Tenant[]): Html {
  const columns = columnsOf();
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
