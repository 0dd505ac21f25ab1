import { encodeAddress } from "../../engine/core/text.ts";
import { type Checked, checkExpectations } from "../../engine/runtime/scenario-runs/expectations.ts";
import { readyStories, readyStoryText } from "../../engine/runtime/scenario-runs/ready-stories.ts";
import { toWebhookRules } from "../../engine/verbs/rules.ts";
import { type ArmedRule, explain, isExhausted, RUNTIME } from "../../engine/rules/rules.ts";
import type { Scenario } from "../../engine/scenario/load.ts";
import { parseLeniently } from "../../engine/core/text.ts";
import { effectText } from "./rule-effect.ts";
import { html, type Html } from "../../engine/http/html.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { yamlLibrary } from "../../engine/scenario/yaml.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { button, empty, link, type Look, opens, pre } from "./parts.ts";
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
${scenarioBox("Add rules as a scenario file")}`;
}

function scenarioBox(title: string): Html {
  return html`<details class="card act form" id="paste"><summary>${title}</summary><form class="panel" data-call="POST /__admin/scenarios" data-body="{}" data-raw="text" data-label="Load the scenario"><label for="scenario-text">YAML or JSON</label><textarea id="scenario-text" class="code" name="text" rows="8" required spellcheck="false">version: 1
name: throttled once
rules:
  - name: throttled once
    when: { operation: sendDocument }
    then: { error: throttled, times: 1 }
</textarea><button class="main">Load the scenario</button></form></details>`;
}

/** A rule for calls or for webhooks, as its row shows it. */
interface RuleLine {
  id: string;
  name: string;
  /** The effect first, then when. */
  effect: string;
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
    effect: effectText(rule.written ?? { then: rule.effect }, explain(rule)),
    does: explain(rule),
    source: rule.source,
    matched: rule.matched,
    applied: rule.hits,
    isSpent: isExhausted(rule),
    written: rule.written ?? { when: rule.when, call: rule.call, then: rule.effect },
    remove: `DELETE /__admin/rules/${encodeAddress(rule.id)}`,
  };
}

function webhookRuleLine(rule: ReturnType<typeof toWebhookRules>[number]): RuleLine {
  const { id, name, source, matched, hits, spent, explain: does, pending: _, ...written } = rule;
  return {
    id: `webhook-${id}`,
    ...{ name, does, source, matched },
    effect: effectText("written" in written ? written.written : written, does),
    applied: hits,
    isSpent: spent,
    written: "written" in written ? written.written : written,
    remove: source === "runtime" ? `DELETE /__admin/webhooks/rules/${encodeAddress(name)}` : null,
  };
}

const RULE_COLUMNS: readonly Column<RuleLine>[] = [
  { id: "name", title: "Rule", kind: "grow whole", by: ({ name }) => name, cell: ({ name }) => html`<strong>${name}</strong>` },
  {
    id: "does",
    title: "What it does",
    kind: "grow from-m",
    cell: ({ effect }) => effect,
  },
  { id: "result", title: "Result", by: ({ applied }) => applied, falls: true, cell: resultBadge },
  {
    id: "matched",
    title: "Matched",
    kind: "number from-m",
    falls: true,
    by: ({ matched }) => matched,
    cell: ({ matched }) => String(matched),
  },
  { id: "source", title: "From", kind: "from-l", by: ({ source }) => source, cell: ({ source }) => sourceText(source) },
];

/** A rule that no scenario brought has no scenario to name. */
function sourceText(source: string): string {
  return source === RUNTIME ? "added here" : `scenario ${source}`;
}

function resultBadge({ applied, isSpent }: RuleLine): Html {
  const times = applied === 1 ? "once" : applied === 2 ? "twice" : `${applied} times`;
  const words = isSpent ? `used up, ${times}` : applied === 0 ? "waits" : `acted ${times}`;
  return html`<span class="badge ${isSpent ? "calm" : applied > 0 ? "busy" : "good"}">${words}</span>`;
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

export function scenariosSection(look: Look): Html {
  const { tenant } = look;
  const scenarios = [...tenant.scenarios.values()];
  return html`<div class="title-row"><h1>Scenarios <span class="soft">${scenarios.length} loaded</span></h1>${scenarios.length === 0 ? null : button("Reset the counters of all rules", "POST /__admin/scenarios/reset")}</div>
