import type { Tenant } from "../service/service.ts";
import type { ServiceHost } from "./host.ts";
import type { Sandbox } from "./types.ts";

/** @internal */
export const hosts = new WeakMap<Sandbox, ServiceHost<Tenant>>();

/** @internal */
export function hostOf(sandbox: Sandbox): ServiceHost<Tenant> {
  const host = hosts.get(sandbox);
  if (!host) throw new Error("not a sandbox of this process");
  return host;
}
