import { hostNameOf, isRealHost } from "../../library/kit/host-name.ts";

export interface ProxyOptions {
  port?: number | undefined;
  hosts: readonly string[];
  target: { host: string; port: number };
  passThrough?: boolean | undefined;
  onRefused?: ((host: string, why: string) => void) | undefined;
}

export type Route = { to: "sandbox" | "host"; host: string } | { to: "nowhere"; host: string; status: 400 | 403; why: string };

/**
 * Where a call may go. All names of a call count: one name of the real service refuses a call to another host.
 * @param names the host of the target first, then the names in the call, such as its `Host`
 */
export function routeOf(options: ProxyOptions, [target = "", ...others]: readonly string[]): Route {
  const host = hostNameOf(target);
  if (host === undefined)
    return refusal(400, "", `The proxy cannot read the name of the host. Write it as api.pandadoc.com:443.\n`);
  if (options.hosts.includes(host)) return { to: "sandbox", host };
  const real = [host, ...others.flatMap((name) => hostNameOf(name) ?? [])].find(isRealHost);
  const answered = `docdouble answers ${options.hosts.join(" and ")}`;
  if (real !== undefined) return refusal(403, real, `${answered}. It never connects ${real}, a host of the real service.\n`);
  if (options.passThrough) return { to: "host", host };
  const fix = `Add ${host} to NO_PROXY, or start the proxy with --pass-through.`;
  return refusal(403, host, `${answered} only, and does not connect ${host}. ${fix}\n`);
}

export function refusal(status: 400 | 403, host: string, why: string): Route & { to: "nowhere" } {
  return { to: "nowhere", host, status, why };
}
