/** Finding M2: no input and no answer of another server ends the proxy, and with it `docdouble run --intercept`. */
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { startProxy } from "../../../src/tools/proxy/proxy.ts";
import { OFFICIAL_HOSTS } from "../../../src/library/kit/hosts.ts";
import { localServer } from "../../support/local-server.ts";
import { answering, endless, rawServer } from "../../support/raw-server.ts";

async function aProxy() {
  const target = { host: "127.0.0.1", port: Number(new URL(await localServer((_, response) => response.end("alive"))).port) };
  const proxy = await startProxy({ hosts: OFFICIAL_HOSTS, target, passThrough: true });
  onTestFinished(() => proxy.close());
  const port = Number(new URL(proxy.url).port);
  const isAlive = async () => {
    const call = "GET http://api.pandadoc.com/ HTTP/1.1\r\nhost: api.pandadoc.com\r\nconnection: close\r\n\r\n";
    expect((await send(port, call)).text).toContain("alive");
  };
  return { port, isAlive };
}

/** Resolves at the end of the connection, or when the text matches. */
function send(port: number, bytes: string | Buffer, until = /$^/): Promise<{ text: string; socket: Socket }> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    onTestFinished(() => void socket.destroy());
    let text = "";
    const done = () => resolve({ text, socket });
    socket.on("error", done).once("close", done).once("end", done);
    socket.on("data", (data) => {
      text = (text + data.toString("latin1")).slice(-10_000);
      if (until.test(text)) done();
    });
  });
}

const END = "HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
const OURS = "GET http://api.pandadoc.com/ HTTP/1.1\r\nhost: api.pandadoc.com\r\n";
const LONG = "x".repeat(20_000);

/** Calls of clients. The proxy answers or closes; a call in this list expects no other server. */
const CALLS: string[] = [
  ...["99999", "65536", "0", "-1", "", "80a", "1e3", "0x50", "99999999999999999999", "443:443"].map(
    (port) => `CONNECT localhost:${port} ${END}`,
  ),
  ...[
    "",
    ":443",
    "localhost",
    "[::1",
    "[::1]",
    "[]:1",
    "::1:1",
    "[zz]:1",
    "a b:1",
    "%:1",
    "%00:1",
    "a@b:1",
    "http://x:1",
    "/:1",
    "*",
    "?:1",
  ].map((address) => `CONNECT ${address} ${END}`),
  `CONNECT ${LONG}:443 ${END}`,
  `CONNECT ${"a.".repeat(200)}b:443 ${END}`,
  `CONNECT \u00ff\u00fe:443 ${END}`,
  `CONNECT 1.2.3.4.5:443 ${END}`,
  `CONNECT 999.1.1.1:443 ${END}`,
  `CONNECT nothing.invalid:443 ${END}`,
  `CONNECT api.pandadoc.com:443 HTTP/1.1\r\nhost: x\r\n\r\nno hello of TLS`,
  `CONNECT api.pandadoc.com:443 HTTP/1.1\r\nhost: x\r\n\r\n\u0016\u0003\u0001\u0000\u0004aaaa`,
  `CONNECT api.pandadoc.com:443 HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 5\r\n\r\n`,
  `CONNECT api.pandadoc.com:443 HTTP/0.9\r\n\r\n`,
  ...[
    "ftp://localhost/x",
    "ws://localhost/x",
    "file:///etc/passwd",
    "data:,x",
    "javascript:x",
    "foo:bar",
    "foo://api.pandadoc.com/",
  ].map((url) => `GET ${url} ${END}`),
  ...[
    "http://",
    "http://:80/",
    "http://localhost:99999/",
    "http://localhost:0/",
    "http://[::1/",
    "http://a b/",
    "http://%/",
    "https://%00/",
  ].map((url) => `GET ${url} ${END}`),
  ...["*", "/", "//x", "", "?", "#", "api.pandadoc.com:443"].map((target) => `GET ${target} ${END}`),
  `GET http://nothing.invalid/ ${END}`,
  `GET https://127.0.0.1:1/ ${END}`,
  `GET http://api.pandadoc.com/${LONG} ${END}`,
  `GET http://api.pandadoc.com/\u0001 ${END}`,
  `GET http://api.pandadoc.com/%zz ${END}`,
  `BREW http://api.pandadoc.com/ ${END}`,
  `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  `${OURS}upgrade: websocket\r\nconnection: upgrade, close\r\n\r\n`,
  `${OURS}connection: close, host, content-length\r\n\r\n`,
  `${OURS}connection: close\r\nexpect: nonsense\r\n\r\n`,
  `${OURS}connection: close\r\ncontent-length: -1\r\n\r\n`,
  `${OURS}connection: close\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd`,
  `${OURS}connection: close\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  `${OURS}connection: close\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
  `${OURS}connection: close\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  `${OURS}connection: close\r\ntransfer-encoding: chunked\r\n\r\n0\r\na: b\r\n\r\n`,
  `${OURS}connection: close\r\nbad header\r\n\r\n`,
  `${OURS}connection: close\r\nb\u00e4d: \u0001\r\n\r\n`,
  `${OURS}connection: close\r\nx: \u0080\u00ff\r\n\r\n`,
  `${OURS}connection: close\r\nproxy-authorization: Basic x\r\nte: trailers\r\ntrailer: a\r\n\r\n`,
  `${OURS}connection: close\r\n${"a: b\r\n".repeat(3000)}\r\n`,
  `${OURS}connection: close\r\na: ${LONG}\r\n\r\n`,
  `GET http://api.pandadoc.com/ HTTP/1.1\r\n\r\n`,
  `GET http://api.pandadoc.com/ HTTP/9.9\r\n\r\n`,
  `GET http://api.pandadoc.com/\r\n\r\n`,
  `\r\n\r\n\r\n`,
  `\u0016\u0003\u0001\u0002\u0000\u0001`,
  `\u0000`,
  LONG.repeat(10),
];

