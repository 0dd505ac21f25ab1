/** docdouble in Node's own test runner: a sandbox for a test file, and assertions that show the nearest miss. */
import { after, afterEach, before } from "node:test";
import { sandboxOfFile } from "./testing.ts";
import type { Sandbox, SandboxOptions } from "./types.ts";

export { ExploreError, explore } from "./index.ts";

export * from "./kit/matchers/assertions.ts";
export type * from "./kit/matchers/types.ts";

/**
 * Starts a sandbox before the tests of the file, resets it after each, and closes it at the end.
 * It listens on a free port unless `port` says otherwise. `port: undefined` opens no socket: then use `sandbox.fetch`.
 *
 * @example
 * const sandbox = useSandbox({ clock: "frozen" });
 * test("sends the contract", async () => {
 *   await sendContract(sandbox.url, sandbox.apiKey);
 *   assertReceived(sandbox, "sendDocument", { times: 1 });
 * });
 */
export function useSandbox(options: SandboxOptions = {}): Sandbox {
  return sandboxOfFile(options, { before, afterEach, after });
}
