import { SettingsError } from "./library/errors.ts";
import { type Hooks, sandboxOfFile } from "./library/testing.ts";
import type { Sandbox, SandboxOptions } from "./library/types.ts";

export * from "./library/kit/matchers/assertions.ts";
export type * from "./library/kit/matchers/types.ts";

/**
 * Starts a sandbox before the tests of the file or `describe`, resets it after each test, and closes it at the end. It listens on a
 * free port by default. `port: undefined` opens no socket: use `sandbox.fetch` then.
 * @example
 * const sandbox = useSandbox({ clock: "frozen" });
 *
 * it("sends the contract", async () => {
 *   await sendContract(sandbox.url, sandbox.apiKey);
 *   assertReceived(sandbox, "sendDocument", { times: 1 });
 * });
 */
export function useSandbox(options: SandboxOptions = {}): Sandbox {
  return sandboxOfFile(options, hooks());
}

type Hook = Hooks["before"];
/** Mocha calls a hook with its context. */
interface Context {
  currentTest?: { err?: unknown };
}

/** Mocha's interfaces bdd and tdd give their hooks different global names. @throws SettingsError outside Mocha */
function hooks(): Hooks {
  const named = globalThis as { [name: string]: unknown };
  const hook = (...names: string[]) => names.map((name) => named[name]).find((one) => typeof one === "function") as Hook;
  const before = hook("before", "suiteSetup");
  const afterEach = hook("afterEach", "teardown");
  const after = hook("after", "suiteTeardown");
  if (!before || !afterEach || !after)
    throw new SettingsError(
      "useSandbox: docdouble/mocha needs the globals of Mocha's interface bdd or tdd. Run this file with mocha.",
    );
  return {
    before,
    afterEach: (run) =>
      afterEach(function (this: Context) {
        return run([this.currentTest?.err].filter((error) => error !== undefined));
      }),
    after,
  };
}
