import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { hostNameOf, isRealHost } from "../../library/kit/host-name.ts";
import type { Authority } from "./authority.ts";
import { firstNames, HANDSHAKE } from "./host-names.ts";
import { type ProxyOptions, refusal, type Route, routeOf } from "./route.ts";

export type Keep = <S extends Duplex>(socket: S) => S;

/** The alert `unrecognized_name` of TLS. */
const WRONG_NAME = Buffer.from([21, 3, 3, 0, 2, 2, 112]);
const PORT_MAX = 65_535;

/**
 * Tunnels to the local server with our certificate, or to another host unchanged.
 * @param address the target of `CONNECT`
 */
export function tunnel(options: ProxyOptions, authority: Authority, address: string, socket: Socket, keep: Keep): void {
  const [, name = "", port = ""] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(address) ?? [];
  const isPort = port !== "" && Number(port) > 0 && Number(port) <= PORT_MAX;
  const route: Route = isPort ? routeOf(options, [name]) : refusal(400, "", "CONNECT takes a host and a port from 1 to 65535.\n");
  if (route.to === "nowhere") {
    options.onRefused?.(route.host, route.why);
    answer(socket, `${route.status} ${route.status === 400 ? "Bad Request" : "Forbidden"}`, route.why);
    return;
  }
  const isOurs = route.to === "sandbox";
  const upstream = keep(isOurs ? connect(options.target) : connect(Number(port), route.host));
  const unreachable = () => answer(socket, "502 Bad Gateway", "");
  upstream.once("error", unreachable);
  socket.once("close", () => upstream.destroy());
  upstream.once("connect", () => {
    upstream.off("error", unreachable);
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (isOurs) joinOurs(authority, route.host, { socket, upstream, keep });
    else {
      join(socket, socket, upstream);
      pipeUnlessReal(options, socket, upstream);
    }
  });
}

/**
 * A client that took this server for a host of the service begins with TLS at once. The name in its hello says which host it means. No
 * other host gets a connection this way.
 */
export function direct(options: ProxyOptions, authority: Authority, socket: Socket, keep: Keep): void {
  let bytes: Buffer = Buffer.alloc(0);
  const read = (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    const names = firstNames(bytes);
    if (names === undefined) return;
    socket.off("data", read).pause();
    const route = names === "unreadable" || names.length === 0 ? NAMELESS : routeOf({ ...options, passThrough: false }, names);
    if (route.to !== "sandbox") {
      options.onRefused?.(route.host, route.to === "nowhere" ? route.why : "");
      socket.end(WRONG_NAME);
      return;
    }
    socket.unshift(bytes);
    const upstream = keep(connect(options.target));
    const unreachable = () => socket.destroy();
    upstream.once("error", unreachable);
    socket.once("close", () => upstream.destroy());
    upstream.once("connect", () => {
      upstream.off("error", unreachable);
      joinOurs(authority, route.host, { socket, upstream, keep });
    });
  };
  socket.on("data", read);
}

const NAMELESS = refusal(400, "", "docdouble closed a connection, because it cannot read the name of the host in it.\n");

function joinOurs(
  authority: Authority,
  host: string,
  { socket, upstream, keep }: { socket: Socket; upstream: Socket; keep: Keep },
) {
  const client = keep(
    new TLSSocket(socket, { isServer: true, secureContext: authority.contextFor(host), ALPNProtocols: ["http/1.1"] }),
  );
  join(socket, client, upstream);
  client.pipe(upstream);
}

/** The client must meet a fault of the sandbox unchanged: a reset, or an end in the middle of an answer. */
function join(socket: Socket, client: Duplex, upstream: Socket): void {
  upstream.once("error", () => socket.resetAndDestroy());
  upstream.once("close", () => client.destroyed || client.end());
  client.once("close", () => upstream.destroy());
  upstream.pipe(client);
}

function answer(socket: Socket, status: string, text: string): void {
  const length = Buffer.byteLength(text);
  socket.end(`HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\n\r\n${text}`);
}

/** A tunnel to an address can carry a call that names a host of the real service. So nothing passes before these names are known. */
function pipeUnlessReal(options: ProxyOptions, client: Socket, upstream: Socket): void {
  let bytes: Buffer = Buffer.alloc(0);
  const read = (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    const names = firstNames(bytes);
    if (names === undefined) return;
    client.off("data", read);
    const real = names === "unreadable" ? names : names.map((name) => hostNameOf(name) ?? "").find(isRealHost);
    if (real === undefined) {
      client.off("end", end);
      upstream.write(bytes);
      client.pipe(upstream);
      return;
    }
    const why =
      real === "unreadable"
        ? "docdouble closed a tunnel, because it cannot read the name of the host in it.\n"
        : `docdouble closed a tunnel, because the call in it names ${real}, a host of the real service.\n`;
    options.onRefused?.(real === "unreadable" ? "" : real, why);
    upstream.destroy();
    client.end(bytes[0] === HANDSHAKE ? WRONG_NAME : "");
  };
  const end = () => upstream.end();
  client.on("data", read).once("end", end);
}
