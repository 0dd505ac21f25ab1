/** The inspector's other sections: clock, deliveries, mails, rules, scenarios, tenants. */
import { toJob } from "../../admin/acts/document-state.ts";
import { findMails } from "../../domain/mails/mails.ts";
import type { DeliveryRow } from "../../engine/rows.ts";
import { redactText } from "../../engine/redact.ts";
import { explain, isExhausted } from "../../engine/rules.ts";
import { type Html, html } from "../html.ts";
import { ago, copy, counted, filtered, timeAndAgo } from "./lists.ts";
import {
  badge,
  bodyText,
  button,
  codeBadge,
  empty,
  facts,
  link,
  type Look,
  more,
  opens,
  pre,
  ROWS_MAX,
  search,
  time,
} from "./parts.ts";

const ADVANCE = "POST /__admin/clock/advance";

export function clockSection(look: Look): Html {
  const { tenant } = look;
  const jobs = tenant.scheduler.pending();
  const next = tenant.clock.next();
  const step = (label: string, body: object, kind: "" | "main" = "") => button(label, ADVANCE, body, kind);
  return html`<h1>Clock</h1>
<section class="card" aria-labelledby="h-now"><h2 id="h-now" class="now">${time(tenant.clock.now())} <span class="badge ${tenant.clock.mode === "frozen" ? "busy" : "calm"}">${tenant.clock.mode}</span></h2>
${facts([
  ["Mode", tenant.clock.mode === "frozen" ? "frozen: goes on when it is advanced" : `real, speed ${tenant.clock.speed}`],
  ["Next due", next === undefined ? "nothing" : timeAndAgo(look, next)],
  ["Pending", String(jobs.length)],
])}
<div class="acts">${step("Advance to next", { until: "next" }, "main")}${step("Until idle", { until: "idle" })}${step("+ 1 h", { by: "1h" })}${step("+ 1 d", { by: "1d" })}${step("+ 60 d", { by: "60d" })}${tenant.clock.mode === "frozen" ? button("Let it run", "PUT /__admin/clock", { mode: "real" }) : button("Freeze", "PUT /__admin/clock", { mode: "frozen" })}</div></section>
<section class="card" aria-labelledby="h-jobs"><h2 id="h-jobs">Pending <span class="soft">${jobs.length}</span></h2>
${
  jobs.length === 0
    ? html`<p class="soft">Nothing waits.</p>`
    : html`<ul class="plain" data-testid="jobs">${jobs
        .slice(0, ROWS_MAX)
        .map(toJob)
        .map(
          (job) =>
            html`<li class="due"><span>${job.kind.replaceAll("_", " ")}</span> <span class="soft">${ago(look, job.due)}</span> ${aboutHtml(look, job.payload)} ${button("Advance to it", ADVANCE, { to: job.due }, "", `(${job.kind.replaceAll("_", " ")})`)}</li>`,
        )}</ul>`
}</section>`;
}

function aboutHtml(look: Look, payload: object): Html {
  const { document: id, delivery: of } = payload as { document?: unknown; delivery?: unknown };
  const delivery = typeof of === "string" ? look.tenant.store.deliveries.get(of) : undefined;
  const document = look.tenant.store.documents.get(delivery?.subject ?? String(id));
  const name = document ? html`<a href="${link(look, "documents", { id: document.id })}">${document.name}</a>` : null;
  if (delivery)
    return html`<span class="soft">${delivery.event} to ${delivery.subscriber_name}${name ? html`, ${name}` : null}</span>`;
  return name ?? html`<code class="soft">${JSON.stringify(payload)}</code>`;
}

export function deliveriesSection(look: Look): Html {
  const wanted = look.q?.toLowerCase() ?? "";
  const nameOf = (row: DeliveryRow) => look.tenant.store.documents.get(row.subject)?.name;
  const found = look.tenant.store.deliveries
    .all()
    .filter((row) =>
      [row.event, row.status, row.subscriber_name, redactText(row.url), nameOf(row)].join(" ").toLowerCase().includes(wanted),
    )
    .sort((a, b) => b.created - a.created);
  const { rows, bar } = filtered(look, found, (row) => [row.state]);
  return html`<h1>Webhook deliveries <span class="soft">${rows.length}</span></h1>
${search(look, "Search deliveries", "Search event, document, status or subscriber")}${bar}
${
  rows.length === 0
    ? empty(
        "No deliveries",
        look.q || look.is
          ? "None is like that."
          : "Subscribe with POST /public/v1/webhook-subscriptions; each event to each subscriber appears here.",
      )
    : html`<ul class="rows" data-testid="deliveries">${rows.slice(0, ROWS_MAX).map((row) => deliveryRow(look, row))}</ul>${more(ROWS_MAX, rows.length)}`
}`;
}

