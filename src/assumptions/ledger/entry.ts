/** The makers of ledger records. */
import { compareText } from "../../core/text.ts";
import { shownReading } from "../parse.ts";
import type { AssumptionRecord, AssumptionSource } from "../record.ts";
import { SWITCH_IDS, type SwitchId, switchOf } from "../switches.ts";

/** Why the API cannot reveal the truth of an assumption. */
export const REASONS = {
  account: "It needs rights or features that a test account may lack.",
  hidden: "No answer of the API shows it.",
  limits: "A probe would have to exceed the limits of the account.",
  local: "It concerns docdouble alone.",
  person: "It needs a person at a page of the service.",
  strain: "A probe would strain the account.",
  webhook: "A probe has no public receiver for webhooks.",
} as const;

/** The only reading of an assumption without a switch. */
const AS_STATED = "as_stated";
const SILENT: Pick<AssumptionSource, "kind" | "text"> = {
  kind: "guess",
  text: "The specification and the official description are silent.",
};

/** The record of an assumption without a switch. Without sources it is a guess. */
export function assumption(
  id: string,
  text: {
    statement: string;
    operations?: readonly string[];
    probeable: AssumptionRecord["probeable"];
    sources?: readonly Pick<AssumptionSource, "kind" | "text">[];
  },
): AssumptionRecord {
  return {
    id,
    statement: text.statement,
    operations: text.operations ?? [],
    readings: [AS_STATED],
    default: AS_STATED,
    switchable: false,
    probeable: text.probeable,
    sources: (text.sources ?? [SILENT]).map((source) => ({ kind: source.kind, for: AS_STATED, text: source.text })),
  };
}

type SwitchText = Pick<AssumptionRecord, "statement" | "operations" | "probeable"> & { sources: readonly AssumptionSource[] };

/** The record of a switch. Readings and default come from `SWITCHES`. */
export function switchRecord(id: SwitchId, text: SwitchText): AssumptionRecord {
  const { readings, default: value } = switchOf(id);
  return {
    id,
    statement: text.statement,
    operations: text.operations,
    readings: readings === "durations" ? ["a list of durations"] : readings,
    default: shownReading(value),
    switchable: true,
    probeable: text.probeable,
    sources: text.sources,
  };
}

/** Sorts records by id. @throws when an id occurs twice or a switch has no record */
export function inOrder(records: readonly AssumptionRecord[]): readonly AssumptionRecord[] {
  const ids = new Set(records.map((one) => one.id));
  if (ids.size < records.length) throw new Error("two assumptions have the same id");
  const missing = SWITCH_IDS.filter((id) => !ids.has(id));
  if (missing.length > 0) throw new Error(`the ledger lacks ${missing.join(", ")}`);
  return [...records].sort((a, b) => compareText(a.id, b.id));
}
