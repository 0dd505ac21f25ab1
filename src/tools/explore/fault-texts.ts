import { faultRecord } from "./fault-records.ts";
import type { FaultPlace } from "./report.ts";

export function faultWords({ fault, operation, nth, reading = "" }: FaultPlace): string {
  const words: Readonly<Record<string, string>> = { nth: ordinal(nth), place: operation, reading };
  return faultRecord(fault).says.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? "");
}

export function ordinal(n: number): string {
  const word = ["first", "second", "third", "fourth", "fifth"][n - 1];
  if (word !== undefined) return word;
  const tail = n % 100 > 10 && n % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${tail}`;
}
