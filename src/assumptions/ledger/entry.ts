/** The makers of ledger records. */
import { compareText } from "../../core/text.ts";
import { shownReading } from "../parse.ts";
import type { AssumptionRecord, AssumptionSource } from "../record.ts";
import { SWITCH_IDS, type SwitchId, switchOf } from "../switches.ts";

type Text = Pick<AssumptionRecord, "statement" | "operations" | "probeable"> & { sources: readonly AssumptionSource[] };

/** The record of a switch. Readings and default come from `SWITCHES`. */
export function switchRecord(id: SwitchId, text: Text): AssumptionRecord {
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
