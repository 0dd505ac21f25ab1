/**
 * Where this server may be led by a URL that somebody hands it. Every address that a name leads to is looked at when the
 * connection is made, so that a name which leads elsewhere a moment later, or a redirect, is no way around it.
 */
import { lookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { kindOf } from "./address-kind.ts";

/** `all` but what nobody should reach, or what is `public` only. */
export type AddressPolicy = "all" | "public";

export class AddressRefused extends Error {
  readonly code = "EOUTOFREACH";
}

/** Why an address may not be reached; undefined when it may. */
export function addressRefusal(address: string, reach: AddressPolicy): string | undefined {
  const kind = kindOf(address);
  if (kind === "never") return `${address} is link-local, a metadata service or no host at all: it is never called`;
  if (reach === "public" && kind === "private")
    return `${address} is a private address, which a server that listens beyond loopback does not call; --allow-private-targets lets it`;
  return undefined;
}

export interface Asked {
  method: "GET" | "POST";
  headers: Record<string, string | number>;
  reach: AddressPolicy;
  signal?: AbortSignal;
}

/**
 * A request with a connection to itself; it follows no redirect. No connection is opened to an address that is out of reach.
 * @throws OutOfReach when the URL names such an address. A name that leads to one fails with the request's `error` event.
 */
export function openRequest(url: URL, { reach, ...options }: Asked): http.ClientRequest {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // Node looks up names only, so an address is judged here.
  const why = isIP(host) === 0 ? undefined : addressRefusal(host, reach);
  if (why !== undefined) throw new AddressRefused(why);
  const send = url.protocol === "https:" ? https.request : http.request;
  return send(url, { ...options, agent: false, lookup: lookupWithin(reach) });
}

/** As Node looks names up, but that a name of which one address is out of reach leads nowhere. */
function lookupWithin(reach: AddressPolicy): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, "");
        return;
      }
      for (const { address } of addresses) {
        const why = addressRefusal(address, reach);
        if (why === undefined) continue;
        callback(new AddressRefused(`${host} leads to ${why}`), "");
        return;
      }
      const [first] = addresses;
      if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? "", first?.family);
    });
  };
}
