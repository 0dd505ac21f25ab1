/** Groups breaks by what the client lacks, so that one missing retry is one cause. */
import type { Break, Cause, FaultName, Symptom } from "./report.ts";
import { groupBy } from "../../engine/core/maps.ts";
import { ADVICE } from "./fault-texts.ts";

/** The most harmful first. */
const HARM: readonly Symptom[] = [
  "duplicate_document",
  "duplicate_send",
  "forged_webhook_accepted",
  "genuine_webhook_refused",
  "lost_work",
  "event_lost",
  "stale_view",
  "invariant",
  "expectation",
  "hung",
  "failed",
  "ignored_retry_after",
  "polls_too_fast",
];

/** Faults of one family have one remedy. */
const FAMILIES: readonly { faults: readonly FaultName[]; remedy: string; words: Readonly<Partial<Record<FaultName, string>>> }[] =
  [
    {
      faults: ["throttled", "gateway_error", "gateway_timeout", "reset_before", "reset_after", "slow", "truncated"],
      remedy: "does not retry after",
      words: {
        throttled: "429",
        gateway_error: "502",
        gateway_timeout: "504",
        reset_before: "a lost connection",
        reset_after: "a lost answer",
        slow: "a late answer",
        truncated: "a cut answer",
      },
    },
    {
      faults: ["conflict", "not_ready_after_draft", "locked", "pdf_not_ready", "stale_read"],
      remedy: "does not wait after",
      words: {
        conflict: "409 during processing",
        not_ready_after_draft: "409 after draft",
        locked: "423",
        pdf_not_ready: "202 instead of the PDF",
        stale_read: "an outdated read",
      },
    },
    { faults: ["slow_processing"], remedy: "does not wait long enough for", words: { slow_processing: "slow processing" } },
    {
      faults: ["new_status", "new_member", "null_member"],
      remedy: "does not accept",
      words: { new_status: "an unknown status", new_member: "an unknown member", null_member: "a null" },
    },
  ];

const SYMPTOM_WORDS: Readonly<Record<Symptom, string>> = {
  duplicate_document: "creates a document again without looking first",
  duplicate_send: "sends a document again without looking first",
  forged_webhook_accepted: "accepts webhooks with a wrong signature",
  genuine_webhook_refused: "refuses genuine webhooks",
  lost_work: "loses work without an error",
  event_lost: "answers an event with success before its work is done",
  stale_view: "reports an outdated status",
  invariant: "breaks the invariant",
  expectation: "breaks an expectation",
  hung: "waits without an end",
  failed: "gives up",
  ignored_retry_after: "ignores Retry-After",
  polls_too_fast: "polls without a pause",
};

export function causesOf(breaks: readonly Break[]): Cause[] {
  const causes = [...groupBy(breaks, keyOf).values()].map((all) => ({ all, cause: toCause(all) }));
  const harm = ({ all }: { all: readonly Break[] }) => HARM.indexOf((all[0] as Break).symptom);
  return causes.sort((a, b) => harm(a) - harm(b) || b.cause.calls - a.cause.calls).map(({ cause }) => cause);
}

/** The last fault of a pair broke the client. */
const lastFault = ({ faults }: Break) => faults.at(-1)?.fault;

const familyOf = (one: Break) => FAMILIES.find(({ faults }) => faults.includes(lastFault(one) as FaultName));

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
  return `failed ${familyOf(one)?.remedy ?? lastFault(one) ?? ""}`;
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
    : ADVICE[one.symptom];
}

function wordsOf(all: readonly Break[]): string {
  const [first] = all as [Break, ...Break[]];
  if (first.symptom !== "failed") return SYMPTOM_WORDS[first.symptom];
  if (isRefusedRepeat(first)) return REFUSED_REPEAT;
  const family = familyOf(first);
  if (!family) return `${SYMPTOM_WORDS.failed} after ${(lastFault(first) ?? "no fault").replaceAll("_", " ")}`;
  const met = new Set(all.map(lastFault));
  const words = family.faults.filter((fault) => met.has(fault)).map((fault) => family.words[fault] ?? fault);
  return `${family.remedy} ${listed(words)}`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
