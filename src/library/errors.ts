import type { ReceivedEvent } from "./kit/types.ts";
import type { Unmet } from "./types.ts";

/** A mistake in settings or files. The message says how to fix it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** A call to a closed sandbox or a deleted tenant. */
export class ClosedError extends Error {
  override readonly name = "ClosedError";
  /**
   * @param method the called method, such as `clock.advance`
   * @param why such as "this sandbox is closed"
   * @param next what to do instead
   */
  constructor(
    method: string,
    why: string,
    next = "Start another with createSandbox(), or open the tenant again with sandbox.tenant().",
  ) {
    super(`${method}: ${why}. ${next}`);
  }
}

/** `verify` throws it. The message lists the failed expectations, one per line. */
export class VerificationError extends Error {
  readonly unmet: readonly Unmet[];
  constructor(unmet: readonly Unmet[], report: string) {
    super(`${unmet.length} unmet:\n${report}`);
    this.name = "VerificationError";
    this.unmet = unmet;
  }
}

/** `inbox.next` throws it when no matching event arrives in time. */
export class InboxTimeoutError extends Error {
  override readonly name = "InboxTimeoutError";
  /** The events that arrived instead. */
  readonly received: readonly ReceivedEvent[];
  constructor(report: string, received: readonly ReceivedEvent[]) {
    super(report);
    this.received = received;
  }
}
