import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
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
  return sandboxOfFile(options, { before: beforeAll, afterEach: (run) => afterEach(() => run(failures())), after: afterAll });
}

/** Hooks of Jest do not get the failure, so this reads the state of jest-circus. Another runner of Jest has none. */
function failures(): unknown[] {
  const symbol = Object.getOwnPropertySymbols(globalThis).find((one) => one.description === "JEST_STATE_SYMBOL");
  const state = symbol && (globalThis as Record<symbol, unknown>)[symbol];
  const { errors = [] } = (state as { currentlyRunningTest?: { errors?: unknown[] } } | undefined)?.currentlyRunningTest ?? {};
  return errors.map((one) => (Array.isArray(one) ? one[0] : one));
}

// For `import { expect } from "@jest/globals"`.
declare module "expect" {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends DocdoubleMatchers<R> {}
}

// For the globals of @types/jest.
declare global {
  namespace jest {
    interface Matchers<R> extends DocdoubleMatchers<R> {}
  }
}

expect.extend(verdicts as never);
