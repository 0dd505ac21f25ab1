/**
 * Where this server may be led by a URL that somebody hands it. Every address that a name leads to is looked at when the
 * connection is made, so that a name which leads elsewhere a moment later, or a redirect, is no way around it.
 */
import { lookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** `all` but what nobody should reach, or what is `public` only. */
export type Reach = "all" | "public";

/** Nobody's to ask for: what names a machine's own cloud account, and addresses that are no host's. */
const NEVER = new BlockList();
for (const [net, bits, family] of [
  // Link-local, which is where clouds serve credentials to whoever asks from the machine.
  ["169.254.0.0", 16, "ipv4"],
  ["fe80::", 10, "ipv6"],
  // Metadata services elsewhere.
  ["fd00:ec2::254", 128, "ipv6"],
  ["fd20:ce::254", 128, "ipv6"],
  ["100.100.100.200", 32, "ipv4"],
  ["192.0.0.192", 32, "ipv4"],
  // 169.254.0.0/16 by way of a translator, and of a tunnel.
  ["64:ff9b::a9fe:0", 112, "ipv6"],
  ["2002:a9fe::", 32, "ipv6"],
  // No host: many systems take the first for themselves.
  ["0.0.0.0", 8, "ipv4"],
  ["::", 128, "ipv6"],
  ["224.0.0.0", 3, "ipv4"],
  ["ff00::", 8, "ipv6"],
] as const)
  NEVER.addSubnet(net, bits, family);

/** This machine's and its networks' own. */
const PRIVATE = new BlockList();
for (const [net, bits, family] of [
  ["127.0.0.0", 8, "ipv4"],
  ["::1", 128, "ipv6"],
  ["10.0.0.0", 8, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["fc00::", 7, "ipv6"],
  ["64:ff9b::7f00:0", 104, "ipv6"],
  ["64:ff9b::a00:0", 104, "ipv6"],
  ["64:ff9b::ac10:0", 108, "ipv6"],
  ["64:ff9b::c0a8:0", 112, "ipv6"],
  ["2002:7f00::", 24, "ipv6"],
  ["2002:a00::", 24, "ipv6"],
  ["2002:ac10::", 28, "ipv6"],
  ["2002:c0a8::", 32, "ipv6"],
] as const)
  PRIVATE.addSubnet(net, bits, family);

export class OutOfReach extends Error {
  readonly code = "EOUTOFREACH";
}

/** Why an address may not be reached; undefined when it may. */
export function refusalOf(address: string, reach: Reach): string | undefined {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (NEVER.check(address, family)) return `${address} is link-local, a metadata service or no host at all: it is never called`;
  if (reach === "public" && PRIVATE.check(address, family))
    return `${address} is a private address, which a server that listens beyond loopback does not call; --allow-private-targets lets it`;
  return undefined;
}

export interface Asked {
  method: "GET" | "POST";
  headers: Record<string, string | number>;
  reach: Reach;
  signal?: AbortSignal;
}

/** A request that goes nowhere it may not; its `error` event says why. One connection each, and no redirect is followed. */
export function ask(url: URL, { reach, ...options }: Asked): http.ClientRequest {
  const send = url.protocol === "https:" ? https.request : http.request;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // Node asks nobody for the address of an address.
  const why = isIP(host) === 0 ? undefined : refusalOf(host, reach);
  const request = send(url, { ...options, agent: false, lookup: lookupWithin(reach) });
  if (why !== undefined) request.destroy(new OutOfReach(why));
  return request;
}

/** As Node looks names up, but that a name of which one address is out of reach leads nowhere. */
function lookupWithin(reach: Reach): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, "");
        return;
      }
      for (const { address } of addresses) {
        const why = refusalOf(address, reach);
        if (why === undefined) continue;
        callback(new OutOfReach(`${host} leads to ${why}`), "");
        return;
      }
      const [first] = addresses;
      if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family);
    });
  };
}
