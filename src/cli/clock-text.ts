import { parseInstant } from "../engine/core/clock.ts";
import { spokenDuration } from "../engine/core/time-limits.ts";
import { tableText } from "./table.ts";

export interface ClockState {
  now: string;
  mode: string;
  speed: number;
  pending: number;
  next: string | null;
  stop_at?: string | null;
}

export interface Advanced {
  from: string;
  to: string;
  fired: ({ at: string; kind: string; refused?: string } & Record<string, unknown>)[];
  deliveries: { event: string; url: string; state: string }[];
}

export function clockText({ now, mode, speed, pending, next, stop_at }: ClockState): string {
  const pace = [mode, ...(speed === 1 ? [] : [`${speed} times as fast`]), ...(stop_at ? [`stops at ${shown(stop_at)}`] : [])];
  const jobs =
    next === null
      ? "No job waits."
      : `${pending} ${pending === 1 ? "job waits" : "jobs wait"}. The next is due ${wait(now, next)}, at ${shown(next)}.`;
  return `${shown(now)}  ${pace.join(", ")}\n${jobs}\n`;
}

function wait(now: string, next: string): string {
  const ms = span(now, next);
  return ms <= 0 ? "now" : `in ${spokenDuration(ms)}`;
}

const ROWS_MAX = 20;

export function advancedText({ from, to, fired, deliveries }: Advanced): string {
  const rows = [
    ...fired.map(({ at, kind, refused, ...rest }) => [
      shown(at),
      kind.replaceAll("_", " "),
      [...Object.values(rest).map(word), ...(refused === undefined ? [] : [`refused: ${refused}`])].join(" "),
    ]),
    ...deliveries.map(({ event, url, state }) => ["", "webhook", `${event} → ${url}: ${state}`]),
  ];
  const more = rows.length - ROWS_MAX;
  const table = tableText([["at", "what", "about"], ...rows.slice(0, ROWS_MAX)]);
  const happened =
    rows.length === 0 ? "Nothing fell due." : more > 0 ? `${table}\n… and ${more} more: --json shows them.` : table;
  return `The clock moved ${spokenDuration(span(from, to))}, to ${shown(to)}.\n${happened}\n`;
}

function word(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shown(instant: string): string {
  return instant.slice(0, 19).replace("T", " ");
}

function span(from: string, to: string): number {
  return (parseInstant(to) ?? 0) - (parseInstant(from) ?? 0);
}
