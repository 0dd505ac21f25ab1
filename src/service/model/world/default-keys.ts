/** The keys of a world whose fixtures name none. */
export const DEFAULT_KEY = "docdouble-key";
export const DEFAULT_SANDBOX_KEY = "docdouble-sandbox-key";
