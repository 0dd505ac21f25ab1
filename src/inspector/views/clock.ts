import type { JobRow } from "../../engine/jobs/rows.ts";
import { iso, isoMillis } from "../../engine/core/clock.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { ago, counted, timeAndAgo } from "./lists.ts";
import { button, facts, link, type Look, time } from "./parts.ts";

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
${facts([
  ["Mode", modeText(tenant)],
  ["Next due", next === undefined ? "nothing" : timeAndAgo(look, next)],
  ["Waiting", counted(jobs.length, "job")],
])}
<div class="acts">${step("Skip to the next job", { until: "next" }, "main")}${step("Until idle", { until: "idle" })}${step("+ 1 h", { by: "1h" })}${step("+ 1 d", { by: "1d" })}${step("+ 60 d", { by: "60d" })}${MODES.filter(([one]) => one !== mode).map(([one, label]) => button(label, "PUT /__admin/clock", { mode: one }))}</div>
<form class="inline act" data-call="${ADVANCE}" data-body="{}" data-label="Advance"><label for="advance-by">Advance by</label><input id="advance-by" name="by" required autocomplete="off" placeholder="3d, 2h or 90s" size="12"><button class="main">Advance</button></form></section>
<section class="card" aria-labelledby="h-jobs"><h2 id="h-jobs">Due <span class="soft">${jobs.length}</span></h2>
${jobs.length === 0 ? html`<p class="soft">Nothing waits for the clock.</p>` : jobsTable(look, jobs)}</section>`;
}

const MODES = [
  ["real", "Let it run"],
  ["frozen", "Freeze"],
  ["auto", "Auto"],
] as const;

function modeText({ auto, clock }: Look["tenant"]): string {
  if (clock.mode === "real") return clock.speed === 1 ? "Time runs." : `Time runs ${clock.speed} times as fast.`;
  if (clock.mode === "frozen") return "Time stands still until you advance it.";
  const until = auto.stopAt === undefined ? "" : `, until ${isoMillis(auto.stopAt)}`;
  return `Time moves while a client waits${until}.`;
}

function jobsTable(look: Look, jobs: readonly JobRow[]): Html {
  const groups = new Map<string, { job: JobRow; count: number }>();
  for (const job of jobs) {
    const key = `${job.kind} ${subjectOf(look, job.payload)?.id ?? job.id}`;
    const group = groups.get(key);
    if (group) group.count++;
    else groups.set(key, { job, count: 1 });
  }
  const lines = [...groups.values()].slice(0, LINES_MAX);
  return html`<div class="wide" tabindex="0" role="group" aria-labelledby="h-jobs"><table class="table stack" data-testid="jobs"><thead><tr><th scope="col">Due</th><th scope="col">Job</th><th scope="col">About</th><th scope="col"><span class="sr">Act</span></th></tr></thead><tbody>${lines.map(
    ({ job, count }) =>
      html`<tr><td>${time(job.due)} <span class="soft">${ago(look, job.due)}</span></td><td>${job.kind.replaceAll("_", " ")}${count > 1 ? html` <span class="badge calm">${count}</span>` : null}</td><td>${aboutHtml(look, job.payload)}</td><td>${button("Skip to this", ADVANCE, { to: iso(job.due) }, "", `(${job.kind.replaceAll("_", " ")})`)}</td></tr>`,
  )}</tbody></table></div>${groups.size > LINES_MAX ? html`<p class="soft">The next ${LINES_MAX} of ${groups.size}.</p>` : null}`;
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
