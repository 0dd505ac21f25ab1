/**
 * The history of a document as one picture on the tenant's clock. A mark leads to its entry in the timeline. A long wait takes more
 * room than a short one, but not in proportion: else all calls of a second would share one pixel beside an expiry in sixty days.
 */
import { iso } from "../../engine/core/clock.ts";
import { spokenDuration } from "../../engine/core/time-limits.ts";
import { html, type Html } from "../../engine/http/html.ts";
import { type TimelineEntry, lifecycle } from "../../service/service.ts";
import { clockText } from "./lists.ts";
import { here, type Look, toneOf } from "./parts.ts";
import { KINDS, shown } from "./timeline.ts";

/** A place on the line. Several places may have one instant, because a frozen clock does not move while a document changes its status. */
interface Slot {
  at: number;
  marks: Mark[];
  /** The status that begins here. */
  band?: { name: string; tone: string };
}

interface Mark {
  lane: number;
  href: string;
  title: string;
  tone: string;
}

const LANE = 24;
const BAND = 26;
const TICKS = 38;
/** All shares are in percent of the width. This one is for a letter of a label on the narrowest axis. */
const LETTER = 1.1;
const EDGE = 2;
/** Marks of a lane that are nearer than this become one. */
const NEAR = 1.1;
const SHOWN_WAIT_MS = 1000;

export function timelineAxis(look: Look, entries: readonly TimelineEntry[]): Html | null {
  const kinds = (Object.keys(KINDS) as TimelineEntry["kind"][]).filter(
    (kind) => kind !== "status" && entries.some((one) => one.kind === kind),
  );
  const isDue = (one: TimelineEntry) => one.kind === "due";
  const past = slotsOf(
    look,
    kinds,
    entries.filter((one) => !isDue(one)),
  );
  const slots = [...past, { at: look.tenant.clock.now(), marks: [] }, ...slotsOf(look, kinds, entries.filter(isDue))];
  if (slots.length < 2) return null;
  const places = placesOf(slots, past.length);
  const now = places[past.length] ?? 0;
  const bottom = BAND + kinds.length * LANE;
  const middle = (lane: number) => BAND + lane * LANE + LANE / 2;
  const bands = slots.flatMap(({ band }, i) => (band ? [{ ...band, from: places[i] ?? 0 }] : []));
  const label = "Timeline on the clock of this tenant";
  return html`<div class="axis"><div class="lanes" aria-hidden="true"><span class="tall">status</span>${kinds.map((kind) => html`<span>${KINDS[kind]}</span>`)}</div><div class="track" id="axis" tabindex="0" role="region" aria-label="${label}" data-scroll>
<svg class="${slots.length > 100 ? "long" : ""}" width="100%" height="${bottom + TICKS}" role="group" aria-label="${label}">
<rect class="ahead" x="${now}%" width="${100 - now}%" y="0" height="${bottom}"/>
${kinds.map((_, i) => html`<line class="lane" x1="0" x2="100%" y1="${middle(i)}" y2="${middle(i)}"/>`)}
${bands.map((one, i) => bandSvg(one, one.from, bands[i + 1]?.from ?? now))}
${ticksSvg(slots, places, bottom)}
<line class="now-line" x1="${now}%" x2="${now}%" y1="0" y2="${bottom}"/>
${clusters(slots, places).map((one) => markSvg(one, middle(one.marks[0].lane)))}
</svg></div></div>`;
}

function slotsOf(look: Look, kinds: readonly TimelineEntry["kind"][], entries: readonly TimelineEntry[]): Slot[] {
  const slots: Slot[] = [];
  for (const one of entries) {
    let slot = slots.at(-1);
    if (slot?.at !== one.at || (one.kind === "status" && slot.band)) {
      slot = { at: one.at, marks: [] };
      slots.push(slot);
    }
    if (one.kind === "status") slot.band = { name: lifecycle.words(one.status), tone: toneOf(one.status) };
    else {
      const { title, isBad } = shown(look, one);
      const due = one.kind === "due";
      const mark = { lane: kinds.indexOf(one.kind), href: toEntry(look, one.id) };
      slot.marks.push({ ...mark, title: due ? `due: ${title}` : title, tone: due ? "due" : isBad ? "bad" : "" });
    }
  }
  return slots;
}

