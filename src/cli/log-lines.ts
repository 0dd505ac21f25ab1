import { parseInstant } from "../engine/core/clock.ts";
import { styleText } from "node:util";
import type {
  ActEvent,
  CallEvent,
  ClockEvent,
  DeliveryEvent,
  JobEvent,
  LintEvent,
  LogEvent,
  Named,
  StatusEvent,
} from "../inspector/log/log-event.ts";
import { FOLDED_MAX } from "../inspector/log/folding.ts";
import { findingLine } from "../inspector/lint/finding.ts";
import { spokenDuration } from "../engine/core/time-limits.ts";
import { withoutControls } from "../engine/core/text.ts";

/** `to` is the status that the event led to. `since` and `until` are the times of the first and last of `count` events, in ISO 8601. */
export interface Entry {
  event: LogEvent;
  to?: string;
  count: number;
  since: string;
  until: string;
}

export interface LineStyle {
  color: boolean;
  clock: "time" | "instant";
}

/**
 * A new status joins the call, act or job that caused it, about the same document. Repeated calls become one entry with a count. Entries in
 * `before` may still grow.
 */
export function toEntries(events: readonly LogEvent[], before: readonly Entry[] = []): Entry[] {
  const entries: Entry[] = before.map((one) => ({ ...one }));
  for (const event of events) {
    if (isShownByAct(event)) continue;
    const entry: Entry = { event, count: 1, since: event.at, until: event.at };
    const last = entries.at(-1);
    if (event.type === "status" && last && causedStatus(last, event)) last.to = reached(event);
    else {
      if (last?.event.type === "status" && event.type === "call" && isAbout(event, last.event)) {
        entry.to = last.to ?? reached(last.event);
        entries.pop();
      }
      const same = entries.slice(-FOLDED_MAX).find((one) => isRepeat(one, entry));
      if (same && entries.slice(entries.indexOf(same)).every((one) => isFoldable(one))) {
        same.event = event;
        same.count++;
        same.until = event.at;
      } else entries.push(entry);
    }
  }
  return entries;
}

/** Reads change nothing, so equal reads can share a line. So can moves of an automatic clock, which are many. */
export function isFoldable({ event, to }: Entry): boolean {
  if (to !== undefined) return false;
  return (event.type === "call" && event.method === "GET") || (event.type === "clock" && event.mode === "auto");
}

function isRepeat(one: Entry, other: Entry): boolean {
  return isFoldable(one) && isFoldable(other) && foldKey(one.event) === foldKey(other.event);
}

function foldKey(event: LogEvent): string {
  if (event.type !== "call") return `${event.type} ${event.tenant}`;
  return [event.tenant, event.method, event.url, event.status, event.rule, event.why].join(" ");
}

function isShownByAct(event: LogEvent): boolean {
  return event.type === "job" && event.kind === "scenario_step" && event.refused === undefined;
}

function causedStatus({ event }: Entry, status: StatusEvent): boolean {
  if (event.tenant !== status.tenant || event.at !== status.at) return false;
  if (event.type !== "act" && event.type !== "job" && event.type !== "status") return false;
  return event.document?.id === status.document.id;
}

function isAbout(call: CallEvent, status: StatusEvent): boolean {
  return call.tenant === status.tenant && (call.about?.some((one) => one.id === status.document.id) ?? false);
}

type Styles = Parameters<typeof styleText>[0];
type Paint = (styles: Styles, text: string) => string;

const LABEL_WIDTH = 6;
const STATUS_WIDTH = 3;

export function lineOf(entry: Entry, { color, clock }: LineStyle): string {
  const paint: Paint = color ? (styles, text) => styleText(styles, text, { validateStream: false }) : (_, text) => text;
  const { event, to, count, since, until } = entry;
  const time = clock === "time" ? since.slice("2026-01-01T".length, -1) : since;
  const { label, labelStyle, status, parts } = PARTS[event.type](event as never, paint, to);
  const code = status === undefined ? " ".repeat(STATUS_WIDTH) : paint(statusStyle(status), String(status ?? "---"));
  const repeated = count === 1 ? [] : [paint("bold", `×${count}`) + paint("dim", ` in ${spokenDuration(span(since, until))}`)];
  const tenant = event.tenant === "default" ? [] : [paint("dim", clean(event.tenant))];
  const rest = [...parts, ...repeated, ...tenant].filter(Boolean).join(paint("dim", " · "));
  return `${paint("dim", time)}  ${paint(labelStyle, label.padEnd(LABEL_WIDTH))}  ${code}  ${rest}`;
}

/** Lines with their times. When they span several days, each day begins with a line of its date. */
export function datedLines(entries: readonly Entry[], color: boolean): string[] {
  const dates = entries.map(({ since }) => since.slice(0, "2026-01-01".length));
  const isOneDay = dates.every((date) => date === dates[0]);
  return entries.flatMap((one, i) => [
    ...(isOneDay || dates[i] === dates[i - 1] ? [] : [dates[i] as string]),
    lineOf(one, { color, clock: "time" }),
  ]);
}

