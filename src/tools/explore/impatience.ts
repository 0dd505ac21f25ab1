/** Calls that come sooner than the answer before asked for, or too often. */
import type { Finding } from "./finding.ts";
import { type CallItem, callsOf, type Recording } from "./recording.ts";
import { sameWork } from "./same-call.ts";
import { groupBy } from "../../engine/core/maps.ts";

/** Real time passes between the answer and the next call, and clocks round. */
const WALL_TOLERANCE_MS = 100;

type Played = Pick<Recording, "items" | "waits">;
type Time = "virtual" | "wall";

/** @param clean the run without a fault. Without it, each equal call counts as a repeat */
export function findImpatience(run: Played, time: Time, clean: Played = { items: [], waits: [] }): Finding[] {
  return [...findIgnoredWaits(clean, run, time), ...findFastPolls(run, time)];
}

/** A call for another document does not repeat the first, so the bodies count too. */
function findIgnoredWaits(clean: Played, run: Played, time: Time): Finding[] {
  const work = ({ entry }: CallItem) => sameWork(entry);
  const planned = groupBy(callsOf(clean), work);
  for (const [key, group] of groupBy(callsOf(run), work)) {
    const own = planned.get(key) ?? [];
    for (const [i, call] of group.entries()) {
      const seconds = Number(call.entry.responseHeaders["retry-after"]);
      if (!(seconds > 0) || call.entry.networkFault !== undefined) continue;
      if (group.length <= own.length && isPlanned(clean, own[i], own[i + 1])) continue;
      const answered = call.entry.at + call.entry.took_ms;
      const isEarly = (played: Played, one: CallItem, later: CallItem) =>
        waitBetween(played, one, later, time).ms + (time === "wall" ? WALL_TOLERANCE_MS : 0) < seconds * 1000;
      // A call with another cause comes from a part of the client that does not know the answer.
      const early = group
        .slice(i + 1)
        .filter((one) => one.entry.at >= answered && one.cause === call.cause && isEarly(run, call, one));
      const others = ofOtherParts(clean, own, i, time).filter((one) => isEarly(clean, own[i] as CallItem, one));
      const next = early[others.length];
      if (!next) continue;
      const waited = waitBetween(run, call, next, time);
      const message = `The client repeats ${call.operation} after ${waitText(waited, time)}, though the answer asks it to wait ${seconds} s.`;
      return [{ symptom: "ignored_retry_after", message, item: next }];
    }
  }
  return [];
}

/**
 * Whether the clean run makes the second call too. Two tests of one command make the same call, and the second test does
 * not know the answer of the first. Equal reads without a change between them are polls.
 */
function isPlanned(clean: Pick<Played, "items">, one: CallItem | undefined, next: CallItem | undefined): boolean {
  if (!one || !next) return false;
  if (next.entry.method !== "GET") return true;
  const calls = callsOf(clean);
  return calls.slice(calls.indexOf(one), calls.indexOf(next)).some(({ entry }) => entry.method !== "GET");
}

/**
 * The later calls of the clean run, where several parts of the client make the same call at the same moment. Such parts are workers, or tests
 * that run side by side. A part that was not refused does not know the answer.
 */
function ofOtherParts(clean: Played, own: readonly CallItem[], i: number, time: Time): CallItem[] {
  const isJoined = (at: number) => isTogether(clean, own[at - 1], own[at], time);
  let [from, to] = [i, i + 1];
  while (isJoined(from)) from--;
  while (isJoined(to)) to++;
  return to - from < 2 || isWait(clean, own, to - 1, time) ? [] : own.slice(i + 1);
}

function isTogether(played: Played, one: CallItem | undefined, next: CallItem | undefined, time: Time): boolean {
  return (
    one !== undefined &&
    next !== undefined &&
    pollGap(played, one, next, time) < POLL_MS_MIN &&
    (one.entry.method !== "GET" || isSameAnswer(one, next))
  );
}

/**
 * Whether equal reads without a pause wait for something: they concern one document, the next one shows news, or they are too many. Otherwise
 * several parts of the client read the same list at the same moment.
 */
