/** The matchers as assertion functions, for runners without `expect`. */
import { AssertionError } from "node:assert";
import type { EventName, OperationId, PageName } from "../../file-types.ts";
import type { Handles, Inbox } from "../../types.ts";
import { clean } from "./clean.ts";
import { received } from "./requests.ts";
import type { CleanOptions, Delivered, ExpectedDocument, InboxEvent, Mailed, Received, Verdict, Wanted } from "./types.ts";
import { underName } from "./search.ts";
import { delivered, hasDocument, mailed, receivedEvent } from "./tables.ts";

/**
 * Asserts that the sandbox received calls of an operation: at least one by default, none with `{ times: 0 }`. @throws
 * AssertionError
 */
export function assertReceived(sandbox: Handles, operationId: OperationId | PageName, expected?: Received): void {
  demand(assertReceived, received, sandbox, operationId, expected);
}

/**
 * Asserts that the sandbox delivered an event and that the subscriber acknowledged it, at least once by default. @throws
 * AssertionError
 */
export function assertDelivered(sandbox: Handles, event: EventName, expected?: Delivered): void {
  demand(assertDelivered, delivered, sandbox, event, expected);
}

/** Asserts that the webhook receiver accepted an event, at least once by default. @throws AssertionError */
export function assertReceivedEvent(inbox: Inbox, event: EventName, expected?: InboxEvent): void {
  demand(assertReceivedEvent, receivedEvent, inbox, event, expected);
}

/** Asserts that the sandbox has a matching document, at least one by default. @throws AssertionError */
export function assertDocument(sandbox: Handles, expected?: ExpectedDocument): void {
  demand(assertDocument, hasDocument, sandbox, expected);
}

/**
 * Asserts that the sandbox sent a mail to an address or a text message to a number, at least one by default. @throws AssertionError
 */
export function assertMailed(sandbox: Handles, to: Wanted<string>, expected?: Mailed): void {
  demand(assertMailed, mailed, sandbox, to, expected);
}

/** Asserts that client lint finds nothing. @throws AssertionError */
export function assertClean(sandbox: Handles, options?: CleanOptions): void {
  demand(assertClean, clean, sandbox, options);
}

function demand<Args extends unknown[]>(
  caller: (...args: never[]) => void,
  judge: (...args: Args) => Verdict,
  ...args: Args
): void {
  const verdict = underName(caller.name, judge)(...args);
  if (!verdict.pass) throw new AssertionError({ message: verdict.message(), stackStartFn: caller });
}
