/** All assumptions by id. Loads on first use, because most runs never ask for it. */
import type { AssumptionRecord } from "../../engine/assumptions/record.ts";

let loading: Promise<readonly AssumptionRecord[]> | undefined;

export function ledger(): Promise<readonly AssumptionRecord[]> {
  loading ??= import("./ledger/index.ts").then(({ records }) => records);
  return loading;
}
