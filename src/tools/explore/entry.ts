/** Loads the rest of exploration at its first use, which most users of the library never reach. */
import type { Explore } from "./options.ts";

/**
 * Runs an integration again and again, each time in a fresh world with a fault that the service can produce at that point.
 * Writes the smallest scenario for each fault that breaks it. The function needs no socket: its calls of `fetch` to `sandbox.url`
 * stay in this process, and its timers follow the sandbox's clock.
 * @throws ExploreError when something broke, unless `throwOnBreak` is false, or when the clean run fails or is not repeatable
 *
 * @example
 * const report = await explore(async (sandbox) => {
 *   await sendContract(sandbox.url, sandbox.apiKey);
 * }, { budget: "30s" });
 */
export const explore: Explore = async (client, options) => (await import("./explore.ts")).explore(client, options);
