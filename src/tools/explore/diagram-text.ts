import { withoutControls } from "../../engine/core/text.ts";
import type { Party, Step } from "./report.ts";

const GAP_MIN = 18;
const LABEL_MARGIN = 6;
const DETAIL_MAX = 100;

export function diagramLines(
  steps: readonly Step[],
  mark: (line: string, kind: "fault" | "failing") => string = (line) => line,
): string[] {
  const story = storyLines(steps);
  const timeWidth = Math.max(...story.map((one) => one.time.length), 0) + 2;
  const columns = columnsOf(story, timeWidth + 3);
  const drawn = story.map((one) => {
    const line = `${lineOf(one, columns)}${noteOf(one)}`;
    const { failing, fault } = one.step;
    return failing ? mark(line, "failing") : fault ? mark(line, "fault") : line;
  });
  return [header(columns), ...drawn];
}

type Columns = ReadonlyMap<Party, number>;

function header(columns: Columns): string {
  let line = "";
  for (const [party, at] of columns) {
    const name = PARTY_NAMES[party];
    line = line.padEnd(Math.max(at - Math.floor(name.length / 2), line.length + 1)) + name;
  }
  return line;
}

function lineOf({ step, label, time }: StoryLine, columns: Columns): string {
  const width = Math.max(...columns.values()) + 1;
  const line = [...time.padEnd(width)];
  for (const at of columns.values()) line[at] = "│";
  const [from = 0, to = 0] = [columns.get(step.from), columns.get(step.to)];
  if (from === to) return put(line, from, step.failing ? "✗" : "■").join("");
  const [first, last] = from < to ? [from, to] : [to, from];
  for (let at = first + 1; at < last; at++) line[at] = "─";
  if (from < to) line[last - 1] = "▶";
  else line[first + 1] = "◀";
  return put(line, first + Math.max(2, Math.floor((last - first - label.length - 1) / 2)), ` ${label} `).join("");
}

function put(line: string[], at: number, text: string): string[] {
  line.splice(at, text.length, ...text);
  return line;
}

function noteOf({ step, label }: StoryLine): string {
  const words = [
    step.fault ? `${step.failing ? "" : "⚡ "}${step.fault}` : "",
    step.from === step.to ? label : "",
    withoutControls(step.detail.length > DETAIL_MAX ? `${step.detail.slice(0, DETAIL_MAX)}…` : step.detail),
    step.failing ? "← here" : "",
  ].filter(Boolean);
  return words.length === 0 ? "" : `  ${words.join(" · ")}`;
}

interface StoryLine {
  step: Step;
  label: string;
  time: string;
  count: number;
}

/** Steps that repeat the step before, such as polls, become one line: `statusDocument → 200 ×12`. */
function storyLines(steps: readonly Step[]): StoryLine[] {
  const lines: StoryLine[] = [];
  for (const step of steps) {
    const last = lines.at(-1);
    if (last && isSame(last.step, step)) {
      last.count++;
      last.label = `${labelOf(step)} ×${last.count}`;
    } else lines.push({ step, label: labelOf(step), time: timeText(step.at), count: 1 });
  }
  return lines;
}

function isSame(a: Step, b: Step): boolean {
  const isPlain = (one: Step) => one.fault === undefined && one.failing === undefined;
  return isPlain(a) && isPlain(b) && a.kind === b.kind && a.what === b.what && a.answer === b.answer && a.detail === b.detail;
}

function labelOf({ what, answer }: Step): string {
  return withoutControls(answer === "" ? what : `${what} → ${answer}`);
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
] as const;

/** Two units suffice: `+0s`, `+0.4s`, `+2m 5s`, `+3d 1h`. */
export function timeText(ms: number): string {
  if (ms < 1000) return `+${Math.round(ms / 100) / 10}s`;
  const parts: string[] = [];
  // A wait of whole seconds takes some milliseconds more or less.
  let left = Math.round(ms / 1000) * 1000;
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return `+${parts.join(" ")}`;
}

const PARTIES: readonly Party[] = ["client", "service", "recipient", "receiver"];
const PARTY_NAMES: Readonly<Record<Party, string>> = {
  client: "client",
  service: "service",
  recipient: "recipients",
  receiver: "webhook receiver",
};

function columnsOf(story: readonly StoryLine[], left: number): Columns {
  const takesPart = (party: Party) => story.some(({ step }) => step.from === party || step.to === party);
  const parties = PARTIES.filter((party) => party === "client" || party === "service" || takesPart(party));
  const places = parties.map((_, i) => left + i * GAP_MIN);
  for (const { step, label } of story) {
    const [first = 0, last = 0] = [parties.indexOf(step.from), parties.indexOf(step.to)].sort((a, b) => a - b);
    const missing = first === last ? 0 : label.length + LABEL_MARGIN - ((places[last] ?? 0) - (places[first] ?? 0));
    if (missing > 0) for (let i = last; i < places.length; i++) places[i] = (places[i] ?? 0) + missing;
  }
  return new Map(parties.map((party, i) => [party, places[i] ?? left]));
}
