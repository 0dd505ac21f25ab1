/** A pointer holds the name of a `header`. The double lacks `missing` members and has `added` members. */
export type DifferenceKind = "status" | "header" | "missing" | "added" | "type" | "value";

export interface Difference {
  kind: DifferenceKind;
  /** A JSON pointer, a header's name, or empty for a status. */
  pointer: string;
  real: unknown;
  double: unknown;
}
