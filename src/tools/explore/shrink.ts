import type { Candidate } from "./derive.ts";
import { type Fault, placeText } from "./faults.ts";
import type { Finding } from "./finding.ts";
import type { Recording } from "./recording.ts";
import type { Cell, FaultPlace } from "./report.ts";

export interface Broken {
  faults: Fault[];
  recording: Recording;
  finding: Finding;
}

/** Returns the break, if the run shows the same symptom. */
export type Attempt = (faults: readonly Fault[]) => Promise<Broken | undefined>;

const SHORTER_WAITS_MS = [1000, 2000, 5000] as const;

/** The candidates of a fault's kind at earlier places, the earliest first. */
export type Earlier = (broken: Broken, fault: Fault) => readonly Candidate[];

export async function shrink(broken: Broken, attempt: Attempt, earlier: Earlier): Promise<Broken> {
  const fewest = await dropFaults(broken, attempt);
  const earliest = await moveEarlier(fewest, attempt, earlier);
  return shortenWaits(earliest, attempt);
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

async function moveEarlier(broken: Broken, attempt: Attempt, earlier: Earlier): Promise<Broken> {
  let smallest = broken;
  for (const [i, fault] of broken.faults.entries())
    for (const { fault: other } of earlier(smallest, fault)) {
      // A call has at most one fault.
      if (smallest.faults.some((one) => one.operation === other.operation && one.nth === other.nth)) continue;
      const found = await attempt(smallest.faults.with(i, other));
      if (!found) continue;
      smallest = found;
      break;
    }
  return smallest;
}

async function shortenWaits(broken: Broken, attempt: Attempt): Promise<Broken> {
  let smallest = broken;
  for (const [i, fault] of broken.faults.entries()) {
    const { wait, withWait } = fault;
    if (wait === undefined || !withWait) continue;
    for (const less of SHORTER_WAITS_MS.filter((one) => one < wait)) {
      const found = await attempt(smallest.faults.with(i, withWait(less)));
      if (!found) continue;
      smallest = found;
      break;
    }
  }
  return smallest;
}

/** A single fault that was tried at a place did not break the client there. */
export function isTried(cells: readonly Cell[], place: FaultPlace): boolean {
  return cells.some((cell) => placeText(cell) === placeText(place) && cell.run !== undefined);
}
