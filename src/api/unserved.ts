/**
 * Operations of the service that docdouble does not serve yet: each answers 501 with its id. Serving one means
 * taking its line away here.
 */
export const UNSERVED: readonly { readonly id: string; readonly route: string; readonly tag: string }[] = [];
