/**
 * - `specification`: the text that docdouble is built from.
 * - `description`: the vendor's OpenAPI description, pages, help articles and packages.
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

/** `vendor`: the vendor's own pages and files. `public`: everybody else who publishes. */
export const SEEN_BY = ["vendor", "public"] as const;

/** One dated observation of the behavior. */
export interface Sighting {
  /** The day, month or year of the observation: `2026-09-14`, `2026-09` or `2026`. */
  date: string;
  by: (typeof SEEN_BY)[number];
  /** The kind of account that showed the behavior, such as `vendor`, `sandbox` or `production`. Null: the source does not say. */
  account: string | null;
  /** Where to read it: a repository or a page. */
  source: string;
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
  /** The newest observation comes first. Empty: nobody published a dated one. */
  seen: readonly Sighting[];
}
