import type { Service } from "../../engine/runtime/service.ts";
import { checkExpectations, unmetExpectations } from "../../engine/runtime/scenario-runs/expectations.ts";
import { readyStories, readyStoryText } from "../../engine/runtime/scenario-runs/ready-stories.ts";
import { toWebhookRules } from "../../engine/verbs/rules.ts";
import { type ArmedRule, explain, isExhausted } from "../../engine/rules/rules.ts";
import { ERROR_KINDS } from "../../engine/scenario/effect.ts";
import type { Scenario } from "../../engine/scenario/load.ts";
import { html, type Html } from "../../engine/http/html.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { yamlLibrary } from "../../engine/scenario/yaml.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { counted } from "./lists.ts";
import { button, empty, facts, link, type Look, opens, pre } from "./parts.ts";
import { opensBelow } from "./rows.ts";

export function rulesSection(look: Look): Html {
  const { tenant } = look;
  const rules = tenant.rules.list();
  const webhookRules = toWebhookRules(tenant);
  return html`<h1>Rules <span class="soft">${rules.length + webhookRules.length}</span></h1>
${rules.length + webhookRules.length === 0 ? empty("No rules", "Every call and every delivery is answered normally. Add a rule below, or load a scenario.") : null}
${
  rules.length === 0
    ? null
    : html`<h2>For calls <span class="soft">${rules.length}, the first rule that matches a call acts</span></h2>${rulesGrid(
        look,
        "rules",
        rules.map((rule) => callRuleLine(rule)),
      )}`
}
${
  webhookRules.length === 0
    ? null
    : html`<h2>For webhooks <span class="soft">${webhookRules.length}, they change deliveries</span></h2>${rulesGrid(look, "webhook-rules", webhookRules.map(webhookRuleLine))}`
}
<div class="columns">${callRuleForm(tenant.service)}${webhookRuleForm(tenant.service)}</div>`;
}

/** A rule for calls or for webhooks, as its row shows it. */
interface RuleLine {
  id: string;
  name: string;
  does: string;
  source: string;
  matched: number;
  applied: number;
  isSpent: boolean;
  written: unknown;
  remove: string | null;
}

function callRuleLine(rule: ArmedRule<unknown>): RuleLine {
  return {
    id: `rule-${rule.id}`,
    name: rule.name,
    does: explain(rule),
    source: rule.source,
    matched: rule.matched,
    applied: rule.hits,
    isSpent: isExhausted(rule),
    written: rule.written ?? { when: rule.when, call: rule.call, then: rule.effect },
    remove: `DELETE /__admin/rules/${encodeURIComponent(rule.id)}`,
  };
}

function webhookRuleLine(rule: ReturnType<typeof toWebhookRules>[number]): RuleLine {
  const { id, name, source, matched, hits, spent, explain: does, pending: _, ...written } = rule;
  return {
    id: `webhook-${id}`,
    ...{ name, does, source, matched },
    applied: hits,
    isSpent: spent,
    written: "written" in written ? written.written : written,
    remove: source === "runtime" ? `DELETE /__admin/webhooks/rules/${encodeURIComponent(name)}` : null,
  };
}

const RULE_COLUMNS: readonly Column<RuleLine>[] = [
  { id: "name", title: "Rule", kind: "grow", by: ({ name }) => name, cell: ({ name }) => html`<strong>${name}</strong>` },
  { id: "result", title: "Result", kind: "w-outcome", by: ({ applied }) => applied, falls: true, cell: resultBadge },
  {
    id: "matched",
    title: "Matched",
    kind: "w-number number from-m",
    falls: true,
    by: ({ matched }) => matched,
    cell: ({ matched }) => String(matched),
  },
  { id: "does", title: "What it does", kind: "grow from-m", cell: ({ does }) => does.replace(/; matched .*$/, "") },
  { id: "source", title: "From", kind: "grow from-l", by: ({ source }) => source, cell: ({ source }) => source },
];

function resultBadge({ applied, isSpent }: RuleLine): Html {
  const words = applied === 0 ? "not applied" : applied === 1 ? "applied once" : `applied ${applied} times`;
  return html`<span class="badge ${isSpent ? "calm" : applied > 0 ? "busy" : "good"}">${words}${isSpent ? ", used up" : null}</span>`;
}

function rulesGrid(look: Look, id: string, rules: readonly RuleLine[]): Html {
  return grid(look, {
    id,
    label: id === "rules" ? "Rules for calls" : "Rules for webhooks",
    columns: RULE_COLUMNS,
    rows: sorted(look, RULE_COLUMNS, rules),
    line: (rule) => ({
      ...opensBelow(look, rule.id),
      detail: () =>
        html`<p>${rule.does}</p>${yamlView(rule.written, `Rule ${rule.name}`)}${rule.remove ? html`<div class="acts">${button("Remove", rule.remove, null, "danger", rule.name)}</div>` : null}`,
    }),
  });
}

