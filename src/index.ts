export { explore } from "./explore/entry.ts";
export { ExploreError } from "./explore/error.ts";
export type { Explore, ExploreOptions, FaultPattern, SearchOptions } from "./explore/options.ts";
export type * from "./explore/report.ts";
export { ClosedError, InboxTimeoutError, SettingsError, VerificationError } from "./errors.ts";
export { createSandbox, VERSION } from "./sandbox.ts";
export { type Diagnostic, ScenarioError } from "./scenario/error.ts";
export type * from "./scenario/file-types.ts";
export type * from "./types.ts";
