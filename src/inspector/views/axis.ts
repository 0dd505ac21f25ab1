/**
 * Draws instants of the tenant's clock on a line. A long wait takes more room than a short one, but not in proportion. Else all
 * calls of a second would share one pixel beside an expiry in sixty days.
 */
import { iso } from "../../engine/core/clock.ts";
import { spokenDuration } from "../../engine/core/time-limits.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";

/** A place on the line. Several places may have one instant, because a frozen clock does not move while a document changes its status. */
export interface Slot {
  at: number;
  marks: Mark[];
  /** What begins here. */
  band?: { name: string; tone: string };
}

export interface Mark {
  /** The lane, by its index. */
  lane: number;
  href: string;
  title: string;
  tone?: string;
}

export interface Axis {
  id: string;
  label: string;
  lanes: readonly string[];
  /** In the order of time. */
  slots: readonly Slot[];
  /** The index of the slot of now. Everything after it is due. */
  now: number;
}

const LANE = 24;
const BAND = 26;
const TOP = 6;
const TICKS = 40;
/** Share of the width that a label needs, in percent. */
const LABEL = 12;
/** The same for the length of a wait. */
const GAP = 7;
/** Marks of a lane that are nearer than this, in percent, become one. */
const NEAR = 1.1;

/** The position of each slot in percent. What is due takes less room than what happened. */
function positions(slots: readonly Slot[], now: number): number[] {
  let place = 0;
  const places = slots.map(({ at }, i) => {
    const before = slots[i - 1];
    if (before) place += (1 + Math.log2(1 + (at - before.at) / 1000) / 2) * (i > now ? 0.4 : 1);
    return place;
  });
  return places.map((one) => (place === 0 ? 2 : 2 + (96 * one) / place));
}

export function axisHtml({ id, label, lanes, slots, now }: Axis): Html | null {
  if (slots.length < 2) return null;
  const places = positions(slots, now);
  const isBanded = slots.some((one) => one.band);
  const top = TOP + (isBanded ? BAND : 0);
  const bottom = top + lanes.length * LANE;
  const middle = (lane: number) => top + lane * LANE + LANE / 2;
  const here = places[now] ?? 0;
  const banded = slots.flatMap((one, i) => (one.band ? [{ ...one.band, from: places[i] ?? 0 }] : []));
  return html`<div class="axis"><div class="lanes" aria-hidden="true">${isBanded ? html`<span class="tall">status</span>` : null}${lanes.map((one) => html`<span>${one}</span>`)}</div><div class="track" id="${id}" tabindex="0" role="region" aria-label="${label}" data-scroll>
<svg class="${slots.length > 100 ? "long" : slots.length > 40 ? "middle" : ""}" width="100%" height="${bottom + TICKS}" role="group" aria-label="${label}">
${lanes.map((_, i) => html`<line class="lane" x1="0" x2="100%" y1="${middle(i)}" y2="${middle(i)}"/>`)}
${banded.map((one, i) => bandSvg(one, one.from, banded[i + 1]?.from ?? here))}
${ticksSvg(slots, places, bottom, now)}
<line class="now-line" x1="${here}%" x2="${here}%" y1="0" y2="${bottom + 4}"/>
${clusters(slots, places).map((one) => markSvg(one, middle(one.first.lane)))}
</svg></div></div>`;
}

function bandSvg({ name, tone }: { name: string; tone: string }, from: number, to: number): Html {
  const wide = to - from;
  // An inner drawing cuts a name that is too long.
  return html`<svg x="${from}%" y="${TOP}" width="${Math.max(wide - 0.2, 0.6)}%" height="${BAND - 6}"><rect class="band ${tone}" width="100%" height="100%" rx="4"/>${wide > 0.9 * name.length + 1 ? html`<text class="band-name ${tone}" x="6" y="14">${name}</text>` : null}<title>${name}</title></svg>`;
}

interface Cluster {
  place: number;
  at: number;
  first: Mark;
  marks: Mark[];
}

function clusters(slots: readonly Slot[], places: readonly number[]): Cluster[] {
  const found: Cluster[] = [];
  slots.forEach(({ at, marks }, i) => {
    const place = places[i] ?? 0;
    for (const mark of marks) {
      const same = found.findLast((one) => one.first.lane === mark.lane);
      if (same && place - same.place < NEAR) same.marks.push(mark);
      else found.push({ place, at, first: mark, marks: [mark] });
    }
  });
  return found;
}

const NAMED = 6;

function markSvg({ place, at, first, marks }: Cluster, y: number): Html {
  const tone = marks.find((one) => one.tone)?.tone ?? "";
  const titles = marks.slice(0, NAMED).map((one) => one.title);
  const name = [...titles, ...(marks.length > NAMED ? [`and ${marks.length - NAMED} more`] : [])].join(", ");
  const count: Part =
    marks.length > 1 ? html`<text class="many" aria-hidden="true" x="${place}%" y="${y + 4}">${marks.length}</text>` : null;
  return html`<a class="mark ${tone}" href="${first.href}" data-open tabindex="-1"><circle cx="${place}%" cy="${y}" r="${marks.length > 1 ? 9 : 5.5}"/>${count}<title>${iso(at).slice(0, 19).replace("T", " ")}: ${name}</title></a>`;
}

function ticksSvg(slots: readonly Slot[], places: readonly number[], y: number, now: number): Html {
  let labeled = Number.NEGATIVE_INFINITY;
  let day = "";
  const last = places.at(-1) ?? 0;
  return html`${slots.map(({ at }, i) => {
    const place = places[i] ?? 0;
    const before = slots[i - 1];
    if (before?.at === at) return null;
    const gap = before ? place - (places[i - 1] ?? 0) : 0;
    const wait = before ? at - before.at : 0;
    const waited =
      gap > GAP
        ? html`<text class="gap-name" x="${place - gap / 2}%" y="${y + 12}">${i > now ? "in " : "+"}${spokenDuration(i > now ? at - (slots[now]?.at ?? at) : wait)}</text>`
        : null;
    const line = html`<line class="tick-line" x1="${place}%" x2="${place}%" y1="${y}" y2="${y + 6}"/>`;
    // The last label ends at the edge, and the one before it leaves room.
    if (place - labeled < LABEL || (place !== last && last - place < LABEL)) return html`${line}${waited}`;
    labeled = place;
    const text = iso(at);
    const isNewDay = text.slice(0, 10) !== day;
    day = text.slice(0, 10);
    const anchor = place < 6 ? "start" : place > 94 ? "end" : "middle";
    return html`${line}${waited}<text class="tick-name" x="${place}%" y="${y + 28}" text-anchor="${anchor}">${isNewDay ? `${text.slice(5, 10)} ` : ""}${text.slice(11, 19)}</text>`;
  })}`;
}
