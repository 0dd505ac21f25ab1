/** Decides which requests may enter the proxy of `compare`. A tunnel opens its port to the internet, and a web page can call any port. */
import type { IncomingMessage } from "node:http";
import { isLoopbackUrl } from "../../engine/http/admin-guard.ts";

/** Tunnels and proxies add these. Some tunnels also change `Host` to a name of this machine. */
const FORWARDED =
  /^(?:forwarded|via|x-forwarded-[\w-]+|x-real-ip|x-original-(?:host|url)|x-client-ip|true-client-ip|cf-connecting-ip|cf-ray)$/;

/**
 * Why the request may not use the service through the proxy. Undefined for a program on this machine.
 * @param isWebhook the path is a webhook address of the proxy, which everybody may call
 */
export function entryRefusal({ url = "", rawHeaders }: IncomingMessage, isWebhook: boolean): string | undefined {
  if (!url.startsWith("/")) return "the proxy takes paths only, such as /public/v1/documents";
  if (isWebhook) return undefined;
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && names[(i - 1) / 2] === "host");
  const [host] = hosts;
  if (host === undefined) return "the request names no host; call the address in DOCDOUBLE_URL";
  if (hosts.length > 1 || !/^[\w.:[\]-]+$/.test(host) || !isLoopbackUrl(`http://${host}`))
    return `the proxy answers under localhost only, not under ${hosts.join(", ")}; call the address in DOCDOUBLE_URL`;
  const forwarded = names.find((name) => FORWARDED.test(name));
  if (forwarded === undefined) return undefined;
  return `the request came through another proxy (header ${forwarded}), which may deliver webhooks only; call the address in DOCDOUBLE_URL`;
}
