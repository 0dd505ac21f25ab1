/** All assumptions by id. The texts are data, a record a line. The readings of a switch stand in `switches.ts`. */
import { shownReading } from "../../engine/assumptions/switches.ts";
import type { AssumptionRecord, AssumptionSource, Sighting } from "../../engine/assumptions/record.ts";
import entries from "./records.json" with { type: "json" };
import { SWITCH_IDS, type SwitchId, switchOf } from "./switches.ts";

/** `for` and `not_probeable_because` are members of switches. A record without sources says what docdouble found most likely. */
interface Entry {
  id: string;
  statement: string;
  operations?: readonly string[];
  not_probeable_because?: string;
  sources?: readonly (Omit<AssumptionSource, "for"> & { for?: AssumptionSource["for"] })[];
  seen?: readonly Sighting[];
}

const AS_STATED = "as_stated";
const SILENT = { kind: "guess", text: "No source describes this. docdouble does what seems most likely." } as const;

export const records: readonly AssumptionRecord[] = (entries as readonly Entry[]).map(toRecord);

function toRecord({
  id,
  statement,
  operations = [],
  not_probeable_because: reason,
  sources = [SILENT],
  seen = [],
}: Entry): AssumptionRecord {
  const shared = { id, statement, operations, seen, sources: sources.map((one) => ({ for: AS_STATED, ...one })) };
  if (!SWITCH_IDS.includes(id as SwitchId))
    return {
      ...shared,
      readings: [AS_STATED],
      default: AS_STATED,
      switchable: false,
      probeable: false,
      not_probeable_because: "It has one reading only.",
    };
  const { readings, default: value } = switchOf(id as SwitchId);
  return {
    ...shared,
    readings: readings === "durations" ? ["a list of durations"] : readings,
    default: shownReading(value),
    switchable: true,
    probeable: reason === undefined,
    ...(reason !== undefined && { not_probeable_because: reason }),
  };
}
