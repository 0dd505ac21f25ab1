import type { Candidate } from "./derive.ts";
import type { Fault } from "./faults.ts";
import type { Finding } from "./judge.ts";
import type { Recording } from "./recording.ts";

export interface Broken {
  faults: Fault[];
  recording: Recording;
  finding: Finding;
}

/** Plays the faults and returns the break, if the run shows the same symptom. */
export type Attempt = (faults: readonly Fault[]) => Promise<Broken | undefined>;

/** Shorter waits to try, in ms. */
const WAITS = [1000, 2000, 5000] as const;

/** @param earlier candidates of the same kind at earlier places */
export async function shrink(broken: Broken, attempt: Attempt, earlier: (fault: Fault) => readonly Candidate[]): Promise<Broken> {
  let smallest = broken;
  smallest = await dropFaults(smallest, attempt);
  smallest = await moveEarlier(smallest, attempt, earlier);
  return shortenWaits(smallest, attempt);
}

async function dropFaults(broken: Broken, attempt: Attempt): Promise<Broken> {
  let smallest = broken;
  for (const fault of broken.faults) {
    if (smallest.faults.length < 2) break;
    const rest = smallest.faults.filter((one) => one !== fault);
    smallest = (await attempt(rest)) ?? smallest;
  }
  return smallest;
}

async function moveEarlier(broken: Broken, attempt: Attempt, earlier: (fault: Fault) => readonly Candidate[]): Promise<Broken> {
  if (broken.faults.length !== 1) return broken;
  for (const { fault } of earlier(broken.faults[0] as Fault)) {
    const found = await attempt([fault]);
    if (found) return found;
  }
  return broken;
}

async function shortenWaits(broken: Broken, attempt: Attempt): Promise<Broken> {
  let smallest = broken;
  for (const [i, fault] of broken.faults.entries()) {
    const { wait, withWait } = fault;
    if (wait === undefined || !withWait) continue;
    for (const less of WAITS.filter((one) => one < wait)) {
      const found = await attempt(smallest.faults.with(i, withWait(less)));
      if (!found) continue;
      smallest = found;
      break;
    }
  }
  return smallest;
}
