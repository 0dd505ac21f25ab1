import type { JobRow } from "../../engine/jobs/rows.ts";
import { iso, isoMillis } from "../../engine/core/clock.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { ago, clockTime, counted } from "./lists.ts";
import { button, link, type Look, time } from "./parts.ts";
import { opensBelow } from "./rows.ts";
import { groupBy } from "../../engine/core/maps.ts";

const ADVANCE = "POST /__admin/clock/advance";
const LINES_MAX = 200;

export function clockSection(look: Look): Html {
  const { tenant } = look;
  const { mode } = tenant.clock;
  const jobs = tenant.scheduler.pending();
  const next = tenant.clock.next();
  const step = (label: string, body: object, kind: "" | "main" = "") => button(label, ADVANCE, body, kind);
  return html`<h1>Clock</h1>
<section class="card" aria-labelledby="h-now"><h2 id="h-now" class="now">${time(tenant.clock.now())} <span class="badge ${mode === "real" ? "calm" : "busy"}">${mode}</span></h2>
<p class="soft">${modeText(tenant)} ${jobs.length === 0 ? "Nothing waits for it." : html`${counted(jobs.length, "job")} ${jobs.length === 1 ? "waits" : "wait"}, the next one is due ${next === undefined ? "now" : html`${time(next)}, ${ago(look, next)}`}.`}</p>
<div class="controls">
<div role="group" aria-labelledby="h-skip"><h3 id="h-skip">Skip to what is due</h3><div class="acts">${step("Skip to the next job", { until: "next" }, "main")}${step("Until idle", { until: "idle" })}</div><p class="soft">Until idle runs job after job, until only deadlines wait.</p></div>
<div role="group" aria-labelledby="h-advance"><h3 id="h-advance">Advance</h3><div class="acts">${step("+ 1 h", { by: "1h" })}${step("+ 1 d", { by: "1d" })}${step("+ 60 d", { by: "60d" })}</div><form class="inline act" data-call="${ADVANCE}" data-body="{}" data-label="Advance"><label class="sr" for="advance-by">Advance by</label><input id="advance-by" name="by" required autocomplete="off" placeholder="3d, 2h or 90s" size="12"><button>Advance</button></form></div>
<div role="group" aria-labelledby="h-mode"><h3 id="h-mode">Mode</h3><div class="modes">${MODES.map(([one, label]) => (one === mode ? html`<span aria-current="true">${label}</span>` : button(label, "PUT /__admin/clock", { mode: one })))}</div><p class="soft">Real runs. Frozen stands still. Auto jumps while a client waits.</p></div>
</div></section>
<h2 id="h-jobs">Due <span class="soft">${counted(jobs.length, "job")}</span></h2>
${jobs.length === 0 ? html`<p class="soft">Nothing waits for the clock.</p>` : jobsTable(look, jobs)}`;
}

const MODES = [
  ["real", "Real"],
  ["frozen", "Frozen"],
  ["auto", "Auto"],
] as const;

function modeText({ auto, clock }: Look["tenant"]): string {
  if (clock.mode === "real") return clock.speed === 1 ? "Time runs." : `Time runs ${clock.speed} times as fast.`;
  if (clock.mode === "frozen") return "Time stands still until you advance it.";
  const until = auto.stopAt === undefined ? "" : `, until ${isoMillis(auto.stopAt)}`;
  return `Time moves while a client waits${until}.`;
}

interface Group {
  id: string;
  job: JobRow;
  jobs: JobRow[];
}

/** Jobs of one kind that are due on one day, such as the expiries of many documents, are one line. */
function groupsOf(jobs: readonly JobRow[]): Group[] {
  const groups = groupBy(jobs, ({ kind, due }) => `jobs-${kind}-${iso(due).slice(0, 10)}`);
  return [...groups].map(([id, all]) => ({ id, job: all[0] as JobRow, jobs: all }));
}

function columnsOf(look: Look): readonly Column<Group>[] {
  return [
    { id: "due", title: "Due", kind: "w-clock-day", by: ({ job }) => job.due, cell: ({ job }) => clockTime(job.due) },
    { id: "in", title: "In", kind: "w-ago from-m", cell: ({ job }) => ago(look, job.due) },
    {
      id: "job",
      title: "Job",
      kind: "grow",
      links: true,
      by: ({ job }) => job.kind,
      cell: ({ job }) => html`<strong>${words(job)}</strong>`,
      badges: ({ jobs }) => (jobs.length > 1 ? html`<span class="badge calm from-m">×${jobs.length}</span>` : null),
    },
    {
      id: "about",
      title: "About",
      kind: "grow from-m",
      cell: (group) => aboutAll(look, group),
    },
    { id: "act", title: "Act", kind: "w-act", cell: ({ job }) => skip(job) },
  ];
}

function aboutAll(look: Look, { job, jobs }: Group): Html {
  return html`${aboutHtml(look, job.payload)}${jobs.length > 1 ? html` <span class="soft">and ${jobs.length - 1} more</span>` : null}`;
}

function words({ kind }: JobRow): string {
  return kind.replaceAll("_", " ");
}

function skip(job: JobRow): Html {
  return button(html`Skip<span class="spell"> to this</span>`, ADVANCE, { to: iso(job.due) }, "", `(${words(job)})`);
}

function jobsTable(look: Look, jobs: readonly JobRow[]): Html {
  const columns = columnsOf(look);
  const groups = sorted(look, columns, groupsOf(jobs));
  return html`${grid(look, {
    id: "jobs",
    label: "Due jobs",
    columns,
    rows: groups.slice(0, LINES_MAX),
    below: (group) => aboutAll(look, group),
    line: ({ id, jobs: all }) => ({
      ...opensBelow(look, id),
      detail: () =>
        html`<ul class="plain">${all.slice(0, LINES_MAX).map((job) => html`<li class="due">${time(job.due)} <span>${aboutHtml(look, job.payload)}</span>${all.length > 1 ? skip(job) : null}</li>`)}</ul>`,
    }),
  })}${groups.length > LINES_MAX ? html`<p class="soft">The next ${LINES_MAX} of ${groups.length}.</p>` : null}`;
}

function subjectOf(look: Look, payload: object) {
  const { document: id, delivery: of } = payload as { document?: unknown; delivery?: unknown };
  const delivery = typeof of === "string" ? look.tenant.store.deliveries.get(of) : undefined;
  return look.tenant.store.documents.get(delivery?.subject ?? String(id));
}

function aboutHtml(look: Look, payload: object): Part {
  const document = subjectOf(look, payload);
  const { delivery: of } = payload as { delivery?: unknown };
  const delivery = typeof of === "string" ? look.tenant.store.deliveries.get(of) : undefined;
  const name = document ? html`<a href="${link(look, "documents", { id: document.id })}">${document.name}</a>` : null;
  if (delivery)
    return html`<a href="${link(look, "deliveries", { open: delivery.id })}">${delivery.event}</a> <span class="soft">to ${delivery.subscriber_name}</span>${name ? html`, ${name}` : null}`;
  return name ?? html`<code class="soft">${JSON.stringify(payload)}</code>`;
}
