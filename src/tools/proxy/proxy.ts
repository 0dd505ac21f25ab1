/**
 * A proxy for `HTTPS_PROXY`: calls to PandaDoc's hosts end at a local server, with a certificate made for the run. It never
 * connects to PandaDoc's hosts, and to other hosts only with `passThrough`.
 */
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { rootCertificates } from "node:tls";
import { messageOf } from "../../engine/core/text.ts";
import { SettingsError } from "../../library/errors.ts";
import { makeAuthority } from "./authority.ts";
import { forward } from "./forward.ts";
import type { ProxyOptions } from "./route.ts";
import { HANDSHAKE } from "./host-names.ts";
import { direct, tunnel } from "./tunnel.ts";

export interface RunningProxy {
  url: string;
  /** As PEM. With `passThrough`, public certificates too. */
  ca: string;
  /** The certificate that signs those of this proxy, as PEM. */
  authority: string;
  close(): Promise<void>;
}

/** @throws SettingsError when the port is in use */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const authority = makeAuthority();
  const sockets = new Set<Duplex>();
  const keep = <S extends Duplex>(socket: S): S => {
    sockets.add(socket);
    return socket.once("close", () => sockets.delete(socket)).on("error", () => {});
  };
  // Node refuses what it cannot send, such as a name with a line break, by a throw. Such a call must end, and never the proxy.
  const server = createServer((request, response) => {
    try {
      forward(options, request, response);
    } catch (error) {
      if (!response.headersSent) response.writeHead(400, { "content-type": "text/plain" });
      response.end(`The proxy cannot forward this call: ${messageOf(error)}\n`);
    }
  });
  server.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    keep(socket);
    if (head.length > 0) socket.unshift(head);
    try {
      tunnel(options, authority, request.url ?? "", socket, keep);
    } catch {
      socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    }
  });
  // One port takes calls to a proxy, and calls of clients that take it for a host of the service.
  const entrance = createTcpServer((socket) => {
    keep(socket).once("data", (first: Buffer) => {
      socket.pause().unshift(first);
      if (first[0] === HANDSHAKE) direct(options, authority, socket, keep);
      else server.emit("connection", socket);
      socket.resume();
    });
  });
  await new Promise<void>((resolve, reject) => {
    entrance.once("error", ({ code }: NodeJS.ErrnoException) =>
      reject(new SettingsError(`Cannot listen on port ${options.port}: ${code === "EADDRINUSE" ? "the port is in use" : code}.`)),
    );
    entrance.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(entrance.address() as AddressInfo).port}`,
    authority: authority.pem,
    ca: options.passThrough ? [authority.pem, ...rootCertificates].join("\n") : authority.pem,
    close: () =>
      new Promise((resolve) => {
        entrance.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
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
