/** A record of the ledger: one behavior that no public source settles, and the reading that docdouble chose. */

/**
 * - `specification`: the text that docdouble is built from.
 * - `description`: the vendor's OpenAPI document, pages, help articles and packages.
 * - `recorded`: answers of the real service, published by somebody.
 * - `client`: public programs that use the real service.
 * - `guess`: nothing but a judgment.
 */
export const SOURCE_KINDS = ["specification", "description", "recorded", "client", "guess"] as const;

export interface AssumptionSource {
  kind: (typeof SOURCE_KINDS)[number];
  /** The reading that the source supports, or `against` when it only speaks against the default. */
  for: string | number;
  text: string;
}

export interface AssumptionRecord {
  /** `area.subject`. */
  id: string;
  statement: string;
  /** The operations whose answers it touches; empty for those outside the API. */
  operations: readonly string[];
  readings: readonly (string | number)[];
  default: string | number | readonly string[];
  switchable: boolean;
  /** Whether `docdouble probe` has a story that tells the readings apart. */
  probeable: boolean;
  /** Present only where `probeable` is false. */
  not_probeable_because?: string;
  sources: readonly AssumptionSource[];
}
