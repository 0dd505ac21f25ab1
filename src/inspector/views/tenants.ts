import { html } from "../../engine/http/html.ts";
import type { Tenant } from "../../service/service.ts";
import type { Column } from "./grid.ts";
import { ago, clockTime, countOf } from "./lists.ts";
import { button, link, type Look } from "./parts.ts";
import { byText, type List, listPage, type Section } from "./section.ts";

export const tenantsSection: Section = {
  count: ({ host }) => [[...host.tenants()].length, "tenant"],
  page: (look) => listPage(look, listOf(look)),
};

function listOf(look: Look): List<Tenant> {
  const { host, tenant } = look;
  const all = [...host.tenants()];
  const count = (id: string, title: string, by: (one: Tenant) => number, kind = ""): Column<Tenant> => ({
    ...{ id, title, by, kind: `number ${kind}` },
    cell: by,
  });
  const lastCall = ({ journal }: Tenant) => journal.latest(1)[0]?.at;
  return {
    title: "Tenants",
    size: all.length,
    hint: "a part of a key",
    find: byText(all, ({ id }) => id),
    note: (shown) => `${countOf(shown.length, all.length)}, ${tenant.id} is shown`,
    lead: html`Each API key <code>test-…</code> opens a separate world. A click on a row shows that tenant on every page, and every button then acts on it.`,
    none: ["No tenants", null],
    line: (one) => ({
      href: link({ ...look, isDefault: true }, "documents", one === host.defaultTenant ? {} : { tenant: one.id }),
      isCurrent: one === tenant,
    }),
    columns: [
      {
        id: "id",
        title: "Tenant",
        kind: "grow",
        by: ({ id }) => id,
        cell: (one) => html`<strong>${one.id}</strong>${one === tenant && html` <span class="badge good">shown</span>`}`,
      },
      count("documents", "Documents", ({ store }) => store.documents.size),
      count("calls", "Calls", ({ journal }) => journal.size, "from-m"),
      count("mails", "Mails", ({ store }) => store.emails.size, "from-l"),
      count("webhooks", "Webhooks", ({ store }) => store.deliveries.size, "from-m"),
      {
        id: "clock",
        title: "Clock",
        kind: "time from-m",
        by: ({ clock }) => clock.now(),
        cell: ({ clock }) => html`${clockTime(clock.now())} <span class="badge calm">${clock.mode}</span>`,
      },
      {
        id: "last",
        title: "Last call",
        kind: "number from-l",
        by: lastCall,
        cell(one) {
          const at = lastCall(one);
          return at === undefined ? "none" : ago({ ...look, tenant: one }, at);
        },
      },
    ],
    after: html`<div class="columns">
<section class="card" aria-labelledby="h-new"><h2 id="h-new">Open a tenant</h2><p class="soft">Its first call opens it too. Use one key for each test file, and parallel tests share a server.</p><form class="inline act" data-call="POST /__admin/tenants" data-body="{}" data-label="Open a tenant"><label for="tenant-id">Key</label><input id="tenant-id" name="id" required pattern="test-.+" title="A key that begins with test-" autocomplete="off" spellcheck="false" placeholder="test-checkout" size="18"><button class="main">Open</button></form></section>
<section class="card" aria-labelledby="h-reset"><h2 id="h-reset">Reset ${tenant.id}</h2><p class="soft">Back to the seed: documents, clock, journal, rules, deliveries and mails.</p><div class="acts">${button("Reset this tenant", "POST /__admin/reset", {}, "danger")}</div></section>
</div>`,
  };
}
