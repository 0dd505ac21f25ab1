/**
 * A proxy for `HTTPS_PROXY`: calls to PandaDoc's hosts end at a local server, with a certificate made for the run. It never
 * connects to PandaDoc's hosts, and to other hosts only with `passThrough`.
 */
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { rootCertificates, TLSSocket } from "node:tls";
import { SettingsError } from "../../library/errors.ts";
import { type Authority, makeAuthority } from "./authority.ts";

export interface ProxyOptions {
  port?: number | undefined;
  hosts: readonly string[];
  target: { host: string; port: number };
  passThrough?: boolean | undefined;
  onRefused?: ((host: string, why: string) => void) | undefined;
}

export interface RunningProxy {
  url: string;
  /** As PEM. With `passThrough`, public certificates too. */
  ca: string;
  close(): Promise<void>;
}

const REAL = /(^|\.)pandadoc\.com$/i;

/** @throws SettingsError when the port is in use */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const authority = makeAuthority();
  const sockets = new Set<Duplex>();
  const keep = <S extends Duplex>(socket: S): S => {
    sockets.add(socket);
    return socket.once("close", () => sockets.delete(socket)).on("error", () => {});
  };
  const server = createServer((request, response) => forward(options, request, response));
  server.on("connection", keep);
  server.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    keep(socket);
    if (head.length > 0) socket.unshift(head);
    tunnel(options, authority, request.url ?? "", socket, keep);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      reject(new SettingsError(`Cannot listen on port ${options.port}: ${code === "EADDRINUSE" ? "the port is in use" : code}.`)),
    );
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: options.passThrough ? [authority.pem, ...rootCertificates].join("\n") : authority.pem,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

type Keep = <S extends Duplex>(socket: S) => S;

/** Tunnels to the local server with our certificate, or to another host unchanged. */
function tunnel(options: ProxyOptions, authority: Authority, address: string, socket: Socket, keep: Keep): void {
  const [, name = "", port = "443"] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(address) ?? [];
  const host = name.toLowerCase();
  const why = refusalOf(options, host);
  if (why !== undefined) {
    options.onRefused?.(host, why);
    socket.end(`HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(why)}\r\n\r\n${why}`);
    return;
  }
  const isOurs = options.hosts.includes(host);
  const upstream = keep(isOurs ? connect(options.target) : connect(Number(port), host));
  const unreachable = () => socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
  upstream.once("error", unreachable);
  upstream.once("connect", () => {
    upstream.off("error", unreachable);
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    const client: Duplex = isOurs
      ? keep(new TLSSocket(socket, { isServer: true, secureContext: authority.contextFor(host), ALPNProtocols: ["http/1.1"] }))
      : socket;
    client.pipe(upstream).pipe(client);
    client.once("close", () => upstream.destroy());
    // The client must meet a fault of the sandbox unchanged: a reset, or an end in the middle of an answer.
    upstream.once("error", () => socket.resetAndDestroy());
    upstream.once("close", () => client.destroyed || client.end());
  });
}

/** Some clients, such as axios, send https calls to a proxy without a tunnel. */
function forward(options: ProxyOptions, request: IncomingMessage, response: ServerResponse): void {
  const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : undefined;
  const host = url?.hostname.toLowerCase() ?? "";
  const why = url
    ? refusalOf(options, host)
    : "This is a proxy. Set HTTPS_PROXY to its address, and call https://api.pandadoc.com.";
  if (!url || why !== undefined) {
    options.onRefused?.(host, why ?? "");
    response.writeHead(403, { "content-type": "text/plain" }).end(why);
    return;
  }
  const isOurs = options.hosts.includes(host);
  const { "proxy-connection": _, ...headers } = request.headers;
  const to = isOurs ? { ...options.target, protocol: "http:" } : { host, port: url.port, protocol: url.protocol };
  const send = to.protocol === "https:" ? httpsRequest : httpRequest;
  const outgoing = send({ ...to, path: `${url.pathname}${url.search}`, method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on("error", () => response.socket?.resetAndDestroy());
    answer.pipe(response);
  });
  outgoing.on("error", () => response.socket?.resetAndDestroy());
  request.pipe(outgoing);
}

function refusalOf({ hosts, passThrough }: ProxyOptions, host: string): string | undefined {
  if (hosts.includes(host)) return undefined;
  const answered = `docdouble answers ${hosts.join(" and ")}`;
  if (REAL.test(host)) return `${answered}. It never connects ${host}, a host of the real service.\n`;
  if (passThrough) return undefined;
  return `${answered} only, and does not connect ${host}. Add ${host} to NO_PROXY, or start the proxy with --pass-through.\n`;
}

export function proxyEnv(url: string, caFile: string): Record<string, string> {
  const local = "localhost,127.0.0.1,::1";
  return {
    HTTPS_PROXY: url,
    https_proxy: url,
    NO_PROXY: local,
    no_proxy: local,
    // OpenSSL, Go, Ruby, PHP, Rust.
    SSL_CERT_FILE: caFile,
    CURL_CA_BUNDLE: caFile,
    REQUESTS_CA_BUNDLE: caFile,
    NODE_EXTRA_CA_CERTS: caFile,
    DENO_CERT: caFile,
    // Node 22.21, 24 and newer.
    NODE_USE_ENV_PROXY: "1",
  };
}
