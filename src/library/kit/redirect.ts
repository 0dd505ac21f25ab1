/**
 * Redirects connections of this process from a host to a local server, for any client. Replaces `tls.connect`, which all clients of
 * Node use for https, and `net.Socket.prototype.connect` for http.
 */
import { lazy } from "../../engine/core/operation.ts";
import { createRequire, syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { Duplex } from "node:stream";
import tls from "node:tls";
import { hostNameOf, isRealHost } from "./host-name.ts";
import type { Target } from "./hosts.ts";
import { redirectNames } from "./redirect-names.ts";

export interface Redirection {
  hosts: readonly string[];
  /** Speaks plain HTTP/1.1. A rejection refuses the connection, so that it never reaches the host. */
  target(): Promise<Target>;
}

const active: Redirection[] = [];
const sockets = new Map<Redirection, Set<net.Socket>>();
/** Saved before the first redirection. A start without redirections does not load Node's TLS. */
const original = lazy(() => {
  const { connect, _write, _writev } = net.Socket.prototype;
  return { tlsConnect: tls.connect, socketConnect: connect, write: _write as Write, writev: _writev as Write };
});
/** Connections to the local server. */
const redirected = new WeakSet<net.Socket>();
/** Connections that may write, so that only the first write of each asks. */
let allowed = new WeakSet<net.Socket>();
let restoreNames = (): void => {};
type Write = (this: net.Socket, ...args: unknown[]) => void;
type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket;

export function redirect(redirection: Redirection): () => void {
  if (active.length === 0) patch();
  active.unshift(redirection);
  allowed = new WeakSet();
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
  net.Socket.prototype._write = refusingOld(original().write);
  net.Socket.prototype._writev = refusingOld(original().writev);
  restoreNames = redirectNames((host) => redirectionOf({ host }) !== undefined);
  syncBuiltinESMExports();
}

function unpatch(): void {
  tls.connect = original().tlsConnect;
  net.Socket.prototype.connect = original().socketConnect;
  net.Socket.prototype._write = original().write;
  net.Socket.prototype._writev = original().writev;
  restoreNames();
  syncBuiltinESMExports();
}

/** Node's own agents would reuse their open connections to the hosts. */
function dropIdle(hosts: readonly string[]): void {
  const require = createRequire(import.meta.url);
  for (const name of ["node:http", "node:https"] as const) {
    const { globalAgent } = require(name) as typeof import("node:http");
    for (const [key, idle] of Object.entries(globalAgent.freeSockets))
      if (hosts.includes(hostNameOf(key.split(":")[0] ?? "") ?? "")) for (const socket of idle ?? []) socket.destroy();
  }
}

interface Wanted {
  host?: unknown;
  hostname?: unknown;
  servername?: unknown;
  ALPNProtocols?: unknown;
  path?: unknown;
  /** The tunnel of a proxy. */
  socket?: unknown;
}

/**
 * A connection from before the redirection leads to the real host. It carries nothing more. Clients with a pool take `ECONNRESET` as the
 * end of an idle connection, and open another.
 */
function refusingOld(write: Write): Write {
  return function (this: net.Socket, ...args: unknown[]) {
    if (allowed.has(this)) {
      Reflect.apply(write, this, args);
      return;
    }
    const { _host: host, servername } = this as net.Socket & { _host?: unknown; servername?: unknown };
    if (redirected.has(this) || !redirectionOf({ host, servername })) {
      allowed.add(this);
      Reflect.apply(write, this, args);
      return;
    }
    const error = new Error(`This connection to ${String(host ?? servername)} is older than the intercept. docdouble ended it.`);
    this.destroy();
    (args.at(-1) as (error: Error) => void)(Object.assign(error, { code: "ECONNRESET" }));
  };
}

/** Reads the arguments of `connect(options)`, `connect(port, host, options)`, and the list that Node passes to itself. */
function wantedOf(args: readonly unknown[]): Wanted {
  const list = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  const [first, second] = list;
  const named = typeof first === "object" ? {} : { port: first, ...(typeof second === "string" ? { host: second } : {}) };
  return Object.assign({}, named, ...list.filter((one) => typeof one === "object" && one !== null));
}

function redirectionOf({ host, hostname, servername }: Wanted): Redirection | undefined {
  const names = [host, hostname, servername].flatMap((name) => (typeof name === "string" ? (hostNameOf(name) ?? []) : []));
  const real = names.find(isRealHost);
  return active.find((one) => names.some((name) => one.hosts.includes(name))) ?? (real === undefined ? undefined : refuse(real));
}

/** Another host of the real service. A call to it would be a mistake, while calls to its neighbors end in the sandbox. */
function refuse(host: string): Redirection {
  const intercepted = [...activeHosts()].join(" and ");
  const why = `docdouble intercepts ${intercepted}, and does not connect ${host}. Add ${host} to the option hosts.`;
  return { hosts: [], target: () => Promise.reject(new Error(why)) };
}

const WITHOUT_HTTP2: Redirection = {
  hosts: [],
  target: () =>
    Promise.reject(new Error("docdouble speaks HTTP/1.1. Use a client that can speak it, because this one wants HTTP/2.")),
};

/** A plain connection that looks encrypted, because clients wait for `secureConnect` and read the members below. */
function connectTls(...args: unknown[]): net.Socket {
  const wanted = wantedOf(args);
  const redirection = redirectionOf(wanted);
  if (!redirection) return Reflect.apply(original().tlsConnect, tls, args) as net.Socket;
  // Nothing goes through the tunnel to the real host. If it stayed open, the process would not end.
  if (wanted.socket instanceof Duplex) wanted.socket.destroy();
  const protocols = (wanted.ALPNProtocols ?? ["http/1.1"]) as unknown;
  const isOnlyHttp2 = Array.isArray(protocols) && protocols.length > 0 && protocols.every((one) => one === "h2");
  const socket = begin(isOnlyHttp2 ? WITHOUT_HTTP2 : redirection, new net.Socket());
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
  redirected.add(socket);
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