const OK = "HTTP/1.1 200 OK\r\n";
/** Other servers: the name, and what they do. */
const SERVERS: [string, (socket: Socket) => void][] = [
  ...["000", "001", "099", "100", "101", "199", "600", "999", "1000", "20", "-20", "2x0", "", " "].map(
    (status): [string, (socket: Socket) => void] => [
      `status ${JSON.stringify(status)}`,
      answering(`HTTP/1.1 ${status} Odd\r\ncontent-length: 0\r\n\r\n`, "end"),
    ],
  ),
  ["101 with an upgrade", answering("HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nabc", "end")],
  ["many 1xx", answering(`${"HTTP/1.1 103 Early\r\nlink: a\r\n\r\n".repeat(500)}${OK}content-length: 0\r\n\r\n`, "end")],
  ["a reset before the call", (socket) => socket.resetAndDestroy()],
  ["a reset after the call", (socket) => void socket.once("data", () => socket.resetAndDestroy())],
  ["an end without an answer", answering("", "end")],
  ["half of a status line", answering("HTTP/1.1 2", "end")],
  ["half of the headers", answering(`${OK}content-`, "end")],
  ["half of a body", answering(`${OK}content-length: 10\r\n\r\nhalf`, "end")],
  ["a bad chunk", answering(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`, "end")],
  ["half of a chunk", answering(`${OK}transfer-encoding: chunked\r\n\r\nff\r\nab`, "end")],
  ["a huge chunk", answering(`${OK}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\nab`, "end")],
  ["trailers", answering(`${OK}transfer-encoding: chunked\r\ntrailer: a\r\n\r\n0\r\na: b\r\n\r\n`, "end")],
  ["two lengths", answering(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, "end")],
  ["a length and chunks", answering(`${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, "end")],
  ["a body longer than its length", answering(`${OK}content-length: 1\r\n\r\n${"a".repeat(1000)}`, "end")],
  ["a body after 204", answering("HTTP/1.1 204 None\r\ncontent-length: 4\r\n\r\nbody", "end")],
  ["chunks after 304", answering("HTTP/1.1 304 Same\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", "end")],
  ["endless headers", endless(OK, "a: b\r\n".repeat(100))],
  ["a header with control letters", answering(`${OK}x: a\u0001\u007f\r\ncontent-length: 0\r\n\r\n`, "end")],
  ["a header with high letters", answering(Buffer.from(`${OK}x: \u00e4\u00ff\r\ncontent-length: 0\r\n\r\n`, "latin1"), "end")],
  ["a header without a name", answering(`${OK}: a\r\ncontent-length: 0\r\n\r\n`, "end")],
  ["a folded header", answering(`${OK}a: b\r\n c\r\ncontent-length: 0\r\n\r\n`, "end")],
  ["a connection header that names all", answering(`${OK}connection: content-length, date\r\ncontent-length: 0\r\n\r\n`, "end")],
  ["an upgrade header", answering(`${OK}connection: upgrade\r\nupgrade: h2c\r\ncontent-length: 0\r\n\r\n`, "end")],
  ["garbage", answering("\u0000\u0001\u0002\r\n\r\n", "end")],
  ["a TLS alert", answering("\u0015\u0003\u0003\u0000\u0002\u0002\u0028", "end")],
  ["HTTP/2", answering(Buffer.from("000012040000000000000300000064000400400000000600004000", "hex"), "end")],
];

describe("the proxy survives", () => {
  test.each(CALLS.map((call, i) => [i, JSON.stringify(call.slice(0, 60)), call] as const))(
    "the proxy answers or closes, and serves the next call, after the call %i %s",
    async (_, __, call) => {
      const { port, isAlive } = await aProxy();
      const bytes = Buffer.from(call, "latin1");
      const ended = send(port, bytes);
      await isAlive();
      // The second client leaves at once, and the third in the middle of its call.
      connect(port, "127.0.0.1", function (this: Socket) {
        this.write(bytes, () => this.resetAndDestroy());
      }).on("error", () => {});
      connect(port, "127.0.0.1", function (this: Socket) {
        this.end(bytes.subarray(0, bytes.length / 2));
      }).on("error", () => {});
      await isAlive();
      const half = send(port, bytes, /./);
      void half.then(({ socket }) => socket.end());
      void ended;
      await isAlive();
    },
  );

  test.each(SERVERS)("a server with %s reaches the client as an answer or an end, by URL and by tunnel", async (_, behave) => {
    const { port, isAlive } = await aProxy();
    const server = await rawServer(behave);
    for (const method of ["GET", "HEAD", "POST"]) {
      const { text, socket } = await send(port, `${method} ${server.url}/ ${END}`);
      expect(text === "" || text.startsWith("HTTP/1.1 ")).toBe(true);
      socket.destroy();
    }
    const tunnel = await send(port, `CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\n\r\n`, / 200 |502/);
    tunnel.socket.write(`GET / ${END}`);
    await isAlive();
    const https = await send(port, `GET https://127.0.0.1:${server.port}/ ${END}`);
    expect(https.text === "" || https.text.startsWith("HTTP/1.1 ")).toBe(true);
    await isAlive();
  });

  test("an upstream with status 101 or an impossible status becomes a 502 with the reason", async () => {
    const { port } = await aProxy();
    const upgrade = await rawServer(answering("HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"));
    expect((await send(port, `GET ${upgrade.url}/ ${END}`)).text).toContain("gave no usable answer: status code: 101");
    const low = await rawServer(answering("HTTP/1.1 099 Low\r\ncontent-length: 0\r\n\r\n"));
    expect((await send(port, `GET ${low.url}/ ${END}`)).text).toMatch(/^HTTP\/1\.1 502 /);
    expect((await send(port, `CONNECT localhost:99999 ${END}`)).text).toMatch(/^HTTP\/1\.1 400 [\s\S]*from 1 to 65535/);
    expect((await send(port, `GET ftp://localhost/x ${END}`)).text).toMatch(/^HTTP\/1\.1 400 [\s\S]*http and https, not ftp/);
  });

  test("closing the proxy ends half-open clients and tunnels", async () => {
    const target = { host: "127.0.0.1", port: Number(new URL(await localServer(() => {})).port) };
    const proxy = await startProxy({ hosts: OFFICIAL_HOSTS, target, passThrough: true });
    const port = Number(new URL(proxy.url).port);
    const silent = await rawServer(() => {});
    const open = [
      send(port, "GET http://api.pandadoc.com/ HTTP/1.1\r\nhost: x\r\n\r\n"),
      send(port, "GET http://api.pandadoc.com/ HTTP/1.1\r\nho"),
      send(port, `CONNECT 127.0.0.1:${silent.port} HTTP/1.1\r\n\r\nGET /`),
    ];
    await send(port, `CONNECT 127.0.0.1:${silent.port} HTTP/1.1\r\n\r\n`, / 200 /);
    await proxy.close();
    await Promise.all(open);
  });
});
