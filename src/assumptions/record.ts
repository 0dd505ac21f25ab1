/**
 * - `specification`: the text that docdouble is built from.
 * - `description`: the vendor's OpenAPI document, pages, help articles and packages.
 * - `recorded`: published answers of the real service.
 * - `client`: public programs that use the real service.
 * - `guess`: a judgment.
 */
export const SOURCE_KINDS = ["specification", "description", "recorded", "client", "guess"] as const;

export interface AssumptionSource {
  kind: (typeof SOURCE_KINDS)[number];
  /** The reading that the source supports; `against` for a source that contradicts the default. */
  for: string | number;
  text: string;
}

/** One behavior that no public source settles, and the reading that docdouble chose. */
export interface AssumptionRecord {
  id: string;
  statement: string;
  operations: readonly string[];
  readings: readonly (string | number)[];
  default: string | number | readonly string[];
  switchable: boolean;
  probeable: boolean;
  not_probeable_because?: string;
  sources: readonly AssumptionSource[];
}
