/** What every row has. */

export interface Row {
  readonly id: string;
}

/** A function from a row to the keys it is found by. */
export type IndexKey<R> = (row: R) => string | null | undefined | readonly string[];
