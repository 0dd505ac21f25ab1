/** Groups breaks by what the client lacks, so that one missing retry is one cause. */
import type { Break, Cause } from "./report.ts";
import { groupBy } from "../../engine/core/maps.ts";
import { FAULTS, faultRecord } from "./fault-records.ts";
import { SYMPTOM_NAMES, SYMPTOMS } from "./symptoms.ts";

export function causesOf(breaks: readonly Break[]): Cause[] {
  const causes = [...groupBy(breaks, keyOf).values()].map((all) => ({ all, cause: toCause(all) }));
  const harm = ({ all }: { all: readonly Break[] }) => SYMPTOM_NAMES.indexOf((all[0] as Break).symptom);
  return causes.sort((a, b) => harm(a) - harm(b) || b.cause.calls - a.cause.calls).map(({ cause }) => cause);
}

/** The last fault of a pair broke the client. */
const lastFault = ({ faults }: Break) => faults.at(-1)?.fault;

function remedyOf(one: Break): string | undefined {
  const fault = lastFault(one);
  return fault && faultRecord(fault).lacks?.[0];
}

/** The client does repeat the call, and the service refuses the second one, because the first took effect. */
function isRefusedRepeat({ symptom, faults, steps }: Break): boolean {
  const hit = steps.findIndex(({ fault }) => fault === faults.at(-1)?.fault);
  if (symptom !== "failed" || hit < 0) return false;
  return steps.slice(hit + 1).some(({ what, answer }) => what === steps[hit]?.what && /^4(?!29)/.test(answer));
}

const REFUSED_REPEAT = "takes the refusal of a repeated call for a failure, though the first call took effect";

function keyOf(one: Break): string {
  if (one.symptom !== "failed") return one.symptom;
  if (isRefusedRepeat(one)) return REFUSED_REPEAT;
  return `failed ${remedyOf(one) ?? lastFault(one) ?? ""}`;
}

function toCause(all: readonly Break[]): Cause {
  const [first] = all as [Break, ...Break[]];
  const places = new Set(all.flatMap(({ faults }) => faults.slice(-1).map(({ operation, nth }) => `${operation} ${nth}`)));
  return {
    cause: wordsOf(all),
    calls: places.size,
    breaks: all.map(({ name }) => name),
    example: first.name,
    advice: adviceOf(first),
  };
}

function adviceOf(one: Break): string {
  return isRefusedRepeat(one)
    ? "Look at the document before you repeat the call or give up. For a create, put a key into the metadata, and look for it."
    : SYMPTOMS[one.symptom].advice;
}

function wordsOf(all: readonly Break[]): string {
  const [first] = all as [Break, ...Break[]];
  if (first.symptom !== "failed") return SYMPTOMS[first.symptom].words;
  if (isRefusedRepeat(first)) return REFUSED_REPEAT;
  const remedy = remedyOf(first);
  if (remedy === undefined) return `${SYMPTOMS.failed.words} after ${(lastFault(first) ?? "no fault").replaceAll("_", " ")}`;
  const met = new Set(all.map(lastFault));
  const words = FAULTS.flatMap((fault) => (met.has(fault) ? [faultRecord(fault).lacks?.[1] ?? fault] : []));
  return `${remedy} ${listed(words)}`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