${scenarios.length === 0 ? null : html`<div class="columns" data-testid="scenarios">${scenarios.map((one) => scenarioCard(look, one))}</div>`}
<h2>Ready-made stories <span class="soft">a click on a row shows the file</span></h2>${storiesGrid(look)}
${scenarioBox("Load a scenario file")}
<h2>Save what happened</h2><section class="card">${savedLinks(look)}</section>`;
}

function storiesGrid(look: Look): Html {
  const { service } = look.tenant;
  const columns: readonly Column<Scenario>[] = [
    { id: "story", title: "Story", kind: "grow whole", cell: ({ name }) => html`<strong>${name}</strong>` },
    {
      id: "description",
      title: "What happens",
      kind: "grow from-m",
      cell: ({ description }) => description,
    },
    { id: "result", title: "Result", cell: (story) => storyResult(look, story) },
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

/** Empty for a story that is not loaded, also when another scenario has its name. */
function storyResult(look: Look, story: Scenario): Html | null {
  const loaded = look.tenant.scenarios.get(story.name);
  return loaded && contentOf(loaded) === contentOf(story) ? resultOf(look, loaded) : null;
}

/** What a loaded scenario keeps of its file. A tenant that runs keeps its clock. */
function contentOf({ file: _, files: __, clock: ___, ...content }: Scenario): string {
  return JSON.stringify(content);
}

/** How many expectations hold now. One that can never hold makes the result bad. */
function resultOf({ tenant }: Look, { expect }: Scenario): Html {
  if (!expect) return html`<span class="badge calm">expects nothing</span>`;
  const checked = checkExpectations(tenant, expect);
  const met = checked.filter(({ unmet }) => unmet.length === 0).length;
  const tone = met === checked.length ? "good" : checked.some((one) => one.isLost) ? "bad" : "busy";
  return html`<span class="badge ${tone}">${met} of ${checked.length} hold</span>`;
}

function scenarioCard(look: Look, one: Scenario): Html {
  const path = `/__admin/scenarios/${encodeAddress(one.name)}`;
  const names = (title: string, rows: readonly { name: string }[]) =>
    rows.length === 0
      ? null
      : html`<span><span class="soft">${title}</span> ${[...new Set(rows.map((row) => row.name))].join(", ")}</span>`;
  return html`<section class="card"><h2>${one.name} ${resultOf(look, one)}</h2>${one.description ? html`<p>${one.description}</p>` : null}<p class="call">${names("Rules", one.rules)}${names("Webhooks", one.webhooks)}${names("Actors", one.actors)}${names("Timers", one.timers)}</p>${expectations(look, one)}${opens(`yaml-${one.name}`, "Rules as YAML", yamlView({ rules: one.rules.map(toWritten), webhooks: one.webhooks.map(toWritten) }, `Rules of ${one.name}`))}<div class="acts">${button("Verify", `POST ${path}/verify`, {}, "main", one.name)}${button("Remove", `DELETE ${path}`, null, "danger", one.name)}</div></section>`;
}

function toWritten({ name, written }: { name: string; written?: unknown }): unknown {
  return written ?? { name };
}

function expectations({ tenant }: Look, { expect }: Scenario): Html {
  if (!expect) return html`<p class="soft">It expects nothing.</p>`;
  return html`<ul class="plain results" data-testid="results">${checkExpectations(tenant, expect).map(expectationHtml)}</ul>`;
}

/** `not yet` only while later calls can still meet it. */
function expectationHtml({ text, unmet, isLost }: Checked): Html {
  const holds = unmet.length === 0;
  const pill = holds ? ["good", "holds"] : isLost ? ["bad", "fails"] : ["busy", "not yet"];
  return html`<li><span class="badge ${pill[0]}">${pill[1]}</span> ${spokenText(text)}${unmet.map((one) => html`<span class="soft unmet">${one.text === text ? null : html`${one.text}: `}expected ${one.expected}, found ${one.found}</span>`)}</li>`;
}

/** The text of an expectation without a note is its condition as JSON. */
function spokenText(text: string): string {
  const [, part = "", json = ""] = /^([a-z_]+) (\{.*\})$/.exec(text) ?? [];
  const match = parseLeniently(json) as Record<string, unknown> | undefined;
  if (!match) return text;
  const { operation, ...others } = match;
  const named = typeof operation === "string" && part === "requests" ? `calls of ${operation}` : part;
  const rest = Object.entries(named === part ? match : others).map(
    ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return rest.length === 0 ? named : `${named} with ${rest.join(" and ")}`;
}

export function savedLinks(look: Look, document?: string): Html {
  const tenant = look.isDefault ? undefined : look.tenant.id;
  const query = new URLSearchParams({ ...(document ? { document } : {}), ...(tenant ? { tenant } : {}) });
  const href = `/__admin/saved/scenario${query.size > 0 ? `?${query}` : ""}`;
  return html`<p class="soft">${document ? "Turns what happened to this document into a file that plays again." : html`Turns everything that happened in this tenant into a file that plays again. A <a href="${link(look, "documents")}">document's page</a> saves one document.`}</p><div class="acts" data-testid="save"><a class="button" href="${href}" download>Save as scenario</a></div>`;
}
