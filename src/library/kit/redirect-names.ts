/**
 * Answers lookups of redirected hosts with loopback, so that no name server learns of them. A client that connects to the address itself
 * never reaches the host.
 */
import dns from "node:dns";

type Any = (...args: unknown[]) => unknown;
type Methods = Record<string, Any>;

const LOOPBACK = { 4: "127.0.0.1", 6: "::1" } as const;
const RESOLVERS = ["resolve", "resolve4", "resolve6", "resolveAny", "resolveCname"];

/** @param isOurs whether a lookup of this host must not leave the process. Returns a function that restores Node's lookups. */
export function redirectNames(isOurs: (host: string) => boolean): () => void {
  const undo: (() => void)[] = [];
  const replace = (methods: object, name: string, answer: (args: unknown[]) => unknown, isPromise: boolean) => {
    const target = methods as Methods;
    const original = target[name];
    if (!original) return;
    target[name] = function (this: unknown, ...args: unknown[]) {
      if (typeof args[0] !== "string" || !isOurs(args[0])) return Reflect.apply(original, this, args);
      const given = answer(args);
      if (isPromise) return given instanceof Error ? Promise.reject(given) : Promise.resolve(given);
      const done = args.at(-1) as Any;
      process.nextTick(() => (given instanceof Error ? done(given) : done(null, ...callbackOf(given))));
      return {};
    };
    undo.push(() => {
      target[name] = original;
    });
  };
  for (const [methods, isPromise] of [[dns, false] as const, [dns.promises, true] as const]) {
    replace(methods, "lookup", lookedUp, isPromise);
    for (const holder of [methods, methods.Resolver.prototype])
      for (const name of RESOLVERS) replace(holder, name, (args) => resolved(name, args), isPromise);
  }
  return () => {
    for (const one of undo.reverse()) one();
  };
}

interface Address {
  address: string;
  family: number;
}

function lookedUp([, how]: unknown[]): Address | Address[] {
  const { family, all } =
    typeof how === "object" && how !== null ? (how as Record<string, unknown>) : { family: how, all: false };
  const isSix = family === 6 || family === "IPv6";
  const found = { address: LOOPBACK[isSix ? 6 : 4], family: isSix ? 6 : 4 };
  return all === true ? [found] : found;
}

/** The callback of a single lookup takes the address and the family. */
function callbackOf(given: unknown): unknown[] {
  const isSingle = typeof given === "object" && given !== null && "address" in given;
  return isSingle ? [(given as Address).address, (given as Address).family] : [given];
}

function resolved(name: string, [host, how]: unknown[]): unknown {
  const isFour = name === "resolve4" || (name === "resolve" && (typeof how !== "string" || how === "A"));
  if (!isFour)
    return Object.assign(new Error(`docdouble answers no such record of ${host}`), { code: "ENODATA", hostname: host });
  const hasTtl = typeof how === "object" && how !== null && (how as { ttl?: unknown }).ttl === true;
  return [hasTtl ? { address: LOOPBACK[4], ttl: 0 } : LOOPBACK[4]];
}
