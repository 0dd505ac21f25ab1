export { intercept, type InterceptOptions } from "./library/kit/intercept.ts";
