import type { Host } from "../service/service.ts";
import type { Sandbox } from "./types.ts";

/** @internal */
export const hosts = new WeakMap<Sandbox, Host>();

/** @internal */
export function hostOf(sandbox: Sandbox): Host {
  const host = hosts.get(sandbox);
  if (!host) throw new Error("not a sandbox of this process");
  return host;
}
