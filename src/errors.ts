import type { ReceivedEvent } from "./kit/types.ts";
import type { Unmet } from "./types.ts";

/** A mistake in settings or files. The message says how to fix it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** A call to something that has ended: a closed sandbox, or a deleted tenant. */
export class ClosedError extends Error {
  override readonly name = "ClosedError";
  /**
   * @param method the name of the called method, such as `clock.advance`
   * @param why such as "this sandbox is closed"
   * @param next what to do instead
   */
  constructor(
    method: string,
    why: string,
    next = "Start another with createSandbox(), or open the tenant anew with sandbox.tenant().",
  ) {
    super(`${method}: ${why}. ${next}`);
  }
}

/** Failed expectations, one per line; thrown by `verify`. */
export class VerificationError extends Error {
  readonly unmet: readonly Unmet[];
  constructor(unmet: readonly Unmet[], report: string) {
    super(`${unmet.length} unmet:\n${report}`);
    this.name = "VerificationError";
    this.unmet = unmet;
  }
}

/** An event did not arrive at a webhook receiver in time; thrown by `inbox.next`. */
export class InboxTimeoutError extends Error {
  override readonly name = "InboxTimeoutError";
  /** The events that arrived. */
  readonly received: readonly ReceivedEvent[];
  constructor(report: string, received: readonly ReceivedEvent[]) {
    super(report);
    this.received = received;
  }
}
