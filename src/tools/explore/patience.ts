/** How long a client waits for a document that is processed slowly. */
import { isAccepted } from "./forgery.ts";
import { type CallItem, callsOf, type Recording } from "./recording.ts";
import type { FaultPlace } from "./report.ts";

export interface Patience {
  /** Milliseconds on the clock from the creation to the last look at the document. */
  waited_ms: number;
  /** The processing must last so long that one more look would not have helped. */
  needed_ms: number;
}

/** The status of a document while it is processed. */
const PROCESSED = "document.uploaded";

type Slow = FaultPlace & { wait?: number };

/** Undefined when the client did not give up while the document was processed. */
export function patienceOf(run: Recording, fault: Slow): Patience | undefined {
  if (fault.fault !== "slow_processing") return undefined;
  const { creation, looks } = looksAfter(run, fault);
  const last = looks.at(-1);
  if (!creation || last?.entry.subjectStatus !== PROCESSED) return undefined;
  const pause = last.at - (looks.at(-2) ?? creation).at;
  return { waited_ms: last.at - creation.at, needed_ms: last.at + pause - creation.at };
}

function looksAfter(run: Recording, { operation, nth }: FaultPlace): { creation: CallItem | undefined; looks: CallItem[] } {
  const calls = callsOf(run);
  const creation = calls.find((one) => one.operation === operation && one.nth === nth && one.creates);
  const looks = calls.filter((one) => creation !== undefined && one !== creation && one.document === creation.document);
  return { creation, looks };
}

/**
 * Whether only docdouble's clock brought the end of slow processing. Where a client does not declare its sleeps, the clock moves while it
 * pauses in real time. Then nobody knows whether it waits long enough. A client that hears of the end by an event waits without a limit.
 */
export function isUnproven(run: Recording, faults: readonly FaultPlace[], time: "virtual" | "wall"): boolean {
  if (time === "virtual" || run.declaresSleeps) return false;
  return faults.some((fault) => {
    const [first] = fault.fault === "slow_processing" ? looksAfter(run, fault).looks : [];
    if (!first) return false;
    const before = run.items.slice(0, run.items.indexOf(first));
    return !before.some((one) => one.kind === "post" && one.document === first.document && isAccepted(one));
  });
}

const SECOND_MS = 1000;

/** The shortest wait of the fault, in whole seconds, that leaves room for one more look. Undefined when its wait leaves the room. */
export function roomierWait(run: Recording, fault: Slow): number | undefined {
  const patience = patienceOf(run, fault);
  if (!patience || fault.wait === undefined || patience.needed_ms <= fault.wait) return undefined;
  return Math.ceil(patience.needed_ms / SECOND_MS) * SECOND_MS;
}

/** Says how long the client waits, and how long processing takes. Times are rounded, because real calls take some milliseconds. */
export function patienceText(run: Recording, fault: Slow): string | undefined {
  const patience = patienceOf(run, fault);
  if (!patience) return undefined;
  const seconds = (ms: number) => `${Math.round(ms / SECOND_MS)} s`;
  const processing = fault.wait === undefined ? "processing takes longer" : `processing takes ${seconds(fault.wait)}`;
  return `It waits ${seconds(patience.waited_ms)} for the document, and ${processing}.`;
}
