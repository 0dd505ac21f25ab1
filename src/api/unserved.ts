/** Operations of the service that docdouble does not serve. They answer 501 with their id. */
export const UNSERVED: readonly { readonly id: string; readonly route: string; readonly tag: string }[] = [];
