/**
 * What an IP address leads to. An IPv6 address may carry an IPv4 address, which a translator or a tunnel then calls; so each
 * carried address is judged too, and the most dangerous kind counts.
 */
import ipaddr from "ipaddr.js";

/** `never`: link-local, a metadata service, or no host. `private`: this machine or its networks. */
export type AddressKind = "never" | "private" | "public";

type Bytes = readonly number[];

const KINDS: Readonly<Record<string, AddressKind>> = {
  unspecified: "never",
  broadcast: "never",
  multicast: "never",
  // Clouds serve credentials there to everybody on the machine.
  linkLocal: "never",
  loopback: "private",
  private: "private",
  uniqueLocal: "private",
  carrierGradeNat: "private",
};

/** What the library's ranges do not tell: metadata services at other addresses, and addresses without a host. */
const NEVER = [
  // Azure, Alibaba.
  "168.63.129.16/32",
  "100.100.100.200/32",
  // Protocol assignments, Oracle's metadata service among them.
  "192.0.0.0/24",
  "240.0.0.0/4",
  // Amazon, Google, Oracle, Scaleway.
  "fd00:ec2::/32",
  "fd20:ce::254/128",
  "fd00:c1::/32",
  "fd00:42::42/128",
  // Discarded by routers.
  "100::/64",
].map((net) => ipaddr.parseCIDR(net));

/** Benchmarks; once local to a site. */
const PRIVATE = ["198.18.0.0/15", "fec0::/10"].map((net) => ipaddr.parseCIDR(net));

export function kindOf(address: string): AddressKind {
  // A zone names an interface: fe80::1%eth0.
  const [plain = ""] = address.split("%");
  if (!ipaddr.isValid(plain)) return "never";
  const parsed = ipaddr.parse(plain);
  const carried = parsed instanceof ipaddr.IPv6 ? carriedBy(parsed.toByteArray()) : [];
  const kinds = [ownKind(parsed), ...carried.map((bytes) => ownKind(new ipaddr.IPv4([...bytes])))];
  return kinds.find((kind) => kind === "never") ?? kinds.find((kind) => kind === "private") ?? "public";
}

function ownKind(address: ipaddr.IPv4 | ipaddr.IPv6): AddressKind {
  const isIn = ([net, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]) =>
    net.kind() === address.kind() && address.match(net as never, bits);
  if (NEVER.some(isIn)) return "never";
  if (PRIVATE.some(isIn)) return "private";
  return KINDS[address.range()] ?? "public";
}

/** The IPv4 addresses that an IPv6 address may carry. */
function carriedBy(bytes: Bytes): Bytes[] {
  const starts = (...prefix: number[]) => prefix.every((byte, i) => bytes[i] === byte);
  const at = (index: number) => bytes.slice(index, index + 4);
  const isZero = (from: number, to: number) => bytes.slice(from, to).every((byte) => byte === 0);
  const found: Bytes[] = [];
  // ::a.b.c.d (compatible), ::ffff:a.b.c.d (mapped), ::ffff:0:a.b.c.d (translated); not :: and ::1, which are no IPv4 address.
  const isMapped = isZero(0, 10) && bytes[10] === 0xff && bytes[11] === 0xff;
  const isTranslated = isZero(0, 8) && bytes[8] === 0xff && bytes[9] === 0xff && isZero(10, 12);
  const isCompatible = isZero(0, 12) && !isZero(12, 14);
  if (isMapped || isTranslated || isCompatible) found.push(at(12));
  // NAT64 by the well-known prefix, and by those of local use, where RFC 6052 puts the address around byte 8, which is zero.
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
    // One place holds the address, the others begin with zeros.
    found.push(...read.filter(([first]) => !isLocal || first !== 0));
  }
  // 6to4.
  if (starts(0x20, 0x02)) found.push(at(2));
  // Teredo: the server, and the client with each bit turned.
  if (starts(0x20, 0x01, 0, 0))
    found.push(
      at(4),
      at(12).map((byte) => byte ^ 0xff),
    );
  // ISATAP, under any prefix.
  const isIsatap = ((bytes[8] ?? 0) & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
  if (isIsatap) found.push(at(12));
  // A translator's own prefix, of any length: the metadata address of most clouds in the last four bytes.
  if (METADATA.every((byte, i) => bytes[12 + i] === byte)) found.push(METADATA);
  return found;
}

const METADATA: Bytes = [169, 254, 169, 254];
