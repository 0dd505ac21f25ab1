/** Compares a description of the API with the served one. Two maps of facts that differ in an entry differ in what a client can see. */
import { DriftError, type Fact, factsOf } from "./facts.ts";

export { DriftError };

export interface Difference {
  kind: Fact["kind"];
  /** Such as `PATCH /public/v1/documents/{} body.recipients[].email maxLength`. Names of path parameters do not count. */
  place: string;
  /** What docdouble serves, as JSON. Undefined: it serves nothing here. */
  ours: string | undefined;
  theirs: string | undefined;
}

/** Lists every difference once, by place. @throws DriftError */
export function compareDescriptions(ours: unknown, theirs: unknown): Difference[] {
  const [own, other] = [factsOf(ours), factsOf(theirs)];
  const differs = (place: string): boolean => own.get(place)?.value !== other.get(place)?.value;
  const isBelow = (place: string): boolean => {
    const parent = (own.get(place) ?? other.get(place))?.parent;
    return parent !== undefined && (differs(parent) || isBelow(parent));
  };
  return [...new Set([...own.keys(), ...other.keys()])]
    .filter((place) => differs(place) && !isBelow(place))
    .sort()
    .map((place) => ({
      kind: (own.get(place) ?? (other.get(place) as Fact)).kind,
      place,
      ours: own.get(place)?.value,
      theirs: other.get(place)?.value,
    }));
}

export function toLine({ kind, place, ours, theirs }: Difference): string {
  if (kind !== "value") return `${kind} ${place}: ${ours === undefined ? "only in the file" : "only in docdouble"}`;
  return `${kind} ${place}: ${theirs ?? "absent"} in the file, ${ours ?? "absent"} in docdouble`;
}

export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
