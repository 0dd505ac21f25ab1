/**
 * Draws instants of the tenant's clock on a line. A long wait takes more room than a short one, but not in proportion. Else all
 * calls of a second would share one pixel beside an expiry in sixty days.
 */
import { iso } from "../../engine/core/clock.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { LETTER, type Mark, placesOf, type Slot, ticksSvg } from "./axis-places.ts";

interface Axis {
  id: string;
  label: string;
  lanes: readonly string[];
  /** In the order of time. */
  slots: readonly Slot[];
  /** The index of the slot of now. Everything after it is due. */
  now: number;
  /** The steps of a story, of which one is shown. Its control is the line above the lanes. */
  steps?: { shown: number; count: number };
}

const LANE = 24;
const BAND = 26;
const TOP = 6;
const TICKS = 38;
/** Marks of a lane that are nearer than this, in percent, become one. */
const NEAR = 1.1;
/** Behind this place, in percent, the word for now has no room on the right. */
const NOW_FITS = 93;

export function axisHtml({ id, label, lanes, slots, now, steps }: Axis): Html | null {
  if (slots.length < 2) return null;
  const places = placesOf(slots, now);
  const isBanded = slots.some((one) => one.band);
  const rail = TOP + LANE / 2;
  const bands = TOP + (steps ? LANE : 0);
  const top = bands + (isBanded ? BAND : 0);
  const bottom = top + lanes.length * LANE;
  const middle = (lane: number) => top + lane * LANE + LANE / 2;
  const here = places[now] ?? 0;
  const banded = slots.flatMap((one, i) => (one.band ? [{ ...one.band, from: places[i] ?? 0 }] : []));
  const stops = stopsOf(slots, places);
  return html`<div class="axis"><div class="lanes" aria-hidden="true">${steps ? html`<span>step</span>` : null}${isBanded ? html`<span class="tall">status</span>` : null}${lanes.map((one) => html`<span>${one}</span>`)}</div>${
    steps
      ? html`<input type="range" class="act" id="step-range" min="1" max="${steps.count}" value="${steps.shown}" data-step aria-label="Step" aria-describedby="step-title">`
      : null
  }<div class="track" id="${id}" tabindex="0" role="region" aria-label="${label}" data-scroll>
<svg class="${steps ? "scrub " : ""}${slots.length > 100 ? "long" : slots.length > 40 ? "middle" : ""}" width="100%" height="${bottom + TICKS}" role="group" aria-label="${label}">
<rect class="ahead" x="${here}%" width="${100 - here}%" y="0" height="${bottom}"/>
${lanes.map((_, i) => html`<line class="lane" x1="0" x2="100%" y1="${middle(i)}" y2="${middle(i)}"/>`)}
${banded.map((one, i) => bandSvg(one, { y: bands, from: one.from, to: banded[i + 1]?.from ?? here }))}
${ticksSvg(slots, places, bottom)}
${steps ? railSvg({ stops, shown: steps.shown, y: rail, bottom }) : null}
<line class="now-line" x1="${here}%" x2="${here}%" y1="${TOP}" y2="${bottom}"/>
<svg class="loose" x="${here}%"><text class="tick-name"${here > NOW_FITS ? html` x="-5" text-anchor="end"` : html` x="5"`} y="${rail + 4}">now</text></svg>
${clusters(slots, places).map((one) => markSvg(one, middle(one.first.lane)))}
</svg></div></div>`;
}

interface Stop {
  step: number;
  place: number;
}

/** A step may pass several places, such as the statuses of a document that one call completed. Its stop is where it ends. */
function stopsOf(slots: readonly Slot[], places: readonly number[]): Stop[] {
  const ends = new Map<number, number>();
  slots.forEach(({ step }, i) => {
    if (step !== undefined) ends.set(step, places[i] ?? 0);
  });
  return [...ends].map(([step, place]) => ({ step, place })).sort((a, b) => a.place - b.place);
}

interface Rail {
  stops: readonly Stop[];
  shown: number;
  y: number;
  bottom: number;
}

/** One stop for each step, and a cursor through all lanes at the shown one. */
function railSvg({ stops, shown, y, bottom }: Rail): Html {
  const first = stops[0]?.place ?? 0;
  const last = stops.at(-1)?.place ?? 0;
  const place = stops.find((one) => one.step === shown)?.place ?? last;
  return html`<line class="rail" x1="${first}%" x2="${last}%" y1="${y}" y2="${y}"/><line class="rail done" id="rail-done" x1="${first}%" x2="${place}%" y1="${y}" y2="${y}"/>${stops.map((one) => html`<circle class="stop" cx="${one.place}%" cy="${y}" r="4" data-step="${one.step}" data-place="${one.place}%"/>`)}
<svg class="cursor loose" id="cursor" x="${place}%"><line y1="${y}" y2="${bottom}"/><circle cy="${y}" r="10"/><text y="${y + 4}" id="cursor-step">${shown}</text></svg>`;
}

function bandSvg({ name, tone }: { name: string; tone: string }, { y, from, to }: { y: number; from: number; to: number }): Html {
  const wide = to - from;
  // An inner drawing cuts a name that is too long.
  return html`<svg x="${from}%" y="${y}" width="${Math.max(wide - 0.2, 0.6)}%" height="${BAND - 6}"><rect class="band ${tone}" width="100%" height="100%" rx="4"/>${wide > LETTER * name.length ? html`<text class="band-name ${tone}" x="6" y="14">${name}</text>` : null}<title>${name}</title></svg>`;
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
  return html`<a class="mark ${tone}" href="${first.href}" data-open tabindex="-1">${dotSvg(place, y, marks.length)}${count}<title>${iso(at).slice(0, 19).replace("T", " ")}: ${name}</title></a>`;
}

/** A count of two or more digits needs a wider dot. */
function dotSvg(place: number, y: number, count: number): Html {
  const wide = String(count).length * 7 + 10;
  return count < 10
    ? html`<circle cx="${place}%" cy="${y}" r="${count > 1 ? 9 : 5.5}"/>`
    : html`<svg class="loose" x="${place}%"><rect x="${-wide / 2}" y="${y - 9}" width="${wide}" height="18" rx="9"/></svg>`;
}
