/**
 * Redirects connections of this process from a host to a local server, for any client. Replaces `tls.connect`, which all clients of
 * Node use for https, and `net.Socket.prototype.connect` for http. In Bun and Deno it replaces `fetch` too.
 */
import { lazy } from "../../engine/core/operation.ts";
import { createRequire, syncBuiltinESMExports } from "node:module";
import net from "node:net";
import tls from "node:tls";
import type { Target } from "./hosts.ts";
import { hasNodeFetch, redirectFetch } from "./redirect-fetch.ts";

export interface Redirection {
  hosts: readonly string[];
  /** Speaks plain HTTP/1.1. A rejection refuses the connection, so that it never reaches the host. */
  target(): Promise<Target>;
}

const active: Redirection[] = [];
const sockets = new Map<Redirection, Set<net.Socket>>();
/** Saved before the first redirection. A start without redirections does not load Node's TLS. */
const original = lazy(() => ({ tlsConnect: tls.connect, socketConnect: net.Socket.prototype.connect }));
let restoreFetch = (): void => {};
type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket;

export function redirect(redirection: Redirection): () => void {
  if (active.length === 0) patch();
  active.unshift(redirection);
  sockets.set(redirection, new Set());
  dropIdle(redirection.hosts);
  return () => endRedirection(redirection);
}

function endRedirection(redirection: Redirection): void {
  const index = active.indexOf(redirection);
  if (index < 0) return;
  active.splice(index, 1);
  // A kept connection would still end in the sandbox. The next call must open a new connection to the real host.
  for (const socket of sockets.get(redirection) ?? []) socket.destroy();
  sockets.delete(redirection);
  if (active.length === 0) unpatch();
}

export function activeHosts(): ReadonlySet<string> {
  return new Set(active.flatMap((one) => one.hosts));
}

export function activeRedirections(): ReadonlySet<Redirection> {
  return new Set(active);
}

/** Ends redirections that clients forgot to end. */
export function endRedirectionsBeyond(known: ReadonlySet<Redirection>): void {
  for (const one of [...active]) if (!known.has(one)) endRedirection(one);
}

function patch(): void {
  original();
  tls.connect = connectTls as typeof tls.connect;
  net.Socket.prototype.connect = connectPlain as typeof net.Socket.prototype.connect;
  syncBuiltinESMExports();
  if (!hasNodeFetch) restoreFetch = redirectFetch((host) => active.find((one) => one.hosts.includes(host)));
}

function unpatch(): void {
  tls.connect = original().tlsConnect;
  net.Socket.prototype.connect = original().socketConnect;
  syncBuiltinESMExports();
  restoreFetch();
}

/** Node's own agents would reuse their open connections to the hosts. */
function dropIdle(hosts: readonly string[]): void {
  const require = createRequire(import.meta.url);
  for (const name of ["node:http", "node:https"] as const) {
    const { globalAgent } = require(name) as typeof import("node:http");
    for (const [key, idle] of Object.entries(globalAgent.freeSockets))
      if (hosts.includes(key.split(":")[0] ?? "")) for (const socket of idle ?? []) socket.destroy();
  }
}

interface Wanted {
  host?: unknown;
  hostname?: unknown;
  servername?: unknown;
  port?: unknown;
  path?: unknown;
  socket?: unknown;
}

/** Reads the arguments of `connect(options)` and `connect(port, host)`, and the list that Node passes to itself. */
function wantedOf(args: readonly unknown[]): Wanted {
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  if (typeof first === "object" && first !== null) return first as Wanted;
  return { port: first, host: typeof second === "string" ? second : undefined };
}

function redirectionOf({ host, hostname, servername }: Wanted): Redirection | undefined {
  const names = [host, hostname, servername].flatMap((name) =>
    typeof name === "string" ? [name.toLowerCase().replace(/\.$/, "")] : [],
  );
  return active.find((one) => names.some((name) => one.hosts.includes(name)));
}

/** A plain connection that looks encrypted, because clients wait for `secureConnect` and read the members below. */
function connectTls(...args: unknown[]): net.Socket {
  const wanted = wantedOf(args);
  const redirection = redirectionOf(wanted);
  if (!redirection) return Reflect.apply(original().tlsConnect, tls, args) as net.Socket;
  const socket = begin(redirection, new net.Socket());
  Object.assign(socket, {
    encrypted: true,
    authorized: true,
    authorizationError: null,
    alpnProtocol: "http/1.1",
    servername: String(wanted.servername ?? wanted.host),
    getPeerCertificate: () => ({ subject: {}, issuer: {} }),
    getPeerX509Certificate: () => undefined,
    getCipher: () => ({ name: "none", standardName: "none", version: "none" }),
    getProtocol: () => null,
    getSession: () => undefined,
    isSessionReused: () => false,
    setServername: () => {},
    renegotiate: () => false,
  });
  const done = args.find((one) => typeof one === "function") as (() => void) | undefined;
  if (done) socket.once("secureConnect", done);
  socket.once("connect", () => socket.emit("secureConnect"));
  return socket;
}

const connectPlain: Connect = function (this: net.Socket, ...args) {
  const wanted = wantedOf(args);
  const redirection = typeof wanted.path === "string" ? undefined : redirectionOf(wanted);
  if (!redirection) return Reflect.apply(original().socketConnect, this, args) as net.Socket;
  const done = [args[0], args].flat().find((one) => typeof one === "function") as (() => void) | undefined;
  if (done) this.once("connect", done);
  return begin(redirection, this);
};

/** Writes wait until the target is known. */
function begin(redirection: Redirection, socket: net.Socket): net.Socket {
  const openSockets = sockets.get(redirection);
  openSockets?.add(socket);
  socket.once("close", () => openSockets?.delete(socket));
  Object.assign(socket, { connecting: true });
  redirection.target().then(
    ({ host, port }) => {
      if (!socket.destroyed) Reflect.apply(original().socketConnect, socket, [{ host, port }]);
    },
    (error: unknown) => socket.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return socket;
}
