import { documentScripts } from "./documents.ts";
import { pricingScripts } from "./pricing.ts";
import { keyAsBearer, rateLimitProfile, requestScripts } from "./requests.ts";
import type { Script } from "./script.ts";

/** The last script may exhaust the limits of the account, so it ends the order. Its result is the reading. */
export const LIMITS = "rate_limit.profile";

export function scriptsFor(key: string): ReadonlyMap<string, Script> {
  return new Map<string, Script>([
    ["auth.key_as_bearer", keyAsBearer(key)],
    ...Object.entries<Script>({ ...requestScripts, ...documentScripts, ...pricingScripts }),
    [LIMITS, rateLimitProfile],
  ]);
}
