export { intercept, type InterceptOptions } from "./kit/intercept.ts";
