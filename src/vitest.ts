import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { DocdoubleMatchers } from "./library/kit/matchers/types.ts";
import { sandboxOfFile, verdicts } from "./library/testing.ts";
import type { Sandbox, SandboxOptions } from "./library/types.ts";

export { ExploreError, explore } from "./index.ts";

export type * from "./library/kit/matchers/types.ts";

/**
 * Starts a sandbox before the tests of the file, resets it after each test, and closes it at the end. It listens on a free port by
 * default. `port: undefined` opens no socket: use `sandbox.fetch` then.
 * @example
 * const sandbox = useSandbox({ clock: "frozen" });
 *
 * test("sends the contract", async () => {
 *   await sendContract(sandbox.url, sandbox.apiKey);
 *   expect(sandbox).toHaveReceived("sendDocument", { times: 1 });
 * });
 */
export function useSandbox(options: SandboxOptions = {}): Sandbox {
  return sandboxOfFile(options, {
    before: beforeAll,
    afterEach: (run) => afterEach(({ task }) => run(task.result?.errors ?? [])),
    after: afterAll,
  });
}

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: vitest declares its matchers so
  interface Matchers<T = any> extends DocdoubleMatchers<T> {}
}

expect.extend(verdicts);
