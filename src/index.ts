/** docdouble as a library. */
export { ClosedError, InboxTimeoutError, SettingsError, VerificationError } from "./errors.ts";
export { createSandbox, VERSION } from "./sandbox.ts";
export { type Diagnostic, ScenarioError } from "./scenario/error.ts";
export type * from "./scenario/file-types.ts";
export type * from "./types.ts";
