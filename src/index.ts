/** docdouble as a library. */
export { createSandbox, type Sandbox, type SandboxOptions, SettingsError, VERSION } from "./sandbox.ts";
export { ScenarioError } from "./scenario/load.ts";
