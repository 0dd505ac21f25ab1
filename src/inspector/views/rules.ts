import { encodeAddress } from "../../engine/core/text.ts";
import { html, type Html } from "../../engine/http/html.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { explain, isExhausted, RUNTIME } from "../../engine/rules/rules.ts";
import { yamlLibrary } from "../../engine/scenario/yaml.ts";
import { toWebhookRules } from "../../engine/verbs/rules.ts";
import { opensBelow } from "./grid.ts";
import { button, type Look, pre } from "./parts.ts";
import { effectText } from "./rule-effect.ts";
import { byText, type List, listPage, type Section } from "./section.ts";

/** A rule for calls or for webhooks. */
interface Row {
  id: string;
  kind: "for calls" | "for webhooks";
  name: string;
  does: string;
  source: string;
  matched: number;
  hits: number;
  spent: boolean;
  written: unknown;
  remove: string | null;
}

export const rulesSection: Section = {
  count: (look) => [rowsOf(look).length, "rule"],
  page: (look) => listPage(look, listOf(look, rowsOf(look))),
};

function rowsOf({ tenant }: Look): Row[] {
  const calls = tenant.rules.list().map((rule): Row => {
    const { id, name, source, matched, hits, when, call, effect, written = { when, call, then: effect } } = rule;
    const remove = `DELETE /__admin/rules/${encodeAddress(id)}`;
    return {
      id: `rule-${id}`,
      kind: "for calls",
      name,
      source,
      matched,
      hits,
      written,
      remove,
      does: explain(rule),
      spent: isExhausted(rule),
    };
  });
  const webhooks = toWebhookRules(tenant).map(
    ({ id, name, source, matched, hits, spent, explain: does, pending: _, ...rest }): Row => {
      const remove = source === RUNTIME ? `DELETE /__admin/webhooks/rules/${encodeAddress(name)}` : null;
      return { id: `webhook-${id}`, kind: "for webhooks", name, source, matched, hits, spent, does, written: rest, remove };
    },
  );
  return [...calls, ...webhooks];
}

function listOf(look: Look, rows: readonly Row[]): List<Row> {
  return {
    title: "Rules",
    size: rows.length,
    hint: "name or effect",
    find: byText(rows, (one) => [one.name, one.does, one.source].join(" ")),
    kindsOf: ({ kind }) => [kind],
    lead: "The first rule that matches a call acts, until it is used up. It matches more often than it acts when it waits for a later call.",
    none: ["No rules", "Every call and every delivery is answered normally. Add a rule below, or load a scenario."],
    line: (rule) => ({
      ...opensBelow(look, rule.id),
      detail: () =>
        html`<p>${rule.does}</p>${yamlView(rule.written, `Rule ${rule.name}`)}${rule.remove && html`<div class="acts">${button("Remove", rule.remove, null, "danger", rule.name)}</div>`}`,
    }),
    below: ({ written, does }) => effectText(written, does),
    columns: [
      {
        id: "name",
        title: "Rule",
        kind: "grow whole",
        by: ({ name }) => name,
        cell: ({ name }) => html`<strong>${name}</strong>`,
      },
      { id: "does", title: "What it does", kind: "grow from-m", cell: ({ written, does }) => effectText(written, does) },
      { id: "result", title: "Result", by: ({ hits }) => hits, cell: resultBadge },
      { id: "matched", title: "Matched", kind: "number from-m", by: ({ matched }) => matched, cell: ({ matched }) => matched },
      { id: "kind", title: "For", kind: "from-l", by: ({ kind }) => kind, cell: ({ kind }) => kind.replace("for ", "") },
      // A rule that no scenario brought has no scenario to name.
      {
        id: "source",
        title: "From",
        kind: "from-l",
        by: ({ source }) => source,
        cell: ({ source }) => (source === RUNTIME ? "added here" : `scenario ${source}`),
      },
    ],
    after: scenarioBox("Add rules as a scenario file"),
  };
}

function resultBadge({ hits, spent }: Row): Html {
  const times = hits === 1 ? "once" : hits === 2 ? "twice" : `${hits} times`;
  const words = spent ? `used up, ${times}` : hits === 0 ? "waits" : `acted ${times}`;
  return html`<span class="badge ${spent ? "calm" : hits > 0 ? "busy" : "good"}">${words}</span>`;
}

/** As a scenario file would have it. */
export function yamlView(value: unknown, label: string): Html {
  const text = yamlLibrary().stringify(JSON.parse(JSON.stringify(value ?? {})), { lineWidth: 120 });
  return pre(redactText(text.trimEnd()), label);
}

export function scenarioBox(title: string): Html {
  return html`<details class="card act" id="paste"><summary>${title}</summary><form class="panel" data-call="POST /__admin/scenarios" data-body="{}" data-raw="text" data-label="Load the scenario"><label for="scenario-text">YAML or JSON</label><textarea id="scenario-text" class="code" name="text" rows="8" required spellcheck="false">version: 1
name: throttled once
rules:
  - name: throttled once
    when: { operation: sendDocument }
    then: { error: throttled, times: 1 }
</textarea><button class="main">Load the scenario</button></form></details>`;
}