function isWait(played: Played, group: readonly CallItem[], at: number, time: Time): boolean {
  const { entry } = group[at] as CallItem;
  if (entry.method === "GET" && entry.subject !== undefined) return true;
  let last = at;
  while (isTogether(played, group[last], group[last + 1], time)) last++;
  let first = at;
  while (isTogether(played, group[first - 1], group[first], time)) first--;
  const [one, next] = [group[last] as CallItem, group[last + 1]];
  const isNews =
    next?.entry.url === one.entry.url && one.entry.method === "GET" && next.entry.status === 200 && next.entry.rule === undefined;
  return (isNews && pollGap(played, one, next, time) < POLL_MS_MIN) || last - first >= PARTS_MAX;
}

/**
 * Milliseconds. The automatic clock of a command also moves without its waits, so real time counts there. A command may wait on docdouble's
 * clock too. Such waits take hardly any real time, and the command's own clock adds both.
 */
function waitBetween({ waits }: Played, call: CallItem, next: CallItem, time: Time): Waited {
  const answered = call.entry.at + call.entry.took_ms;
  if (time === "virtual") return { ms: next.entry.at - answered, shown_ms: next.entry.at - answered, isReal: false };
  const [real, asked] = [next.wall - call.wall, declared(waits, answered, next.entry.at)];
  return { ms: real + asked, shown_ms: asked === 0 ? real : asked, isReal: asked === 0 };
}

interface Waited {
  ms: number;
  /** Without the real time beside the declared waits, which differs from run to run. */
  shown_ms: number;
  /** The client declared no wait on docdouble's clock. */
  isReal: boolean;
}

/** How long the client waited on the clock between two instants. Waits of several threads overlap. */
function declared(waits: Recording["waits"], from: number, to: number): number {
  let sum = 0;
  let counted = from;
  for (const wait of [...waits].sort((a, b) => a.from - b.from)) {
    const [begin, end] = [Math.max(wait.from, counted), Math.min(wait.to, to)];
    if (end <= begin) continue;
    sum += end - begin;
    counted = end;
  }
  return sum;
}

const TENTH_MS = 100;
const HALF_MS = 500;

/** Rounds down, so that the wait is never as long as the answer asks for. Real waits differ a little from run to run. */
function waitText({ shown_ms: ms, isReal }: Waited, time: Time): string {
  if (time === "virtual") return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = (step: number) => (Math.floor(ms / step) * step) / 1000;
  if (!isReal) return `${seconds(TENTH_MS)} s`;
  return `${ms < 1000 ? "less than 1 s" : `about ${seconds(HALF_MS)} s`} of real time`;
}

const POLL_MS_MIN = 500;
const FAST_POLLS_MAX = 3;
/** More equal reads at one moment are an endless loop, as in client lint. */
const PARTS_MAX = 20;

function findFastPolls(run: Played, time: Time): Finding[] {
  for (const group of groupBy(callsOf(run), ({ operation, entry }) => `${operation} ${entry.subject ?? ""}`).values()) {
    let fast = 0;
    let since = 0;
    for (const [i, call] of group.entries()) {
      const before = group[i - 1];
      const isPoll = before && call.entry.method === "GET" && isSameAnswer(before, call) && call.entry.status === 200;
      const gap = before ? pollGap(run, before, call, time) : 0;
      fast = isPoll && gap < POLL_MS_MIN ? fast + 1 : 0;
      if (fast <= 1) since = before?.entry.at ?? 0;
      // An event is a good reason for one read.
      if (fast < FAST_POLLS_MAX || fast - eventsBetween(run, since - POLL_MS_MIN, call.entry.at) < FAST_POLLS_MAX) continue;
      if (!isWait(run, group, i, time)) continue;
      const pause = time === "virtual" ? `after ${Math.round(gap)} ms` : `within ${POLL_MS_MIN} ms`;
      const message = `The client asks ${call.operation} again and again, the last time ${pause}.`;
      return [{ symptom: "polls_too_fast", message, item: call }];
    }
  }
  return [];
}

function eventsBetween({ items }: Played, from: number, to: number): number {
  return items.filter(({ kind, at }) => kind === "post" && at >= from && at <= to).length;
}

function pollGap({ waits }: Played, before: CallItem, call: CallItem, time: Time): number {
  if (time === "virtual") return call.entry.at - before.entry.at;
  return call.wall - before.wall + declared(waits, before.entry.at, call.entry.at);
}

function isSameAnswer(a: CallItem, b: CallItem): boolean {
  return a.entry.url === b.entry.url && a.entry.status === b.entry.status && a.entry.responseBody === b.entry.responseBody;
}
