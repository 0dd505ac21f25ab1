import type { Candidate } from "./derive.ts";
import { type Fault, placeText } from "./faults.ts";
import type { Finding } from "./finding.ts";
import { roomierWait } from "./patience.ts";
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

/**
 * Returns undefined when a wait only seems to break the client. A client may give up within one look of the end of the wait. With calls
 * that take time, its last look could come after the end.
 */
export async function shrink(broken: Broken, attempt: Attempt, earlier: Earlier): Promise<Broken | undefined> {
  const roomy = await leaveRoom(broken, attempt);
  if (!roomy) return undefined;
  const withRoom: Attempt = async (faults) => {
    const found = await attempt(faults);
    return found && tightAt(found) < 0 ? found : undefined;
  };
  const fewest = await dropFaults(roomy, withRoom);
  const earliest = await moveEarlier(fewest, withRoom, earlier);
  return shortenWaits(earliest, withRoom);
}

/** The index of a fault whose wait ends too soon after the last look. -1 when there is none. */
function tightAt({ faults, recording }: Broken): number {
  return faults.findIndex((one) => roomierWait(recording, one) !== undefined);
}

async function leaveRoom(broken: Broken, attempt: Attempt): Promise<Broken | undefined> {
  const i = tightAt(broken);
  const fault = broken.faults[i];
  if (!fault?.withWait) return broken;
  const roomy = await attempt(broken.faults.with(i, fault.withWait(roomierWait(broken.recording, fault) as number)));
  return roomy && tightAt(roomy) < 0 ? roomy : undefined;
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
