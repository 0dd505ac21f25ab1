/** A row of fixtures that cannot be. */
export class FixtureError extends Error {
  /** The reader of the file finds its line. */
  row: unknown;
  /** Mistakes of later rows of the same list. */
  further: FixtureError[] = [];
}
