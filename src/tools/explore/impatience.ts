/** Calls that come sooner than the answer before asked for, or too often. */
import type { Finding } from "./finding.ts";
import { type CallItem, callsOf, type Recording } from "./recording.ts";

/** Real time passes between the answer and the next call, and clocks round. */
const WALL_TOLERANCE_MS = 100;

function grouped(calls: readonly CallItem[]): CallItem[][] {
  const groups = new Map<string, CallItem[]>();
  for (const one of calls) {
    const key = `${one.operation} ${one.entry.subject ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

export function findImpatience(run: Pick<Recording, "items">, time: "virtual" | "wall"): Finding[] {
  return [...findIgnoredWaits(run, time), ...findFastPolls(run, time)];
}

function findIgnoredWaits(run: Pick<Recording, "items">, time: "virtual" | "wall"): Finding[] {
  for (const group of grouped(callsOf(run)))
    for (const [i, call] of group.entries()) {
      const seconds = Number(call.entry.responseHeaders["retry-after"]);
      const next = group[i + 1];
      if (!(seconds > 0) || call.entry.networkFault !== undefined || !next) continue;
      const answered = call.entry.at + call.entry.took_ms;
      // A call with another cause comes from a part of the client that does not know the answer.
      if (next.entry.at < answered || next.cause !== call.cause) continue;
      const waited = time === "virtual" ? next.entry.at - answered : next.wall - call.wall + WALL_TOLERANCE_MS;
      if (waited >= seconds * 1000) continue;
      const message = `The client repeats ${call.operation} after ${waitText(waited, time)}, though the answer asks it to wait ${seconds} s.`;
      return [{ symptom: "ignored_retry_after", message, item: next }];
    }
  return [];
}

/** Rounds, so that equal runs give equal reports although real waits differ a little. */
function waitText(ms: number, time: "virtual" | "wall"): string {
  if (time === "virtual") return `${Math.max(0, Math.round(ms))} ms`;
  return ms < 1000 ? "less than 1 s" : `about ${Math.round(ms / 1000)} s`;
}

const POLL_MS_MIN = 500;
const FAST_POLLS_MAX = 3;

function findFastPolls(run: Pick<Recording, "items">, time: "virtual" | "wall"): Finding[] {
  for (const group of grouped(callsOf(run))) {
    let fast = 0;
    for (const [i, call] of group.entries()) {
      const before = group[i - 1];
      const isPoll = before && call.entry.method === "GET" && isSameAnswer(before, call) && call.entry.status === 200;
      const gap = !before ? 0 : time === "virtual" ? call.entry.at - before.entry.at : call.wall - before.wall;
      fast = isPoll && gap < POLL_MS_MIN ? fast + 1 : 0;
      if (fast < FAST_POLLS_MAX) continue;
      const pause = time === "virtual" ? `after ${Math.round(gap)} ms` : `within ${POLL_MS_MIN} ms`;
      const message = `The client asks ${call.operation} again and again, the last time ${pause}.`;
      return [{ symptom: "polls_too_fast", message, item: call }];
    }
  }
  return [];
}

function isSameAnswer(a: CallItem, b: CallItem): boolean {
  return a.entry.url === b.entry.url && a.entry.status === b.entry.status && a.entry.responseBody === b.entry.responseBody;
}
