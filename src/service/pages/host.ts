import type { Context } from "hono";
import { hostOf as engineHostOf } from "../../engine/http/hono-context.ts";
import type { Host } from "../kit/world.ts";

/** The host of a call, whose tenants hold the rows of this service. */
export function hostOf(context: Context): Host {
  return engineHostOf(context) as unknown as Host;
}