/** Opens the entry beside the open ones. */
function toEntry(look: Look, id: string): string {
  const open = [...new Set([...(look.open?.split(",") ?? []), id])].join(",");
  return `${here(look, { open, is: undefined })}#${id}`;
}

/** What is due takes less room than what happened. */
function placesOf(slots: readonly Slot[], now: number): number[] {
  const weights = slots.map(({ at }, i) => {
    const before = slots[i - 1];
    return before ? (1 + Math.log2(1 + (at - before.at) / 1000) / 2) * (i > now ? 0.4 : 1) : 0;
  });
  const whole = weights.reduce((sum, one) => sum + one, 0);
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return Math.round((EDGE + (sum / whole) * (100 - 2 * EDGE)) * 100) / 100;
  });
}

function bandSvg({ name, tone }: { name: string; tone: string }, from: number, to: number): Html {
  const wide = to - from;
  // An inner drawing cuts a name that is too long.
  return html`<svg class="band ${tone}" x="${from}%" width="${Math.max(wide - 0.2, 0.6)}%" height="${BAND - 6}"><rect width="100%" height="100%" rx="4"/>${wide > LETTER * name.length && html`<text x="6" y="14">${name}</text>`}<title>${name}</title></svg>`;
}

/** The line with its waits, and below it the instants that find room. The first one of each day has its date. */
function ticksSvg(slots: readonly Slot[], places: readonly number[], y: number): Html {
  let free = -1;
  let day = "";
  const ticks = slots.map(({ at }, i) => {
    const [place = 0, from = 0] = [places[i], places[i - 1]];
    const before = slots[i - 1];
    if (before?.at === at) return html`<line class="base" x1="${from}%" x2="${place}%" y1="${y}" y2="${y}"/>`;
    const text = iso(at);
    const words = text.slice(0, 10) === day ? text.slice(11, 19) : `${text.slice(5, 10)} ${text.slice(11, 19)}`;
    const wide = LETTER * words.length;
    const start = Math.max(0, Math.min(100 - wide, place - wide / 2));
    const isNamed = start > free;
    if (isNamed) [free, day] = [start + wide, text.slice(0, 10)];
    const name = isNamed ? html`<text x="${start}%" y="${y + 28}">${words}</text>` : null;
    return html`<line class="base" x1="${place}%" x2="${place}%" y1="${y}" y2="${y + 6}"/>${name}${before && waitSvg(at - before.at, from, place, y)}`;
  });
  return html`${ticks}`;
}

/** A wait is not in proportion, so its line is broken. */
function waitSvg(ms: number, from: number, to: number, y: number): Html {
  const text = `+${spokenDuration(ms)}`;
  const isNamed = ms >= SHOWN_WAIT_MS && to - from > LETTER * text.length;
  return html`<line class="base wait" x1="${from}%" x2="${to}%" y1="${y}" y2="${y}"/>${isNamed ? html`<text class="middle" x="${(from + to) / 2}%" y="${y + 13}">${text}</text>` : null}`;
}

interface Cluster {
  place: number;
  at: number;
  marks: [Mark, ...Mark[]];
}

function clusters(slots: readonly Slot[], places: readonly number[]): Cluster[] {
  const found: Cluster[] = [];
  for (const [i, { at, marks }] of slots.entries())
    for (const mark of marks) {
      const place = places[i] ?? 0;
      const same = found.findLast((one) => one.marks[0].lane === mark.lane);
      if (same && place - same.place < NEAR) same.marks.push(mark);
      else found.push({ place, at, marks: [mark] });
    }
  return found;
}

const NAMED = 6;

function markSvg({ place, at, marks }: Cluster, y: number): Html {
  const tone = marks.find((one) => one.tone)?.tone ?? "";
  const names = marks.slice(0, NAMED).map((one) => one.title);
  if (marks.length > NAMED) names.push(`and ${marks.length - NAMED} more`);
  const count =
    marks.length > 1 ? html`<text class="middle" aria-hidden="true" x="${place}%" y="${y + 4}">${marks.length}</text>` : null;
  return html`<a class="mark ${tone}" href="${marks[0].href}" data-open tabindex="-1"><circle cx="${place}%" cy="${y}" r="${marks.length > 1 ? 9 : 5.5}"/>${count}<title>${clockText(at)}: ${names.join(", ")}</title></a>`;
}
