import { iso, isoMillis } from "../../engine/core/clock.ts";
import { groupBy } from "../../engine/core/maps.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import type { JobRow } from "../../engine/jobs/rows.ts";
import { type Grid, grid, opensBelow, sorted } from "./grid.ts";
import { ago, clockTime, counted } from "./lists.ts";
import { button, link, type Look, time } from "./parts.ts";
import type { Section } from "./section.ts";

const ADVANCE = "POST /__admin/clock/advance";
const LINES_MAX = 200;

export const clockSection: Section = {
  count: ({ tenant }) => [tenant.scheduler.waiting, "due job", "due"],
  page: (look) => ({ title: "Clock", content: clockHtml(look) }),
};

function clockHtml(look: Look): Html {
  const { tenant } = look;
  const { mode } = tenant.clock;
  const jobs = tenant.scheduler.pending();
  const next = tenant.clock.next();
  const step = (label: string, body: object, kind: "" | "main" = "") => button(label, ADVANCE, body, kind);
  return html`<h1>Clock</h1>
<section class="card" aria-labelledby="h-now"><h2 id="h-now" class="now">${time(tenant.clock.now())} <span class="badge ${mode === "real" ? "calm" : "busy"}">${mode}</span></h2>
<p class="soft">${modeText(tenant)} ${jobs.length === 0 ? "Nothing waits for it." : html`${counted(jobs.length, "job")} ${jobs.length === 1 ? "waits" : "wait"}, the next one is due ${next === undefined ? "now" : html`${time(next)}, ${ago(look, next)}`}.`}</p>
<div class="columns">
<div role="group" aria-labelledby="h-skip"><h3 id="h-skip">Skip to what is due</h3><div class="acts">${step("Skip to the next job", { until: "next" }, "main")}${step("Until idle", { until: "idle" })}</div><p class="soft">Until idle runs job after job, until only deadlines wait.</p></div>
<div role="group" aria-labelledby="h-advance"><h3 id="h-advance">Advance</h3><div class="acts">${step("+ 1 h", { by: "1h" })}${step("+ 1 d", { by: "1d" })}${step("+ 60 d", { by: "60d" })}</div><form class="inline act" data-call="${ADVANCE}" data-body="{}" data-label="Advance"><label class="sr" for="advance-by">Advance by</label><input id="advance-by" name="by" required autocomplete="off" placeholder="3d, 2h or 90s" size="12"><button>Advance</button></form></div>
<div role="group" aria-labelledby="h-mode"><h3 id="h-mode">Mode</h3><div class="acts">${["real", "frozen", "auto"].map((one) => (one === mode ? html`<span class="button" aria-current="true">${one}</span>` : button(one, "PUT /__admin/clock", { mode: one })))}</div><p class="soft">Real runs. Frozen stands still. Auto jumps while a client waits.</p></div>
</div></section>
<h2 id="h-jobs">Due <span class="soft">${counted(jobs.length, "job")}</span></h2>
${jobs.length === 0 ? html`<p class="soft">Nothing waits for the clock.</p>` : jobsTable(look, jobs)}`;
}

function modeText({ auto, clock }: Look["tenant"]): string {
  if (clock.mode === "real") return clock.speed === 1 ? "Time runs." : `Time runs ${clock.speed} times as fast.`;
  if (clock.mode === "frozen") return "Time stands still until you advance it.";
  const until = auto.stopAt === undefined ? "" : `, until ${isoMillis(auto.stopAt)}`;
  return `Time moves while a client waits${until}.`;
}

type Group = [id: string, jobs: JobRow[]];

function jobsTable(look: Look, jobs: readonly JobRow[]): Html {
  // Jobs of one kind that are due on one day, such as the expiries of many documents, are one line.
  const groups: Group[] = [...groupBy(jobs, ({ kind, due }) => `jobs-${kind}-${iso(due).slice(0, 10)}`)];
  const first = ([, all]: Group) => all[0] as JobRow;
  const about = (group: Group) =>
    html`${aboutHtml(look, first(group))}${group[1].length > 1 && html` <span class="soft">and ${group[1].length - 1} more</span>`}`;
  const table: Grid<Group> = {
    order: "due",
    below: (group) => html`${clockTime(first(group).due)} · ${about(group)}`,
    line: ([id, all]) => ({
      ...opensBelow(look, id),
      detail: () =>
        html`<ul class="plain">${all.slice(0, LINES_MAX).map((job) => html`<li>${clockTime(job.due)} ${aboutHtml(look, job)} ${all.length > 1 && skip(job)}</li>`)}</ul>`,
    }),
    columns: [
      {
        id: "job",
        title: "Job",
        kind: "grow",
        by: (group) => first(group).kind,
        cell: (group) =>
          html`<strong>${words(first(group))}</strong>${group[1].length > 1 && html` <span class="badge calm">×${group[1].length}</span>`}`,
      },
      { id: "about", title: "About", kind: "grow from-m", cell: about },
      {
        id: "due",
        title: "Due",
        kind: "time from-m",
        by: (group) => first(group).due,
        cell: (group) => clockTime(first(group).due),
      },
      { id: "in", title: "In", kind: "number", cell: (group) => ago(look, first(group).due) },
      { id: "act", title: "Act", cell: (group) => skip(first(group)) },
    ],
  };
  return html`${grid(look, "jobs", sorted(look, table.columns, groups).slice(0, LINES_MAX), table)}${groups.length > LINES_MAX && html`<p class="soft">The next ${LINES_MAX} of ${groups.length}.</p>`}`;
}

function words({ kind }: JobRow): string {
  return kind.replaceAll("_", " ");
}

function skip(job: JobRow): Html {
  return button("Skip", ADVANCE, { to: iso(job.due) }, "", `to this (${words(job)})`);
}

function aboutHtml(look: Look, { payload }: JobRow): Part {
  const { document: id, delivery: of } = payload as { document?: unknown; delivery?: unknown };
  const { documents, deliveries } = look.tenant.store;
  const delivery = typeof of === "string" ? deliveries.get(of) : undefined;
  const document = documents.get(delivery?.subject ?? String(id));
  const name = document && html`<a href="${link(look, "documents", { id: document.id })}">${document.name}</a>`;
  if (delivery)
    return html`<a href="${link(look, "deliveries", { open: delivery.id })}">${delivery.event}</a> <span class="soft">to ${delivery.subscriber_name}</span>${name && html`, ${name}`}`;
  return name ?? html`<code class="soft">${JSON.stringify(payload)}</code>`;
}
