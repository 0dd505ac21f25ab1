/** How long webhook receivers took to answer, over the tenant's time. */
import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import { iso } from "../../engine/core/clock.ts";
import { html, type Html } from "../../engine/http/html.ts";
import { counted } from "./lists.ts";
import { opens } from "./parts.ts";

interface Tried {
  at: number;
  ms: number;
  status: number | null;
  to: string;
}

const HEIGHT = 120;
const FLOOR = 96;
/** The chart shows the latest attempts. */
const SHOWN = 500;

export function latencyHtml(rows: readonly DeliveryRow[]): Html | null {
  const tried = rows
    .flatMap((row): Tried[] =>
      row.attempts.map(({ at, duration_ms, status }) => ({ at, ms: duration_ms, status, to: row.subscriber_name })),
    )
    .sort((a, b) => a.at - b.at);
  if (tried.length === 0) return null;
  const receivers = [...new Set(tried.map((one) => one.to))];
  return opens(
    "latency",
    html`Latency of ${counted(receivers.length, "receiver")} <span class="soft">${summary(tried)}</span>`,
    html`<div class="latency">${receivers.map((to) =>
      chart(
        to,
        tried.filter((one) => one.to === to),
      ),
    )}</div>`,
  );
}

/** The latency within which this share of the attempts had an answer, in ms. */
function shareOf(tried: readonly Tried[], share: number): number {
  const sorted = tried.map((one) => one.ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function summary(tried: readonly Tried[]): string {
  const at = (share: number) => shareOf(tried, share);
  const failed = tried.filter(({ status }) => status === null || status >= 400).length;
  return `${counted(tried.length, "attempt")}, ${failed} failed; median ${at(0.5)} ms, 95 % within ${at(0.95)} ms, slowest ${at(1)} ms`;
}

/** Attempts stand beside each other in order, because most of them share instants of a frozen clock. */
function chart(to: string, all: readonly Tried[]): Html {
  const tried = all.slice(-SHOWN);
  const most = Math.max(1, ...tried.map((one) => one.ms));
  const x = (i: number) => (tried.length === 1 ? 50 : 2 + (96 * i) / (tried.length - 1));
  const y = (ms: number) => FLOOR - ((FLOOR - 14) * ms) / most;
  const level = (name: string, ms: number) =>
    html`<line class="level" x1="0" x2="100%" y1="${y(ms)}" y2="${y(ms)}"><title>${name}: ${ms} ms</title></line>`;
  const text = `Answers of ${to}: ${summary(all)}`;
  const [first, last] = [tried[0], tried.at(-1)];
  return html`<figure><figcaption><strong>${to}</strong> <span class="soft">${summary(all)}; one point for each attempt in order, dashed lines at median and 95 %</span></figcaption><svg class="chart" width="100%" height="${HEIGHT}" role="img" aria-label="${text}">
<line class="lane" x1="0" x2="100%" y1="${y(most)}" y2="${y(most)}"/><line class="lane" x1="0" x2="100%" y1="${FLOOR}" y2="${FLOOR}"/>
<text class="tick-name" x="0" y="${y(most) - 4}">${most} ms</text>
${level("median", shareOf(tried, 0.5))}${level("95 %", shareOf(tried, 0.95))}
${tried.map((one, i) => html`<circle class="${one.status === null || one.status >= 400 ? "bad" : "good"}" cx="${x(i)}%" cy="${y(one.ms)}" r="4"><title>${iso(one.at).slice(0, 19).replace("T", " ")}: ${one.status ?? "no answer"} after ${one.ms} ms</title></circle>`)}
<text class="tick-name" x="0" y="${FLOOR + 18}">first ${first ? iso(first.at).slice(5, 16).replace("T", " ") : ""}</text><text class="tick-name" x="100%" y="${FLOOR + 18}" text-anchor="end">latest ${last ? iso(last.at).slice(5, 16).replace("T", " ") : ""}</text>
</svg></figure>`;
}
