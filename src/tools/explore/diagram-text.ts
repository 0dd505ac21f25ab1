import { withoutControls } from "../../engine/core/text.ts";
import type { Party, Step } from "./report.ts";
import { columnsOf, PARTY_NAMES, type StoryLine, storyLines } from "./story-lines.ts";

const GAP_MIN = 18;
const DETAIL_MAX = 100;

export function diagramLines(
  steps: readonly Step[],
  mark: (line: string, kind: "fault" | "failing") => string = (line) => line,
): string[] {
  const story = storyLines(steps);
  const timeWidth = Math.max(...story.map((one) => one.time.length), 0) + 2;
  const columns = columnsOf(story, { left: timeWidth + 3, gapMin: GAP_MIN, widthOf: (label) => label.length + 6 });
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
