/**
 * - `status`, `header`: the answers differ outside their bodies. The pointer of a header is its name.
 * - `missing`: the double lacks what the real answer has. `added`: the double has more.
 * - `type`: null, text, number, list … on one side and another on the other.
 * - `value`: the same type, another value.
 */
export type DifferenceKind = "status" | "header" | "missing" | "added" | "type" | "value";

export interface Difference {
  kind: DifferenceKind;
  /** A JSON pointer into the body; empty for a status; the name of a header. */
  pointer: string;
  real: unknown;
  double: unknown;
}
