import type { Service } from "../../engine/runtime/service.ts";
import { unmetExpectations } from "../../engine/runtime/scenario-runs/expectations.ts";
import { readyStories } from "../../engine/runtime/scenario-runs/ready-stories.ts";
import { toWebhookRules } from "../../engine/verbs/rules.ts";
import { type ArmedRule, explain, isExhausted } from "../../engine/rules/rules.ts";
import { ERROR_KINDS } from "../../engine/scenario/effect.ts";
import type { Scenario } from "../../engine/scenario/load.ts";
import { html, type Html } from "../../engine/http/html.ts";
import { bodyView } from "./json.ts";
import { counted } from "./lists.ts";
import { button, empty, facts, link, type Look } from "./parts.ts";
import { openRow } from "./rows.ts";

export function rulesSection(look: Look): Html {
  const { tenant } = look;
  const rules = tenant.rules.list();
  const webhookRules = toWebhookRules(tenant);
  return html`<h1>Rules <span class="soft">${rules.length + webhookRules.length}</span></h1>
${rules.length + webhookRules.length === 0 ? empty("No rules", "Every call and every delivery is answered normally. Add a rule below, or load a scenario.") : null}
${
  rules.length === 0
    ? null
    : html`<h2>For calls <span class="soft">${rules.length}, the first rule that matches a call acts</span></h2><ol class="rows" data-testid="rules">${rules.map((rule) => ruleRow(look, rule))}</ol>`
}
${
  webhookRules.length === 0
    ? null
    : html`<h2>For webhooks <span class="soft">${webhookRules.length}, they change deliveries</span></h2><ol class="rows" data-testid="webhook-rules">${webhookRules.map(
        ({ id, name, source, matched, hits, spent, explain: words, pending: _, ...written }) =>
          openRow(look, `webhook-${id}`, ruleTitle(name, words, source, { matched, hits, isSpent: spent }), () => [
            bodyView(
              `webhook-${id}-body`,
              JSON.stringify("written" in written ? written.written : written),
              `Webhook rule ${name}`,
            ),
            source === "runtime"
              ? html`<div class="acts">${button("Remove", `DELETE /__admin/webhooks/rules/${encodeURIComponent(name)}`, null, "danger", name)}</div>`
              : null,
          ]),
      )}</ol>`
}
<div class="columns">${callRuleForm(tenant.service)}${webhookRuleForm(tenant.service)}</div>`;
}

function ruleTitle(name: string, words: string, source: string, did: { matched: number; hits: number; isSpent: boolean }): Html {
  const tone = did.isSpent ? "calm" : did.hits > 0 ? "busy" : "good";
  return html`<span class="what"><strong>${name}</strong><span class="soft">${words.replace(/; matched .*$/, "")}</span></span><span class="badge ${tone}">matched ${did.matched}, applied ${did.hits}${did.isSpent ? ", used up" : ""}</span><span class="soft when">${source}</span>`;
}

function ruleRow(look: Look, rule: ArmedRule<unknown>): Html {
  const did = { matched: rule.matched, hits: rule.hits, isSpent: isExhausted(rule) };
  return openRow(look, `rule-${rule.id}`, ruleTitle(rule.name, explain(rule), rule.source, did), () => [
    bodyView(
      `rule-${rule.id}-body`,
      JSON.stringify(rule.written ?? { when: rule.when, call: rule.call, then: rule.effect }),
      `Rule ${rule.name}`,
    ),
    html`<div class="acts">${button("Remove", `DELETE /__admin/rules/${encodeURIComponent(rule.id)}`, null, "danger", rule.name)}</div>`,
  ]);
}

const CALL_FAULTS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(ERROR_KINDS.map((error) => [`refuse: ${error.replaceAll("_", " ")}`, { error }])),
  "drop the connection, no effect": { network: "reset" },
  "lose the answer, with effect": { network: "reset", phase: "after" },
  "cut the answer off": { network: "truncate" },
  "answer 2 s later": { delay: "2s" },
};

const WEBHOOK_FAULTS: Readonly<Record<string, object>> = {
  "the receiver answers 500": { attempt_result: 500 },
  "the receiver times out": { attempt_result: "timeout" },
  "deliver twice": { duplicate: 1 },
  "deliver 1 h later": { delay: "1h" },
  "never deliver": { drop: true },
  "forge the signature": { signature: "invalid" },
};

function choices(faults: Readonly<Record<string, object>>): Html {
  return html`${Object.entries(faults).map(([name, then]) => html`<option value="${JSON.stringify(then)}">${name}</option>`)}`;
}

function callRuleForm({ groups }: Service): Html {
  return html`<section class="card act" aria-labelledby="h-add"><h2 id="h-add">Add a rule for calls</h2><form class="panel" data-call="POST /__admin/rules" data-body="{}" data-label="Add the rule"><label for="rule-name">Name</label><input id="rule-name" name="name" required autocomplete="off" value="my rule">
<label for="rule-operation">Operation</label><select id="rule-operation" name="when.operation"><option value="">any operation</option>${groups.map(({ name, operations }) => html`<optgroup label="${name}">${operations.map(({ id }) => html`<option${id === "sendDocument" ? html` selected` : null}>${id}</option>`)}</optgroup>`)}</select>
<label for="rule-then">What happens</label><select id="rule-then" name="then" data-json>${choices(CALL_FAULTS)}</select>
<label for="rule-times">How many times</label><input id="rule-times" name="then.times" type="number" min="1" value="1"><button class="main">Add the rule</button></form></section>`;
}