interface Parts {
  label: string;
  labelStyle: Styles;
  status?: number | null;
  parts: string[];
}

const PARTS = {
  call: callParts,
  delivery: deliveryParts,
  act: actParts,
  status: statusParts,
  job: jobParts,
  clock: clockParts,
  reset: (): Parts => ({ label: "reset", labelStyle: "cyan", parts: ["back to the initial state"] }),
  lint: lintParts,
} as const satisfies { [Type in LogEvent["type"]]: (event: never, paint: Paint, to?: string) => Parts };

function callParts(event: CallEvent, paint: Paint, to: string | undefined): Parts {
  const { about = [], rule, took_ms } = event;
  const why = event.why ?? "";
  const names = about.map((one, i) => subject(one, paint, i === about.length - 1 ? to : undefined));
  const reason = [rule !== undefined && !why.includes(`rule ${rule}`) ? `rule ${rule}` : "", why].filter(Boolean).join(": ");
  return {
    label: event.method,
    labelStyle: "cyan",
    status: event.status,
    parts: [
      shownPath(event),
      ...names,
      paint("dim", spokenDuration(took_ms)),
      reason && paint(reasonStyle(event.status), clean(reason)),
    ],
  };
}

function shownPath({ url, about = [] }: CallEvent): string {
  return clean(about.reduce((path, { id }) => path.replace(id, () => `…${id.slice(-ID_TAIL_LENGTH)}`), url));
}

const ID_TAIL_LENGTH = 4;

function deliveryParts(event: DeliveryEvent, paint: Paint): Parts {
  const { status, state, attempt, document, document_status, reason, signed, took_ms, retry_ms } = event;
  const next =
    state === "failed"
      ? "no retry is left"
      : state === "pending"
        ? `retry in ${retry_ms === undefined ? "a while" : spokenDuration(retry_ms)}`
        : "";
  const note = state === "delivered" ? "dim" : "yellow";
  return {
    label: "hook",
    labelStyle: "magenta",
    status,
    parts: [
      `${event.event} → ${clean(event.url)}`,
      [document && subject(document, paint), document_status].filter(Boolean).join(" "),
      paint("dim", spokenDuration(took_ms)),
      attempt > 1 ? `attempt ${attempt}` : "",
      signed === undefined ? "" : `signature ${signed.replace("_", " ")} on purpose`,
      reason === undefined ? "" : paint(note, clean(reason)),
      next && paint(note, next),
    ],
  };
}

function actParts({ by, act, document, reason }: ActEvent, paint: Paint, to: string | undefined): Parts {
  return {
    label: "act",
    labelStyle: "blue",
    parts: [
      `${clean(by)} ${act} ${subject(document, paint, to)}`,
      reason === undefined ? "" : paint("dim", `"${clean(reason)}"`),
    ],
  };
}

function statusParts(event: StatusEvent, paint: Paint, to = reached(event)): Parts {
  return { label: "status", labelStyle: "blue", parts: [subject(event.document, paint, to)] };
}

function reached({ status, reason }: StatusEvent): string {
  return reason ? `${status}: ${reason}` : status;
}

function jobParts({ kind, name, act, document, refused }: JobEvent, paint: Paint, to: string | undefined): Parts {
  const what = kind === "scenario_step" ? `${name} cannot ${act}` : [kind.replaceAll("_", " "), name].filter(Boolean).join(" ");
  return {
    label: "job",
    labelStyle: "gray",
    parts: [
      clean(what),
      document ? subject(document, paint, to) : "",
      refused === undefined ? "" : paint("yellow", clean(refused)),
    ],
  };
}

function clockParts({ at, to = at, mode, speed, moved_ms }: ClockEvent, paint: Paint): Parts {
  const now = `${to.slice(0, 10)} ${to.slice(11, 19)}`;
  const pace = speed === 1 ? mode : `${mode}, ${speed} times as fast`;
  return {
    label: "clock",
    labelStyle: "cyan",
    parts: [
      moved_ms === undefined ? `${mode === "auto" ? "moved" : "set"} to ${now}` : `moved ${spokenDuration(moved_ms)} to ${now}`,
      paint("dim", pace),
    ],
  };
}

function lintParts(event: LintEvent, paint: Paint): Parts {
  return { label: "lint", labelStyle: "yellow", parts: [paint("yellow", clean(findingLine(event)))] };
}

function subject({ name }: Named, paint: Paint, to?: string): string {
  return paint("bold", clean(name)) + (to === undefined ? "" : ` → ${paint("bold", clean(to))}`);
}

function statusStyle(status: number | null): Styles {
  if (status === null || status >= 500) return "red";
  return status >= 400 ? "yellow" : "green";
}

function reasonStyle(status: number | null): Styles {
  return status === null || status >= 400 ? "yellow" : "dim";
}

function span(from: string, to: string): number {
  return (parseInstant(to) ?? 0) - (parseInstant(from) ?? 0);
}

const clean = withoutControls;

/** Escapes control characters and direction marks, because a terminal may show the line. */
export function jsonLine(event: LogEvent): string {
  return clean(JSON.stringify(event));
}
