/**
 * Classifies IP addresses. A translator or tunnel calls the IPv4 address inside an IPv6 address, so this classifies both. The most
 * dangerous kind wins.
 */
import { lazy } from "../core/operation.ts";
import ipaddr from "ipaddr.js";

/** `never`: link-local, a metadata service, or no host. `private`: this machine or its networks. */
export type AddressKind = "never" | "private" | "public";

type Bytes = readonly number[];

const KINDS: Readonly<Record<string, AddressKind>> = {
  unspecified: "never",
  broadcast: "never",
  multicast: "never",
  linkLocal: "never",
  loopback: "private",
  private: "private",
  uniqueLocal: "private",
  carrierGradeNat: "private",
};

/** Ranges that the library does not classify: metadata services of Azure, Alibaba, Oracle and Amazon, and addresses without a host. */
const never = lazy(() =>
  [
    "168.63.129.16/32",
    "100.100.100.200/32",
    "192.0.0.0/24",
    "240.0.0.0/4",
    "fd00:ec2::/32",
    "fd20:ce::254/128",
    "fd00:c1::/32",
    "fd00:42::42/128",
    "100::/64",
  ].map((net) => ipaddr.parseCIDR(net)),
);

/** Networks for benchmarks, and former site-local addresses. */
const local = lazy(() => ["198.18.0.0/15", "fec0::/10"].map((net) => ipaddr.parseCIDR(net)));

export function kindOf(address: string): AddressKind {
  // Removes the zone, as in `fe80::1%eth0`.
  const [plain = ""] = address.split("%");
  if (!ipaddr.isValid(plain)) return "never";
  const parsed = ipaddr.parse(plain);
  const carried = parsed instanceof ipaddr.IPv6 ? embeddedAddresses(parsed.toByteArray()) : [];
  const kinds = [kindOfPlain(parsed), ...carried.map((bytes) => kindOfPlain(new ipaddr.IPv4([...bytes])))];
  return kinds.find((kind) => kind === "never") ?? kinds.find((kind) => kind === "private") ?? "public";
}

function kindOfPlain(address: ipaddr.IPv4 | ipaddr.IPv6): AddressKind {
  const isIn = ([net, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]) =>
    net.kind() === address.kind() && address.match(net as never, bits);
  if (never().some(isIn)) return "never";
  if (local().some(isIn)) return "private";
  return KINDS[address.range()] ?? "public";
}

function embeddedAddresses(bytes: Bytes): Bytes[] {
  const starts = (...prefix: number[]) => prefix.every((byte, i) => bytes[i] === byte);
  const at = (index: number) => bytes.slice(index, index + 4);
  const isZero = (from: number, to: number) => bytes.slice(from, to).every((byte) => byte === 0);
  const found: Bytes[] = [];
  // ::a.b.c.d (compatible), ::ffff:a.b.c.d (mapped), ::ffff:0:a.b.c.d (translated). :: and ::1 embed no address.
  const isMapped = isZero(0, 10) && bytes[10] === 0xff && bytes[11] === 0xff;
  const isTranslated = isZero(0, 8) && bytes[8] === 0xff && bytes[9] === 0xff && isZero(10, 12);
  const isCompatible = isZero(0, 12) && !isZero(12, 14);
  if (isMapped || isTranslated || isCompatible) found.push(at(12));
  // NAT64: the well-known prefix and local-use prefixes. RFC 6052 places the address around byte 8, which is zero.
  if (starts(0, 0x64, 0xff, 0x9b)) {
    const isLocal = bytes[5] === 1;
    const places = isLocal
      ? [
          [6, 7, 9, 10],
          [7, 9, 10, 11],
          [9, 10, 11, 12],
          [12, 13, 14, 15],
        ]
      : [[12, 13, 14, 15]];
    const read = places.map((place) => place.map((index) => bytes[index] as number));
    // One position holds the address. The others begin with zeros.
    found.push(...read.filter(([first]) => !isLocal || first !== 0));
  }
  if (starts(0x20, 0x02)) found.push(at(2));
  // Teredo: the server, and the client with inverted bits.
  if (starts(0x20, 0x01, 0, 0))
    found.push(
      at(4),
      at(12).map((byte) => byte ^ 0xff),
    );
  // ISATAP, under any prefix.
  const isIsatap = ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  if (isIsatap) found.push(at(12));
  // The usual metadata address in the last four bytes, after any prefix of a translator.
  if (METADATA.every((byte, i) => bytes[12 + i] === byte)) found.push(METADATA);
  return found;
}

const METADATA: Bytes = [169, 254, 169, 254];
