/** Where the instants of an axis stand, and which of them have a label. No label covers another, also on the narrowest screen. */
import { iso } from "../../engine/core/clock.ts";
import { spokenDuration } from "../../engine/core/time-limits.ts";
import { html, type Html } from "../../engine/http/html.ts";

/** A place on the line. Several places may have one instant, because a frozen clock does not move while a document changes its status. */
export interface Slot {
  at: number;
  marks: Mark[];
  /** What begins here. */
  band?: { name: string; tone: string };
  /** The number of the step that happens here. */
  step?: number;
}

export interface Mark {
  /** The lane, by its index. */
  lane: number;
  href: string;
  title: string;
  tone?: string;
}

/** Share of the width that a letter of a label takes, in percent of the narrowest axis. */
export const LETTER = 1.1;
const EDGE = 2;
const WHOLE = 100 - 2 * EDGE;
/** Room for names may take at most this much. */
const NEEDS_MAX = 70;
const SHOWN_WAIT_MS = 1000;

/** The position of each slot in percent. What is due takes less room than what happened, and a band has room for its name. */
export function placesOf(slots: readonly Slot[], now: number): number[] {
  const needs = needsOf(slots, now);
  const weights = slots.map(({ at }, i) => {
    const before = slots[i - 1];
    return before ? (1 + Math.log2(1 + (at - before.at) / 1000) / 2) * (i > now ? 0.4 : 1) : 0;
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const needed = sum(needs);
  const scale = needed > NEEDS_MAX ? NEEDS_MAX / needed : 1;
  const rest = (WHOLE - needed * scale) / (sum(weights) || 1);
  let place = EDGE;
  return slots.map((_, i) => {
    place += (needs[i] ?? 0) * scale + (weights[i] ?? 0) * rest;
    return Math.round(place * 100) / 100;
  });
}

/** What the wait before each slot takes at least, in percent. */
function needsOf(slots: readonly Slot[], now: number): number[] {
  const needs = slots.map(({ at }, i) => {
    const before = slots[i - 1];
    return before && at - before.at >= SHOWN_WAIT_MS ? LETTER * waitText(at - before.at).length + 1 : 0;
  });
  const starts = slots.flatMap((one, i) => (one.band ? [{ i, need: LETTER * one.band.name.length + 1.5 }] : []));
  starts.forEach(({ i, need }, n) => {
    const end = starts[n + 1]?.i ?? now;
    const inside = needs.slice(i + 1, end + 1).reduce((total, one) => total + one, 0);
    for (let at = i + 1; at <= end; at++) needs[at] = (needs[at] ?? 0) + Math.max(0, need - inside) / (end - i);
  });
  return needs;
}

function waitText(ms: number): string {
  return `+${spokenDuration(ms)}`;
}

interface Label {
  place: number;
  text: string;
  anchor: "start" | "middle" | "end";
  from: number;
  to: number;
}

function labelAt(place: number, text: string): Label {
  const wide = LETTER * text.length;
  const anchor = place < wide / 2 ? "start" : place > 100 - wide / 2 ? "end" : "middle";
  const from = anchor === "start" ? place : anchor === "end" ? place - wide : place - wide / 2;
  return { place, text, anchor, from, to: from + wide };
}

/** First the first instant of each day, with its date, then the other instants that find room beside them. */
function labelsOf(slots: readonly Slot[], places: readonly number[]): Label[] {
  const labels: Label[] = [];
  const add = (label: Label) => {
    if (labels.every((one) => label.to + 1 < one.from || one.to + 1 < label.from)) labels.push(label);
  };
  const texts = slots.map(({ at }) => iso(at));
  const isFirst = (i: number) => texts[i]?.slice(0, 10) !== texts[i - 1]?.slice(0, 10);
  const all = slots.map((_, i) => i).filter((i) => texts[i] !== texts[i - 1]);
  // The last one ends at the edge, so it finds room first.
  for (const i of [...all.slice(-1), ...all].filter(isFirst))
    add(labelAt(places[i] ?? 0, `${texts[i]?.slice(5, 10)} ${texts[i]?.slice(11, 19)}`));
  for (const i of all) add(labelAt(places[i] ?? 0, texts[i]?.slice(11, 19) ?? ""));
  return labels;
}

export function ticksSvg(slots: readonly Slot[], places: readonly number[], y: number): Html {
  return html`${slots.map(({ at }, i) => {
    const before = slots[i - 1];
    const [place = 0, from = 0] = [places[i], places[i - 1]];
    if (before?.at === at) return html`<line class="base" x1="${from}%" x2="${place}%" y1="${y}" y2="${y}"/>`;
    const tick = html`<line class="tick-line" x1="${place}%" x2="${place}%" y1="${y}" y2="${y + 6}"/>`;
    if (!before) return tick;
    const text = waitText(at - before.at);
    const isNamed = at - before.at >= SHOWN_WAIT_MS && place - from > LETTER * text.length;
    // A wait is not in proportion, so its line is broken.
    return html`<line class="base wait" x1="${from}%" x2="${place}%" y1="${y}" y2="${y}"/>${tick}${isNamed ? html`<text class="gap-name" x="${(place + from) / 2}%" y="${y + 13}">${text}</text>` : null}`;
  })}${labelsOf(slots, places).map(({ place, text, anchor }) => html`<text class="tick-name" x="${place}%" y="${y + 28}" text-anchor="${anchor}">${text}</text>`)}`;
}
