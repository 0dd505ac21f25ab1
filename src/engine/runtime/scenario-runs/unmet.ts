/** A failed expectation of a scenario. */
export interface Unmet {
  /** The part of `expect` in the scenario. */
  /** The section of `expect`. */
  part: string;
  /** The `note` of the expectation, or a description of what it matches. */
  text: string;
  /** The expected result. */
  expected: string;
  /** The actual result. */
  found: string;
}
