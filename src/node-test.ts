import { after, afterEach, before } from "node:test";
import { sandboxOfFile } from "./library/testing.ts";
import type { Sandbox, SandboxOptions } from "./library/types.ts";

export { ExploreError, explore } from "./index.ts";

export * from "./library/kit/matchers/assertions.ts";
export type * from "./library/kit/matchers/types.ts";

/**
 * Starts a sandbox before the tests of the file, resets it after each test, and closes it at the end. It listens on a free port by
 * default. `port: undefined` opens no socket: use `sandbox.fetch` then.
 * @example
 * const sandbox = useSandbox({ clock: "frozen" });
 *
 * test("sends the contract", async () => {
 *   await sendContract(sandbox.url, sandbox.apiKey);
 *   assertReceived(sandbox, "sendDocument", { times: 1 });
 * });
 */
export function useSandbox(options: SandboxOptions = {}): Sandbox {
  return sandboxOfFile(options, { before, afterEach: (run) => afterEach((test) => run(failuresOf(test))), after });
}

/** The error of the test, which the runner wraps. */
function failuresOf(test: unknown): unknown[] {
  const { error } = test as { error?: Error | null };
  return error ? [error.cause ?? error] : [];
}
