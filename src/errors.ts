/** What the library throws for mistakes that its user can mend, and for expectations that do not hold. */
import type { Unmet } from "./types.ts";

/** A problem with settings or files that the user can mend; its message says how. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** A call to something that has ended: a closed sandbox, or a tenant that was deleted. */
export class ClosedError extends Error {
  override readonly name = "ClosedError";
  /** @param why such as "this sandbox is closed" */
  constructor(why: string) {
    super(`Cannot do this: ${why}. Start another with createSandbox(), or open the tenant anew with sandbox.tenant().`);
  }
}

/** What did not hold, with a line for each; thrown by `verify`. */
export class VerificationError extends Error {
  readonly unmet: readonly Unmet[];
  constructor(unmet: readonly Unmet[], report: string) {
    super(`${unmet.length} unmet:\n${report}`);
    this.name = "VerificationError";
    this.unmet = unmet;
  }
}
