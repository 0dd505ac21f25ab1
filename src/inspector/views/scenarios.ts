import { encodeAddress, parseLeniently } from "../../engine/core/text.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { type Checked, checkExpectations } from "../../engine/runtime/scenario-runs/expectations.ts";
import { readyStories, readyStoryText } from "../../engine/runtime/scenario-runs/ready-stories.ts";
import type { Scenario } from "../../engine/scenario/load.ts";
import { grid, opensBelow } from "./grid.ts";
import { button, link, type Look, opens, pre, shownTenant } from "./parts.ts";
import { scenarioBox, yamlView } from "./rules.ts";
import type { Section } from "./section.ts";

export const scenariosSection: Section = {
  count: ({ tenant }) => [tenant.scenarios.size, "loaded scenario", "loaded"],
  page(look) {
    const loaded = [...look.tenant.scenarios.values()];
    const reset = button("Reset the counters of all rules", "POST /__admin/scenarios/reset");
    return {
      title: "Scenarios",
      content: html`<div class="title-row"><h1>Scenarios <span class="soft">${loaded.length} loaded</span></h1>${loaded.length > 0 && reset}</div>
<h2>Ready-made stories <span class="soft">a click on a row shows the file</span></h2>${storiesGrid(look)}
${loaded.length > 0 && html`<h2>Loaded</h2><div class="columns" data-testid="scenarios">${loaded.map((one) => scenarioCard(look, one))}</div>`}
${scenarioBox("Load a scenario file")}
<h2>Save what happened</h2><section class="card">${savedLinks(look)}</section>`,
    };
  },
};

function storiesGrid(look: Look): Html {
  const { service } = look.tenant;
  return grid(look, "stories", readyStories(service), {
    line: ({ name, description }) => ({
      ...opensBelow(look, `story-${name}`),
      detail: () => html`<p>${description}</p>${pre(readyStoryText(service, name) ?? "", `Story ${name}`)}`,
    }),
    columns: [
      { id: "story", title: "Story", kind: "grow whole", cell: ({ name }) => html`<strong>${name}</strong>` },
      { id: "description", title: "What happens", kind: "grow from-m", cell: ({ description }) => description },
      { id: "result", title: "Result", cell: (story) => storyResult(look, story) },
      {
        id: "load",
        title: "Load",
        cell: ({ name }) => button("Load", `POST /__admin/stories/${name}`, {}, "", name),
      },
    ],
  });
}

/** Empty for a story that is not loaded, also when another scenario has its name. */
function storyResult(look: Look, story: Scenario): Part {
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

function scenarioCard(look: Look, { name, description, expect, ...one }: Scenario): Html {
  const path = `/__admin/scenarios/${encodeAddress(name)}`;
  const written = (rows: readonly { name: string; written?: unknown }[]) => rows.map((row) => row.written ?? { name: row.name });
  const file = { rules: written(one.rules), webhooks: written(one.webhooks) };
  const parts = (["rules", "webhooks", "actors", "timers"] as const).flatMap((part) => {
    const names = new Set(one[part].map((row) => row.name));
    return names.size === 0 ? [] : html`<span><span class="soft">${part}</span> ${[...names].join(", ")}</span> `;
  });
  return html`<section class="card"><h2>${name} ${resultOf(look, { name, expect, ...one } as Scenario)}</h2>${description && html`<p>${description}</p>`}<p>${parts}</p>${expect && html`<ul class="plain" data-testid="results">${checkExpectations(look.tenant, expect).map(expectationHtml)}</ul>`}${opens(`yaml-${name}`, "Rules as YAML", yamlView(file, `Rules of ${name}`))}<div class="acts">${button("Verify", `POST ${path}/verify`, {}, "main", name)}${button("Remove", `DELETE ${path}`, null, "danger", name)}</div></section>`;
}

/** `not yet` only while later calls can still meet it. */
function expectationHtml({ text, unmet, isLost }: Checked): Html {
  const [tone, word] = unmet.length === 0 ? ["good", "holds"] : isLost ? ["bad", "fails"] : ["busy", "not yet"];
  return html`<li><span class="badge ${tone}">${word}</span> ${spokenText(text)}${unmet.map((one) => html`<br><span class="soft">${one.text !== text && `${one.text}: `}expected ${one.expected}, found ${one.found}</span>`)}</li>`;
}

/** The text of an expectation without a note is its condition as JSON. */
function spokenText(text: string): string {
  const [, part = "", json = ""] = /^([a-z_]+) (\{.*\})$/.exec(text) ?? [];
  const match = parseLeniently(json) as Record<string, unknown> | undefined;
  if (!match) return text;
  const { operation, ...others } = match;
  const named = part === "requests" && operation ? `calls of ${operation}` : part;
  const rest = Object.entries(named === part ? match : others).map(
    ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return rest.length === 0 ? named : `${named} with ${rest.join(" and ")}`;
}

export function savedLinks(look: Look, document?: string): Html {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ document, tenant: shownTenant(look) })) if (value) query.set(name, value);
  return html`<p class="soft">${document ? "Turns what happened to this document into a file that plays again." : html`Turns everything that happened in this tenant into a file that plays again. A <a href="${link(look, "documents")}">document's page</a> saves one document.`}</p><div class="acts" data-testid="save"><a class="button" href="/__admin/saved/scenario?${String(query)}" download>Save as scenario</a></div>`;
}