function deliveryRow(look: Look, row: DeliveryRow): Html {
  const document = look.tenant.store.documents.get(row.subject);
  return html`<li>${opens(
    `delivery-${row.id}`,
    html`<span class="what"><strong>${row.event}</strong><span class="soft">${[document?.name, row.status?.replace("document.", "")].filter(Boolean).join(" · ")}</span><span class="soft">to ${row.subscriber_name}, ${redactText(row.url)}</span></span><span class="soft when">${counted(row.attempts.length, "attempt")}</span>${badge(row.state)}<span class="soft when">${ago(look, row.created)}</span>`,
    html`<ol class="plain attempts">${row.attempts.map(
      (one) =>
        html`<li>${codeBadge(one.status)} ${timeAndAgo(look, one.at)} <span class="soft">${one.duration_ms} ms · signature ${one.signed}${one.reason ? ` · ${one.reason}` : ""}</span></li>`,
    )}</ol>${row.attempts.length > 0 ? null : html`<p class="soft">Not tried yet.</p>`}
${document ? html`<p><a href="${link(look, "documents", { id: document.id })}">Inspect the document</a></p>` : null}${pre(bodyText(row.body), "Body")}<div class="acts">${button("Send again", `POST /__admin/webhooks/deliveries/${encodeURIComponent(row.id)}/redeliver`, {}, "main", `${row.event} to ${row.subscriber_name}`)}${copy(redactText(row.body), "the body", "Copy the body")}</div>`,
  )}</li>`;
}

export function mailsSection(look: Look): Html {
  const found = findMails(look.tenant.world, look.q ? { q: look.q } : {}).reverse();
  const { rows: mails, bar } = filtered(look, found, (mail) => [mail.kind.replaceAll("_", " ")]);
  return html`<h1>Mails <span class="soft">${mails.length}, none of them sent</span></h1>
${search(look, "Search mails", "Search subject, text or address")}${bar}
${
  mails.length === 0
    ? empty("No mails", look.q || look.is ? "None is like that." : "Send a document that is not silent.")
    : html`<ul class="rows" data-testid="mails">${mails
        .slice(0, ROWS_MAX)
        .map(
          (mail) =>
            html`<li>${opens(
              `mail-${mail.id}`,
              html`<span class="what"><strong>${mail.subject}</strong><span class="soft">to ${mail.to_name} &lt;${mail.to}&gt;</span></span><span class="badge calm">${mail.kind.replaceAll("_", " ")}</span><span class="soft when">${ago(look, mail.created)}</span>`,
              html`<p class="text">${mail.text}</p><p>${mail.link ? html`<a class="open" href="${mail.link}" target="_blank" rel="noopener">Open the document</a> ${copy(mail.link, "the link", "Copy the link")} ` : null}${mail.document_id ? html`<a href="${link(look, "documents", { id: mail.document_id })}">Inspect it</a>` : null}</p>`,
            )}</li>`,
        )}</ul>${more(ROWS_MAX, mails.length)}`
}`;
}

