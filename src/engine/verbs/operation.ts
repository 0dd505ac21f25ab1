import { notFound } from "../core/errors.ts";
import { nearest } from "../core/text.ts";

export function namesOrNone(names: Iterable<string>): string {
  return [...names].join(", ") || "none";
}

/** @throws 404, which names the known acts */
export function requireAct<Known extends string>(act: string, known: readonly Known[]): Known {
  const found = known.find((one) => one === act);
  if (found !== undefined) return found;
  const near = nearest(act, known);
  throw notFound(`no act ${act};${near ? ` did you mean ${near}?` : ""} the acts are ${known.join(", ")}`);
}
