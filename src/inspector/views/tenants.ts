import type { Tenant } from "../../service/service.ts";
import { html, type Html } from "../../engine/http/html.ts";
import { counted } from "./lists.ts";
import { badge, button, link, type Look, time } from "./parts.ts";

export function tenantsSection(look: Look): Html {
  const { host, tenant } = look;
  const all = [...host.tenants()];
  return html`<h1>Tenants <span class="soft">${all.length}</span></h1>
<p class="soft">Each API key <code>test-…</code> opens a separate world. Every page shows the tenant that you choose here, and every button acts on it.</p>
<ul class="rows" data-testid="tenants">${all.map((one) => tenantRow(look, one))}</ul>
<div class="columns">
<section class="card" aria-labelledby="h-new"><h2 id="h-new">Open a tenant</h2><p class="soft">Its first call opens it too. Use one key for each test file, and parallel tests share a server.</p><form class="inline act" data-call="POST /__admin/tenants" data-body="{}" data-label="Open a tenant"><label for="tenant-id">Key</label><input id="tenant-id" name="id" required pattern="test-.+" title="A key that begins with test-" autocomplete="off" spellcheck="false" placeholder="test-checkout" size="18"><button class="main">Open</button></form></section>
<section class="card danger-zone" aria-labelledby="h-reset"><h2 id="h-reset">Reset ${tenant.id}</h2><p class="soft">Back to the seed: documents, clock, journal, rules, deliveries and mails.</p><div class="acts">${button("Reset this tenant", "POST /__admin/reset", {}, "danger")}</div></section>
</div>`;
}

function tenantRow(look: Look, one: Tenant): Html {
  const id = one === look.host.defaultTenant ? undefined : one.id;
  const href = link({ ...look, isDefault: true }, "documents", id === undefined ? {} : { tenant: id });
  const isShown = one === look.tenant;
  const contents = [
    counted(one.store.documents.size, "document"),
    counted(one.journal.size, "call"),
    counted(one.store.emails.size, "mail"),
    counted(one.store.deliveries.size, "webhook"),
  ];
  return html`<li><a class="row" href="${href}"${isShown ? html` aria-current="true"` : null}><span class="what"><strong>${one.id}</strong><span class="soft">${contents.join(" · ")}</span></span>${isShown ? badge("shown") : null}<span class="soft when">${one.clock.mode} ${time(one.clock.now())}</span></a></li>`;
}
