/** docdouble in Node's own test runner: a sandbox for a test file, and assertions that show the nearest miss. */
import { AssertionError } from "node:assert";
import { after, afterEach, before } from "node:test";
import type { EventName, OperationId, PageName } from "./scenario/file-types.ts";
import { delivered, type Delivered, received, type Received, sandboxOfFile, type Verdict } from "./testing.ts";
import type { Sandbox, SandboxOptions } from "./types.ts";

export type { Delivered, Received };

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

/** Asserts that the sandbox received calls of an operation, by default at least one; `{ times: 0 }` for none. @throws AssertionError */
export function assertReceived(sandbox: Sandbox, operationId: OperationId | PageName, expected?: Received): void {
  demand(received(sandbox, operationId, expected), assertReceived);
}

/** Asserts that the sandbox delivered an event to a subscriber, by default at least once and acknowledged. @throws AssertionError */
export function assertDelivered(sandbox: Sandbox, event: EventName, expected?: Delivered): void {
  demand(delivered(sandbox, event, expected), assertDelivered);
}

function demand({ pass, message }: Verdict, caller: (...args: never[]) => void): void {
  if (!pass) throw new AssertionError({ message: message(), stackStartFn: caller });
}
