/** What a probe saw, without anything from the account: words of the ledger, a date and the kind of the key. */
import { service } from "../../service/service.ts";
import type { Sighting } from "../../engine/assumptions/record.ts";
import { iso } from "../../engine/core/clock.ts";
import { VERSION } from "../../library/version.ts";
import type { Result } from "./probe.ts";

const AS_STATED = "as_stated";

export interface ContributedReading {
  id: string;
  verdict: Result["verdict"];
  /** A reading of the ledger. `other`: the service does something that the ledger does not name. Null: undecided. */
  reading: string | null;
  seen: Sighting;
}

export interface Contribution {
  version: 1;
  docdouble: string;
  readings: ContributedReading[];
}

/** Leaves out the texts of a result, because they may quote the account. `now` is an instant in milliseconds. */
export async function contribution(
  results: readonly Result[],
  account: "sandbox" | "production",
  now: number,
): Promise<Contribution> {
  const records = new Map((await service.ledger()).map((one) => [one.id, one]));
  const seen: Sighting = { date: iso(now).slice(0, 10), by: "probe", account, source: `docdouble probe ${VERSION}` };
  const readings = results.flatMap(({ assumption, verdict, seen: reading }) => {
    const record = records.get(assumption);
    if (record === undefined) return [];
    const known = [...record.readings.map(String), AS_STATED];
    const word = reading === null ? null : known.includes(reading) ? reading : "other";
    return [{ id: record.id, verdict, reading: word, seen }];
  });
  return { version: 1, docdouble: VERSION, readings };
}
