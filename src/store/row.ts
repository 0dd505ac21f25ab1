export interface Row {
  readonly id: string;
}

/** The keys of a row in one index. */
export type IndexKey<R> = (row: R) => string | null | undefined | readonly string[];
