import { withoutControls } from "../../engine/core/text.ts";
import type { Party, Step } from "./report.ts";

export interface StoryLine {
  step: Step;
  label: string;
  time: string;
  count: number;
}

/** Steps that repeat the step before, such as polls, become one line: `statusDocument → 200 ×12`. */
export function storyLines(steps: readonly Step[]): StoryLine[] {
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
  if (ms < 1000) return `+${ms / 1000}s`;
  const parts: string[] = [];
  let left = ms;
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
export const PARTY_NAMES: Readonly<Record<Party, string>> = {
  client: "client",
  service: "service",
  recipient: "recipients",
  receiver: "webhook receiver",
};

export function columnsOf(
  story: readonly StoryLine[],
  { left, gapMin, widthOf }: { left: number; gapMin: number; widthOf(label: string): number },
): Map<Party, number> {
  const takesPart = (party: Party) => story.some(({ step }) => step.from === party || step.to === party);
  const parties = PARTIES.filter((party) => party === "client" || party === "service" || takesPart(party));
  const places = parties.map((_, i) => left + i * gapMin);
  for (const { step, label } of story) {
    const [first = 0, last = 0] = [parties.indexOf(step.from), parties.indexOf(step.to)].sort((a, b) => a - b);
    const missing = first === last ? 0 : widthOf(label) - ((places[last] ?? 0) - (places[first] ?? 0));
    if (missing > 0) for (let i = last; i < places.length; i++) places[i] = (places[i] ?? 0) + missing;
  }
  return new Map(parties.map((party, i) => [party, places[i] ?? left]));
}
