/**
 * Answers lookups of redirected hosts with loopback, so that no name server learns of them. A client that connects to the address itself
 * never reaches the host.
 */
import dns from "node:dns";

/** @param isOurs whether a lookup of this host must not leave the process. Returns a function that restores Node's lookups. */
export function redirectNames(isOurs: (host: string) => boolean): () => void {
  const { lookup } = dns;
  const promised = dns.promises.lookup;
  const replaced = (host: string, ...more: unknown[]) => {
    if (!isOurs(host)) return Reflect.apply(lookup, dns, [host, ...more]);
    const done = more.at(-1) as (...given: unknown[]) => void;
    const { found, all } = answerTo(more[0]);
    process.nextTick(() => (all ? done(null, [found]) : done(null, found.address, found.family)));
    return {};
  };
  const replacedPromise = async (host: string, how?: unknown) => {
    if (!isOurs(host)) return Reflect.apply(promised, dns.promises, [host, how]);
    const { found, all } = answerTo(how);
    return all ? [found] : found;
  };
  dns.lookup = replaced as unknown as typeof dns.lookup;
  dns.promises.lookup = replacedPromise as unknown as typeof dns.promises.lookup;
  return () => {
    dns.lookup = lookup;
    dns.promises.lookup = promised;
  };
}

function answerTo(how: unknown): { found: { address: string; family: number }; all: boolean } {
  const { family, all } = typeof how === "object" && how !== null ? (how as Record<string, unknown>) : { family: how };
  const isSix = family === 6 || family === "IPv6";
  return { found: isSix ? { address: "::1", family: 6 } : { address: "127.0.0.1", family: 4 }, all: all === true };
}
