/** The forms of errors. */
import { type Operation, parseRoute } from "../../engine/core/operation.ts";

export type Dialect = "v1" | "v2" | "oauth" | "admin";

export function dialectOf(operation: Pick<Operation, "route" | "dialect">): Dialect {
  return (operation.dialect as Dialect | undefined) ?? dialectAt(parseRoute(operation.route).path);
}

/** The form at a path, also at one that belongs to no operation. */
export function dialectAt(path: string): Dialect {
  return /^\/public\/(v2|beta)(\/|$)/.test(path) ? "v2" : "v1";
}
