import type { TenantRegistry } from "../engine/runtime/tenants/tenant-registry.ts";
import type { Sandbox } from "./types.ts";

export const DEFAULT_KEY = "docdouble-key";

/** @internal */
export const hosts = new WeakMap<Sandbox, TenantRegistry>();

/** @internal */
export function hostOf(sandbox: Sandbox): TenantRegistry {
  const host = hosts.get(sandbox);
  if (!host) throw new Error("not a sandbox of this process");
  return host;
}
