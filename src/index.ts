/** docdouble as a library. */
export { type AdvanceGoal, type Handles, VerificationError } from "./handles.ts";
export { createSandbox, type Sandbox, type SandboxOptions, SettingsError, VERSION } from "./sandbox.ts";
export { ScenarioError } from "./scenario/load.ts";
export type { RuleFile, ScenarioFile } from "./scenario/schema.ts";
