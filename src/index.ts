export { explore } from "./tools/explore/entry.ts";
export { ExploreError } from "./tools/explore/error.ts";
export type { Explore, ExploreOptions, FaultPattern, SearchOptions } from "./tools/explore/options.ts";
export type * from "./tools/explore/report.ts";
export { ClosedError, InboxTimeoutError, SettingsError, VerificationError } from "./library/errors.ts";
export { createSandbox, VERSION } from "./library/sandbox.ts";
export { type Diagnostic, ScenarioError } from "./engine/scenario/error.ts";
export type * from "./library/file-types.ts";
export type * from "./library/types.ts";
