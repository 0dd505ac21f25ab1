/** docdouble for code with a fixed host. */
export { intercept, type InterceptOptions } from "./kit/intercept.ts";
