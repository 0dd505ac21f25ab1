export interface Row {
  readonly id: string;
}

export type IndexKey<R> = (row: R) => string | null | undefined | readonly string[];
