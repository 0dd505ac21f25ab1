/** Pairs of faults. The second fault hits a call that the client makes only because of the first. */
import type { Candidate } from "./derive.ts";
import type { Fault } from "./faults.ts";
import type { Finding } from "./finding.ts";
import { callsOf, type Recording } from "./recording.ts";
import { faultRecord } from "./fault-records.ts";
import type { FaultPlace } from "./report.ts";

export interface Pair {
  first: Candidate;
  second: Candidate;
}

export interface Survived {
  candidate: Candidate;
  recording: Recording;
}

export interface PairFacts {
  survived: readonly Survived[];
  secondsOf(recording: Recording): readonly Candidate[];
  /** Keys of the candidates of the run without a fault. */
  usual: ReadonlySet<string>;
  /** Kinds of faults that break the client alone. */
  broken: ReadonlySet<string>;
  /** Counts why a pair cannot show anything new. Returns whether the search leaves it out. */
  leavesOut(why: string): boolean;
}

export function kindOf({ fault, operation }: Pick<FaultPlace, "fault" | "operation">): string {
  return `${fault} ${operation}`;
}

/** Returns the pairs with the most weight first. */
export function pairsOf({ survived, secondsOf, usual, broken, leavesOut }: PairFacts): Pair[] {
  const pairs: Pair[] = [];
  const seen = new Set<string>();
  const whyNeedless = (first: Candidate, second: Candidate): string | undefined => {
    if (second.needless !== undefined) return second.needless;
    if ([first, second].some(({ fault: { fault } }) => faultRecord(fault).isNews || fault === "stale_read"))
      return "a new answer alone shows the same";
    if (usual.has(second.key)) return "after the first fault the client is back on its way, so the second alone shows the same";
    return seen.has(second.key) ? "another pair leads the client to the same place" : undefined;
  };
  for (const { candidate: first, recording } of survived) {
    for (const second of secondsOf(recording)) {
      // A call has at most one fault.
      if (second.fault.operation === first.fault.operation && second.fault.nth === first.fault.nth) continue;
      if (broken.has(kindOf(second.fault))) continue;
      const why = whyNeedless(first, second);
      if (why !== undefined && leavesOut(why)) continue;
      seen.add(second.key);
      pairs.push({ first, second });
    }
  }
  const weightOf = ({ first, second }: Pair) => first.weight + second.weight;
  return pairs.sort((a, b) => weightOf(b) - weightOf(a));
}

/** A client may give up when one call meets two faults in a row. */
export function mayGiveUp(recording: Recording, [first, second]: readonly Fault[], { symptom }: Finding): boolean {
  if (symptom !== "failed" || !first || !second) return false;
  const calls = callsOf(recording);
  const callOf = (fault: Fault) => calls.find((one) => one.operation === fault.operation && one.nth === fault.nth);
  return first.operation === second.operation && callOf(first)?.entry.url === callOf(second)?.entry.url;
}
