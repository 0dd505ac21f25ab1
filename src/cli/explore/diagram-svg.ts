import { type Html, html } from "../../engine/http/html.ts";
import type { Party, Step } from "../../tools/explore/report.ts";
import { columnsOf, PARTY_NAMES, type StoryLine, storyLines } from "../../tools/explore/story-lines.ts";

const ROW = 30;
const TOP = 44;
const LEFT = 96;
const GAP_MIN = 190;
const CHARACTER_WIDTH = 8;
const NOTES = 430;

/** A sequence diagram, and the same story as a list. A small screen shows the list only, because the diagram is wider than the screen. */
export function diagramSvg(steps: readonly Step[], title: string, id: string): Html {
  const story = storyLines(steps);
  const xs = columnsOf(story, { left: LEFT + 30, gapMin: GAP_MIN, widthOf: (label) => label.length * CHARACTER_WIDTH + 40 });
  const right = Math.max(...xs.values()) + NOTES;
  const bottom = TOP + story.length * ROW + 10;
  return html`<div class="scroll diagram" tabindex="0" role="region" aria-label="Sequence diagram of ${title}">
<svg viewBox="0 0 ${right} ${bottom}" width="${right}" height="${bottom}" role="img" aria-label="Sequence diagram of ${title}. The list below tells the same story.">
<defs>${["", "hit", "bad"].map((kind) => html`<marker id="${id}${kind}" class="tip ${kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>`)}</defs>
${[...xs].map(([party, x]) => html`<text class="party" x="${x}" y="22">${PARTY_NAMES[party]}</text><path class="lane" d="M${x} 32V${bottom}"/>`)}
${story.map((line, i) => lineSvg(line, xs, TOP + i * ROW + 18, right - NOTES, id))}
</svg></div>
<p class="choice"><input type="checkbox" id="${id}-list"> <label for="${id}-list">Show the story as a list</label></p>
<ol class="story">${story.map(itemHtml)}</ol>`;
}

function lineSvg({ step, label, time }: StoryLine, xs: ReadonlyMap<Party, number>, y: number, notes: number, id: string): Html {
  const [from = 0, to = 0] = [xs.get(step.from), xs.get(step.to)];
  const kind = step.failing ? "bad" : step.fault ? "hit" : "";
  const drawn =
    from === to
      ? html`<circle class="dot ${kind}" cx="${from}" cy="${y}" r="5"/>`
      : html`<path class="arrow ${kind}" marker-end="url(#${id}${kind})" d="M${from} ${y}H${to + (from < to ? -2 : 2)}"/><text class="label ${kind}" x="${(from + to) / 2}" y="${y - 5}">${label}</text>`;
  return html`<text class="time" x="8" y="${y + 4}">${time}</text>${drawn}<text class="note ${kind}" x="${notes + 14}" y="${y + 4}">${noteHtml(step, label)}</text>`;
}

const NOTE_MAX = 60;

function noteHtml(step: Step, label: string): Html {
  const text = [step.fault, step.from === step.to ? label : undefined, step.detail].filter(Boolean).join(" · ");
  return text.length > NOTE_MAX ? html`<title>${text}</title>${text.slice(0, NOTE_MAX - 1)}…` : html`${text}`;
}

function itemHtml({ step, label, time }: StoryLine): Html {
  const way = step.from === step.to ? PARTY_NAMES[step.from] : `${PARTY_NAMES[step.from]} → ${PARTY_NAMES[step.to]}`;
  return html`<li>${step.failing && html`<strong class="bad">Shows the symptom. </strong>`}${step.fault && html`<strong class="hit">${step.fault}: </strong>`}<span class="soft">${time} ${way}</span> <code>${label}</code> ${step.detail}</li>`;
}