/** As a scenario file would have it. */
function yamlView(value: unknown, label: string): Html {
  return pre(
    redactText(
      yamlLibrary()
        .stringify(JSON.parse(JSON.stringify(value ?? {})), { lineWidth: 120 })
        .trimEnd(),
    ),
    label,
  );
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
<h2>Ready-made stories</h2>${storiesGrid(look)}
<section class="card act" aria-labelledby="h-paste"><h2 id="h-paste">Load a scenario file</h2><form class="panel" data-call="POST /__admin/scenarios" data-body="{}" data-raw="text" data-label="Load the scenario"><label for="scenario-text">YAML or JSON</label><textarea id="scenario-text" name="text" rows="8" required spellcheck="false">version: 1
name: throttled once
rules:
  - name: throttled once
    when: { operation: sendDocument }
    then: { error: throttled, times: 1 }
</textarea><button class="main">Load the scenario</button></form></section>`;
}

function storiesGrid(look: Look): Html {
  const { service } = look.tenant;
  const columns: readonly Column<Scenario>[] = [
    { id: "story", title: "Story", kind: "grow", cell: ({ name }) => html`<strong>${name}</strong>` },
    { id: "result", title: "Result", kind: "w-outcome", cell: ({ name }) => storyResult(look, name) },
    { id: "description", title: "What happens", kind: "grow from-m", cell: ({ description }) => description },
    {
      id: "load",
      title: "Load",
      kind: "w-load",
      cell: ({ name }) => button("Load", `POST /__admin/stories/${name}`, {}, "", name),
    },
  ];
  return grid(look, {
    id: "stories",
    label: "Ready-made stories",
    columns,
    rows: readyStories(service),
    line: ({ name, description }) => ({
      ...opensBelow(look, `story-${name}`),
      detail: () => html`<p>${description}</p>${pre(readyStoryText(service, name) ?? "", `Story ${name}`)}`,
    }),
  });
}

function storyResult(look: Look, name: string): Html {
  const loaded = look.tenant.scenarios.get(name);
  return loaded ? resultOf(look, loaded) : html`<span class="soft">not loaded</span>`;
}

/** How many expectations hold now. */
function resultOf({ tenant }: Look, { expect }: Scenario): Html {
  if (!expect) return html`<span class="badge calm">expects nothing</span>`;
  const checked = checkExpectations(tenant, expect);
  const met = checked.filter(({ unmet }) => unmet.length === 0).length;
  return html`<span class="badge ${met === checked.length ? "good" : "bad"}">${met} of ${checked.length} hold</span>`;
}

function scenarioCard(look: Look, one: Scenario): Html {
  const path = `/__admin/scenarios/${encodeURIComponent(one.name)}`;
  const names = (rows: readonly { name: string }[]) => [...new Set(rows.map((row) => row.name))].join(", ") || "none";
  return html`<section class="card"><h2>${one.name} ${resultOf(look, one)}</h2>${one.description ? html`<p>${one.description}</p>` : null}${facts(
    [
      ["Rules", names(one.rules)],
      ["Webhooks", names(one.webhooks)],
      ["Actors", names(one.actors)],
      ["Timers", names(one.timers)],
    ],
  )}${expectations(look, one)}${opens(`yaml-${one.name}`, "Rules as YAML", yamlView({ rules: one.rules.map(toWritten), webhooks: one.webhooks.map(toWritten) }, `Rules of ${one.name}`))}<div class="acts">${button("Verify", `POST ${path}/verify`, {}, "main", one.name)}${button("Remove", `DELETE ${path}`, null, "danger", one.name)}</div></section>`;
}

function toWritten({ name, written }: { name: string; written?: unknown }): unknown {
  return written ?? { name };
}

function expectations({ tenant }: Look, { name, expect }: Scenario): Html {
  if (!expect) return html`<p class="soft">It expects nothing.</p>`;
  const unmet = unmetExpectations(tenant, expect);
  const checked = checkExpectations(tenant, expect);
  const names = html`<ul class="plain results" data-testid="results">${checked.map((each) => html`<li><span class="badge ${each.unmet.length === 0 ? "good" : "bad"}">${each.unmet.length === 0 ? "holds" : "not yet"}</span> ${each.text}</li>`)}</ul>`;
  if (unmet.length === 0) return html`${names}<p class="good-note" data-testid="verified">All expectations hold.</p>`;
  return html`${names}<p class="soft">${counted(unmet.length, "expectation")} of ${name} not met yet:</p><ul class="unmet" data-testid="unmet">${unmet.map(
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
