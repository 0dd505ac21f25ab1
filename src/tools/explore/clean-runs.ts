/** The two runs without a fault that begin an exploration. Both must pass, and the client must behave the same in both. */
import { SYMPTOMS } from "./symptoms.ts";
import { findRefusal } from "./forgery.ts";
import { callsOf, type Recording } from "./recording.ts";
import type { Runs } from "./runs.ts";
import { doSame } from "./same-deeds.ts";
import { steadyTexts } from "./steady.ts";
import { firstDifference } from "./story.ts";

export interface CleanRuns {
  first: Recording;
  /** Undefined when the first run has a problem, and when the user interrupted a run. */
  second?: Recording;
  problem?: { kind: "failed" | "differs"; text: string };
}

/**
 * Plays both runs, and plays them again when a pause of the client may have caused their problem or a difference between them. On a busy machine, a client can pause
 * in one of the runs only. docdouble takes the pause for a wait and moves the clock, so the client sees other answers in that run.
 */
export async function playCleanRuns(runs: Runs): Promise<CleanRuns> {
  const clean = await playBoth(runs);
  const isUneven = clean.problem !== undefined || (clean.second && firstDifference(clean.first, clean.second) !== undefined);
  if (!isUneven || !mayComeFromPause(clean)) return clean;
  runs.startAgain();
  return playBoth(runs);
}

/** A client that hangs would hang again. */
function mayComeFromPause({ first, second }: CleanRuns): boolean {
  return first.end.kind !== "hung" && (first.hasMovedInSilence || second?.hasMovedInSilence === true);
}

async function playBoth(runs: Runs): Promise<CleanRuns> {
  const first = await runs.clean();
  if (first.end.kind === "interrupted") return { first };
  const failure = failureOf(first);
  if (failure !== undefined) return { first, problem: { kind: "failed", text: withRefusal(failure, first) } };
  const second = await runs.clean();
  if (second.end.kind === "interrupted") return { first };
  const difference = doSame(first, second, steadyTexts(first, second)) ? undefined : firstDifference(first, second);
  return difference === undefined ? { first, second } : { first, second, problem: { kind: "differs", text: difference } };
}

/** A receiver that refuses each event may be the cause, or a call that docdouble refuses with a reason. */
function withRefusal(failure: string, first: Recording): string {
  const refusal = findRefusal(first, []);
  const refused = callsOf(first).findLast(({ entry }) => (entry.status ?? 0) >= 400 && entry.why !== undefined);
  return [
    failure,
    ...(refusal ? [`${refusal.message} ${SYMPTOMS[refusal.symptom].advice}`] : []),
    ...(refused ? [`docdouble answered ${refused.entry.status} to ${refused.operation}: ${refused.entry.why}`] : []),
  ].join("\n");
}

/** Why a run without a fault does not pass, in a sentence. Undefined when it passes. */
export function failureOf({ end, unmet, broken }: Recording): string | undefined {
  if (end.kind === "failed") return `The clean run fails: ${end.stack ?? end.message}`;
  if (end.kind === "hung") return `The clean run does not end: ${end.message}.`;
  const [first] = unmet;
  if (first) return `The clean run breaks an expectation: ${first.text}: expected ${first.expected}, found ${first.found}.`;
  return broken === undefined ? undefined : `The clean run breaks the invariant: ${broken}`;
}
