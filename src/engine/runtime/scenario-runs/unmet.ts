/** A failed expectation of a scenario. */
export interface Unmet {
  /** The part of `expect` in the scenario. */
  part: "requests" | "tools" | "documents" | "deliveries" | "emails" | "rules_used" | "unmatched" | "contract" | "client";
  /** The `note` of the expectation, or a description of what it matches. */
  text: string;
  /** The expected result. */
  expected: string;
  /** The actual result. */
  found: string;
}
