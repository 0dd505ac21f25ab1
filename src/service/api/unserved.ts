export interface UnservedOperation {
  readonly id: string;
  readonly route: string;
  /** The official group. */
  readonly tag: string;
}

/** Operations of the service that docdouble does not serve. They answer 501 with their id. */
export const UNSERVED: readonly UnservedOperation[] = [];
