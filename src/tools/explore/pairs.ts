/** What two faults in one run mean. */
import type { Fault } from "./faults.ts";
import type { Finding } from "./finding.ts";
import { callsOf, type Recording } from "./recording.ts";
import type { FaultName } from "./report.ts";

export const NEW_ANSWERS = new Set<FaultName>(["new_status", "new_member", "null_member", "stale_read", "overtaken"]);

/** A client may give up when one call meets two faults in a row. */
export function mayGiveUp(recording: Recording, [first, second]: readonly Fault[], { symptom }: Finding): boolean {
  if (symptom !== "failed" || !first || !second) return false;
  const calls = callsOf(recording);
  const callOf = (fault: Fault) => calls.find((one) => one.operation === fault.operation && one.nth === fault.nth);
  return first.operation === second.operation && callOf(first)?.entry.url === callOf(second)?.entry.url;
}