function webhookRuleForm({ language }: Service): Html {
  return html`<section class="card act" aria-labelledby="h-add-webhook"><h2 id="h-add-webhook">Add a rule for webhooks</h2><form class="panel" data-call="POST /__admin/webhooks/rules" data-body="{}" data-label="Add the webhook rule"><label for="webhook-name">Name</label><input id="webhook-name" name="name" required autocomplete="off" value="my webhook rule">
<label for="webhook-event">Event</label><select id="webhook-event" name="when.event">${language.events.map((event) => html`<option${event === "document_state_changed" ? html` selected` : null}>${event}</option>`)}</select>
<label for="webhook-then">What happens</label><select id="webhook-then" name="then" data-json>${choices(WEBHOOK_FAULTS)}</select>
<label for="webhook-times">How many times</label><input id="webhook-times" name="then.times" type="number" min="1" value="1"><button class="main">Add the webhook rule</button></form></section>`;
}

export function scenariosSection(look: Look): Html {
  const { tenant } = look;
  const scenarios = [...tenant.scenarios.values()];
  return html`<h1>Scenarios <span class="soft">${scenarios.length}</span></h1>
${
  scenarios.length === 0
    ? empty("No scenarios", html`Load a story below, or start with <code>--scenario FILE</code>.`)
    : html`<div class="columns" data-testid="scenarios">${scenarios.map((one) => scenarioCard(look, one))}</div><div class="acts alone">${button("Reset the counters of all rules", "POST /__admin/scenarios/reset")}</div>`
}
<h2>Save what happened</h2><section class="card">${savedLinks(look)}</section>
<h2>Ready-made stories</h2><ul class="rows act" data-testid="stories">${readyStories(tenant.service).map(
    ({ name, description }) =>
      html`<li><div class="row"><span class="what"><strong>${name}</strong><span class="soft">${description}</span></span>${button("Load", `POST /__admin/stories/${name}`, {}, "", name)}</div></li>`,
  )}</ul>
<section class="card act" aria-labelledby="h-paste"><h2 id="h-paste">Load a scenario file</h2><form class="panel" data-call="POST /__admin/scenarios" data-body="{}" data-raw="text" data-label="Load the scenario"><label for="scenario-text">YAML or JSON</label><textarea id="scenario-text" name="text" rows="8" required spellcheck="false">version: 1
name: throttled once
rules:
  - name: throttled once
    when: { operation: sendDocument }
    then: { error: throttled, times: 1 }
</textarea><button class="main">Load the scenario</button></form></section>`;
}

function scenarioCard(look: Look, one: Scenario): Html {
  const path = `/__admin/scenarios/${encodeURIComponent(one.name)}`;
  const names = (rows: readonly { name: string }[]) => [...new Set(rows.map((row) => row.name))].join(", ") || "none";
  return html`<section class="card"><h2>${one.name}</h2>${one.description ? html`<p>${one.description}</p>` : null}${facts([
    ["Rules", names(one.rules)],
    ["Webhooks", names(one.webhooks)],
    ["Actors", names(one.actors)],
    ["Timers", names(one.timers)],
  ])}${expectations(look, one)}<div class="acts">${button("Verify", `POST ${path}/verify`, {}, "main", one.name)}${button("Remove", `DELETE ${path}`, null, "danger", one.name)}</div></section>`;
}

function expectations({ tenant }: Look, { name, expect }: Scenario): Html {
  if (!expect) return html`<p class="soft">It expects nothing.</p>`;
  const unmet = unmetExpectations(tenant, expect);
  if (unmet.length === 0) return html`<p class="good-note" data-testid="verified">All expectations hold.</p>`;
  return html`<p class="soft">${counted(unmet.length, "expectation")} of ${name} not met yet:</p><ul class="unmet" data-testid="unmet">${unmet.map(
    ({ text, expected, found }) => html`<li><strong>${text}</strong><br>expected ${expected}, found ${found}</li>`,
  )}</ul>`;
}

export function savedLinks(look: Look, document?: string): Html {
  const tenant = look.isDefault ? undefined : look.tenant.id;
  const href = (what: string, more: Record<string, string> = {}) => {
    const query = new URLSearchParams({ ...more, ...(document ? { document } : {}), ...(tenant ? { tenant } : {}) });
    return `/__admin/saved/${what}${query.size > 0 ? `?${query}` : ""}`;
  };
  return html`<p class="soft">${document ? "Turns what happened to this document into a file that plays again." : html`Turns everything that happened in this tenant into a file that plays again. A <a href="${link(look, "documents")}">document's page</a> saves one document.`}</p><div class="acts" data-testid="save"><a class="button" href="${href("scenario")}" download>Save as scenario</a><a class="button" href="${href("test", { runner: "vitest" })}" download>Save as test (Vitest)</a><a class="button" href="${href("test", { runner: "jest" })}" download>Save as test (Jest)</a><a class="button" href="${href("test", { runner: "node" })}" download>Save as test (node:test)</a></div>`;
}