export function rulesSection({ tenant }: Look): Html {
  const rules = tenant.rules.list();
  const webhookRules = tenant.scenarioRunner.deliveryRules.list();
  return html`<h1>Rules <span class="soft">${rules.length}, the first that meets a call acts</span></h1>
${
  rules.length === 0
    ? empty("No rules", "Nothing interferes with the calls. Add one with POST /__admin/rules or load a scenario.")
    : html`<ol class="rows" data-testid="rules">${rules.map(
        (rule) =>
          html`<li>${opens(
            `rule-${rule.id}`,
            html`<span class="what"><strong>${rule.name}</strong><span class="soft">${explain(rule)}</span></span><span class="badge ${isExhausted(rule) ? "calm" : rule.hits > 0 ? "busy" : "good"}">${counted(rule.hits, "hit")}</span><span class="soft when">${rule.source}</span>`,
            html`${pre(JSON.stringify(rule.written ?? { when: rule.when, call: rule.call, then: rule.effect }, null, 2), `Rule ${rule.name}`)}<div class="acts">${button("Take it away", `DELETE /__admin/rules/${encodeURIComponent(rule.id)}`, null, "danger", rule.name)}</div>`,
          )}</li>`,
      )}</ol>`
}
${
  webhookRules.length === 0
    ? null
    : html`<h2>Webhook rules <span class="soft">${webhookRules.length}, what happens to deliveries</span></h2>
<ol class="rows" data-testid="webhook-rules">${webhookRules.map((rule) => {
        const { phase, ...when } = rule.when;
        const what = phase?.eq === "plan" ? "delivery" : "attempt";
        return html`<li>${opens(
          `rule-${rule.id}`,
          html`<span class="what"><strong>${rule.name}</strong><span class="soft">${explain(rule, what)}</span></span><span class="badge ${isExhausted(rule) ? "calm" : rule.hits > 0 ? "busy" : "good"}">${counted(rule.hits, "hit")}</span><span class="soft when">${rule.source}</span>`,
          pre(JSON.stringify(rule.written ?? { when, call: rule.call, then: rule.effect }, null, 2), `Webhook rule ${rule.name}`),
        )}</li>`;
      })}</ol>`
}`;
}

export function scenariosSection({ tenant }: Look): Html {
  const scenarios = [...tenant.scenarios.values()];
  return html`<h1>Scenarios <span class="soft">${scenarios.length}</span></h1>
${
  scenarios.length === 0
    ? empty("No scenarios", "Start with --scenario file.yaml, or post one to /__admin/scenarios.")
    : html`<div class="columns" data-testid="scenarios">${scenarios.map((one) => {
        const path = `/__admin/scenarios/${encodeURIComponent(one.name)}`;
        const names = (rows: readonly { name: string }[]) => [...new Set(rows.map((row) => row.name))].join(", ") || "none";
        return html`<section class="card"><h2>${one.name}</h2>${one.description ? html`<p>${one.description}</p>` : null}${facts([
          ["Rules", names(one.rules)],
          ["Webhooks", names(one.webhooks)],
          ["Actors", names(one.actors)],
          ["Timers", names(one.timers)],
          ["Expects", expectsOf(one.expect)],
        ])}<div class="acts">${button("Verify", `POST ${path}/verify`, {}, "main", one.name)}${button("Take it away", `DELETE ${path}`, null, "danger", one.name)}</div></section>`;
      })}</div>`
}
<div class="acts">${button("Reset what the rules have counted", "POST /__admin/scenarios/reset")}</div>`;
}

/** The kinds of a scenario's expectations. Verify reports which fail. */
function expectsOf(expect: object | undefined): string {
  const kinds = Object.entries(expect ?? {}).filter(
    ([, value]) => value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0),
  );
  return kinds.map(([kind]) => kind.replaceAll("_", " ")).join(", ") || "nothing";
}

export function tenantsSection(look: Look): Html {
  const { host, tenant } = look;
  return html`<h1>Tenants</h1>
<p class="soft">Each key <code>test-…</code> has a world of its own. What you choose here is what every section shows and every button acts on.</p>
<ul class="rows" data-testid="tenants">${[...host.tenants()].map((one) => {
    const id = one === host.defaultTenant ? undefined : one.id;
    const href = link({ ...look, isDefault: true }, "documents", id === undefined ? {} : { tenant: id });
    return html`<li><a class="row" href="${href}"${one === tenant ? html` aria-current="true"` : null}><span class="what"><strong>${one.id}</strong><span class="soft">${counted(one.store.documents.size, "document")} · ${counted(one.journal.size, "call")}</span></span>${one === tenant ? html`<span class="badge busy">shown</span>` : null}<span class="soft when">${time(one.clock.now())}</span></a></li>`;
  })}</ul>
<section class="card danger-zone" aria-labelledby="h-reset"><h2 id="h-reset">Reset ${tenant.id}</h2><p class="soft">Back to the seed: documents, clock, journal, rules, deliveries and mails.</p><div class="acts">${button("Reset this tenant", "POST /__admin/reset", {}, "danger")}</div></section>`;
}
