import { readFileSync } from "node:fs";
import type { TenantRegistry } from "./admin/tenants/tenant-registry.ts";
import type { Sandbox } from "./types.ts";

export const DEFAULT_KEY = "docdouble-key";

export const VERSION: string = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;

/** @internal */
export const hosts = new WeakMap<Sandbox, TenantRegistry>();

/** @internal */
export function hostOf(sandbox: Sandbox): TenantRegistry {
  const host = hosts.get(sandbox);
  if (!host) throw new Error("not a sandbox of this process");
  return host;
}
