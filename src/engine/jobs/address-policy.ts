/**
 * The addresses that URLs from outside may reach. The check happens at connection time, so a changed DNS answer or a redirect cannot
 * bypass it.
 */
import { lookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import tls from "node:tls";
import { kindOf } from "./address-kind.ts";

/** `none`: no address at all, also no name is looked up. */
export type AddressPolicy = "all" | "public" | "none";

export class AddressRefused extends Error {
  readonly code = "EOUTOFREACH";
}

export function addressRefusal(address: string, addressPolicy: AddressPolicy): string | undefined {
  if (addressPolicy === "none") return `docdouble is offline and does not call ${address}`;
  const kind = kindOf(address);
  if (kind === "never") return `docdouble never calls ${address}: it is link-local, a metadata service or not a host`;
  if (addressPolicy === "public" && kind === "private")
    return `${address} is a private address. A server that listens beyond loopback calls it only with --allow-private-targets`;
  return undefined;
}

export interface Asked {
  method: "GET" | "POST";
  headers: Record<string, string | number>;
  addressPolicy: AddressPolicy;
}

/**
 * Starts a request on its own connection, without following redirects. Refused addresses get no connection.
 * @throws AddressRefused when the URL contains a refused address. For a name of such an address, the request emits `error`.
 */
export function openRequest(url: URL, { addressPolicy, ...options }: Asked): http.ClientRequest {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const why = isIP(host) === 0 && addressPolicy !== "none" ? undefined : addressRefusal(host, addressPolicy);
  if (why !== undefined) throw new AddressRefused(why);
  const settings = { ...options, lookup: lookupWithin(addressPolicy) };
  return url.protocol === "https:"
    ? https.request(url, { ...settings, agent: httpsAgent() })
    : http.request(url, { ...settings, agent: httpAgent });
}

/**
 * All requests share these agents, because Node otherwise creates an agent for each request. They keep no connections. They keep no TLS
 * sessions either, so each request checks the certificate.
 */
const httpAgent = new http.Agent({ keepAlive: false });
let keptHttpsAgent: https.Agent | undefined;

/**
 * Created on first use, because Node then loads TLS, which takes 5 ms. All connections share one context. Otherwise Node reads
 * all public certificates into a new context for each connection.
 */
function httpsAgent(): https.Agent {
  keptHttpsAgent ??= new https.Agent({ keepAlive: false, maxCachedSessions: 0, secureContext: tls.createSecureContext() });
  return keptHttpsAgent;
}

/** Looks a name up when a connection opens. It fails for a name of a refused address. */
export function lookupWithin(addressPolicy: AddressPolicy): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, "");
        return;
      }
      for (const { address } of addresses) {
        const why = addressRefusal(address, addressPolicy);
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
