/** Classifies IP addresses. An IPv6 address that maps an IPv4 address counts as the IPv4 address. */
import { BlockList, isIP } from "node:net";
import { lazy } from "../core/operation.ts";

/** `never`: link-local, a metadata service, or no host. `private`: this machine or its networks. */
export type AddressKind = "never" | "private" | "public";

function listOf(...nets: string[]): BlockList {
  const list = new BlockList();
  for (const net of nets) {
    const [address = "", bits] = net.split("/");
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** With the metadata services of Amazon, Azure, Alibaba and Oracle, and the old form `::a.b.c.d` of IPv4 addresses. */
const never = lazy(() =>
  listOf(
    ...["0.0.0.0/8", "169.254.0.0/16", "168.63.129.16/32", "100.100.100.200/32", "192.0.0.0/24", "224.0.0.0/4", "240.0.0.0/4"],
    ...["::/96", "fe80::/10", "ff00::/8", "100::/64", "fd00:ec2::/32", "fd20:ce::254/128", "fd00:c1::/32", "fd00:42::42/128"],
  ),
);

/** With networks for benchmarks, and former site-local addresses. */
const local = lazy(() =>
  listOf(
    ...["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "198.18.0.0/15"],
    ...["::1/128", "fc00::/7", "fec0::/10"],
  ),
);

export function kindOf(address: string): AddressKind {
  // Removes the zone, as in `fe80::1%eth0`.
  const [plain = ""] = address.split("%");
  if (isIP(plain) === 0 || (plain !== "::1" && never().check(plain, familyOf(plain)))) return "never";
  return local().check(plain, familyOf(plain)) ? "private" : "public";
}
