import { compareText } from "../../../engine/core/text.ts";
import { shownReading } from "../../../engine/assumptions/switches.ts";
import type { AssumptionRecord, AssumptionSource, Sighting } from "../../../engine/assumptions/record.ts";
import { SWITCH_IDS, type SwitchId, switchOf } from "../switches.ts";

export const REASONS = {
  account: "A test account may lack the necessary rights or features.",
  strain: "A probe would make too many calls, or too much data, in the account.",
} as const;

type Probeable = true | string;

/** What the vendor's staff wrote about the public API in the skill files of its MCP server. `live`: they say that they tried it. */
export function vendorSkills({ live }: { live: boolean }): Sighting {
  return {
    date: "2026-09-14",
    by: "vendor",
    account: live ? "vendor" : null,
    source: "PandaDoc/mcp-server-guide, folder skills",
  };
}

/** The newest description that is publicly readable, in a copy. It states a shape, and shows no answer of the service. */
export const DESCRIPTION_8_20: Sighting = {
  date: "2026-11",
  by: "vendor",
  account: null,
  source: "API description 8.20.0, copy in ballerina-platform/module-ballerinax-pandadoc",
};

function newestFirst(seen: readonly Sighting[] = []): readonly Sighting[] {
  return [...seen].sort((a, b) => compareText(b.date, a.date));
}

const AS_STATED = "as_stated";
const ONE_READING = "It has one reading only.";
const SILENT: Pick<AssumptionSource, "kind" | "text"> = {
  kind: "guess",
  text: "No source describes this. docdouble does what seems most likely.",
};

export function assumption(
  id: string,
  text: {
    statement: string;
    operations?: readonly string[];
    sources?: readonly Pick<AssumptionSource, "kind" | "text">[];
    seen?: readonly Sighting[];
  },
): AssumptionRecord {
  return {
    id,
    statement: text.statement,
    operations: text.operations ?? [],
    readings: [AS_STATED],
    default: AS_STATED,
    switchable: false,
    ...probeMembers(ONE_READING),
    sources: (text.sources ?? [SILENT]).map((source) => ({ kind: source.kind, for: AS_STATED, text: source.text })),
    seen: newestFirst(text.seen),
  };
}

type SwitchText = Pick<AssumptionRecord, "statement" | "operations" | "sources"> & {
  probeable: Probeable;
  seen?: readonly Sighting[];
};

function probeMembers(probeable: Probeable): Pick<AssumptionRecord, "probeable" | "not_probeable_because"> {
  return probeable === true ? { probeable } : { probeable: false, not_probeable_because: probeable };
}

export function switchRecord(id: SwitchId, text: SwitchText): AssumptionRecord {
  const { readings, default: value } = switchOf(id);
  return {
    id,
    statement: text.statement,
    operations: text.operations,
    readings: readings === "durations" ? ["a list of durations"] : readings,
    default: shownReading(value),
    switchable: true,
    ...probeMembers(text.probeable),
    sources: text.sources,
    seen: newestFirst(text.seen),
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
