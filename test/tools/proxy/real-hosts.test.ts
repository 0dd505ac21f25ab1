/** Finding M1: no spelling of a host and no mix of names leads the proxy to the real service. */
import dns from "node:dns";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startProxy } from "../../../src/tools/proxy/proxy.ts";
import { OFFICIAL_HOSTS } from "../../../src/library/kit/hosts.ts";
import { hostNameOf, isRealHost } from "../../../src/library/kit/host-name.ts";
import { localServer } from "../../support/local-server.ts";
import { rawServer } from "../../support/raw-server.ts";

/** A proxy that passes other hosts through. The test fails when it looks up a host of the real service. */
async function anOpenProxy() {
  const lookups = vi.spyOn(dns, "lookup");
  const sandbox = await localServer((request, response) => response.end(`sandbox: ${request.headers.host}`));
  const refused: string[] = [];
  const target = { host: "127.0.0.1", port: Number(new URL(sandbox).port) };
  const proxy = await startProxy({ hosts: OFFICIAL_HOSTS, target, passThrough: true, onRefused: (host) => refused.push(host) });
  onTestFinished(async () => {
    expect(lookups.mock.calls.map(([host]) => host).filter((host) => /pandadoc|%|[^ -~]/i.test(host))).toEqual([]);
    lookups.mockRestore();
    await proxy.close();
  });
  return { proxy, refused, port: Number(new URL(proxy.url).port) };
}

/** Sends bytes and resolves to what comes back until the end, or until the text arrives. */
function exchange(port: number, sent: string, until = /$^/): Promise<{ text: string; socket: Socket }> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from(sent, "utf8")));
    onTestFinished(() => void socket.destroy());
    let text = "";
    const done = () => resolve({ text, socket });
    socket.on("error", done).once("close", done).once("end", done);
    socket.on("data", (data) => {
      text += data;
      if (until.test(text)) done();
    });
  });
}

const SPELLINGS = [
  "api.pandadoc.com",
  "API.PandaDoc.COM",
  "api.pandadoc.com.",
  "api.pandadoc.com..",
  "app.pandadoc.com...",
  "api%2epandadoc%2ecom",
  "%61pi.pandadoc.com",
  "API%2EPANDADOC%2Ecom.",
  "ａｐｉ.pandadoc.com",
  "api。pandadoc。com",
  "api．pandadoc．com",
  "api｡pandadoc｡com",
  "api.panda\u00addoc.com",
  "𝐚𝐩𝐢.pandadoc.com",
];
const OTHER_REAL = ["api-eu.pandadoc.com", "PANDADOC.com.", "status%2epandadoc.com", "x.api.pandadoc.com", "www．pandadoc.com"];

describe("hostNameOf", () => {
  test.each(SPELLINGS)("%s is a host that docdouble answers", (spelling) => {
    expect(OFFICIAL_HOSTS).toContain(hostNameOf(spelling));
  });

  test.each(OTHER_REAL)("%s is a host of the real service", (spelling) => {
    expect(isRealHost(hostNameOf(spelling) ?? "")).toBe(true);
  });

  test.each([
    ["notpandadoc.com", "notpandadoc.com"],
    ["pandadoc.com.example", "pandadoc.com.example"],
    ["0x7f.1", "127.0.0.1"],
    ["2130706433", "127.0.0.1"],
    ["017700000001", "127.0.0.1"],
    ["[::1]", "::1"],
    ["::FFFF:127.0.0.1", "::ffff:7f00:1"],
    ["user@api.pandadoc.com", undefined],
    ["api.pandadoc.com:443", undefined],
    ["a b", undefined],
    ["api.pandadoc.com/x", undefined],
    ["api%252epandadoc.com", undefined],
    ["", undefined],
    [".", undefined],
  ])("%j is read as %j", (spelling, host) => {
    expect(hostNameOf(spelling)).toBe(host);
  });
});

describe("the proxy", () => {
  test("CONNECT answers every spelling of an intercepted host with docdouble's certificate", async () => {
    const { proxy, port } = await anOpenProxy();
    for (const spelling of SPELLINGS.filter((one) => /^[ -~]+$/.test(one))) {
      const { socket, text } = await exchange(port, `CONNECT ${spelling}:8443 HTTP/1.1\r\n\r\n`, /\r\n\r\n/);
      expect([spelling, text]).toEqual([spelling, expect.stringContaining(" 200 ")]);
      const host = hostNameOf(spelling) as string;
      await new Promise<void>((resolve, reject) => {
        connectTls({ socket, servername: host, ca: proxy.ca }, resolve).on("error", reject);
      });
    }
  });

  test("CONNECT refuses every spelling of another real host, and names it", async () => {
    const { refused, port } = await anOpenProxy();
    for (const spelling of OTHER_REAL.filter((one) => /^[ -~]+$/.test(one)))
      expect((await exchange(port, `CONNECT ${spelling}:443 HTTP/1.1\r\n\r\n`)).text).toContain(" 403 ");
    expect(refused).toEqual(["api-eu.pandadoc.com", "pandadoc.com", "status.pandadoc.com", "x.api.pandadoc.com"]);
  });

  test("an absolute URL of any spelling ends in the sandbox, whatever its port, user and Host header say", async () => {
    const { port } = await anOpenProxy();
    for (const spelling of SPELLINGS.filter((one) => /^[ -~]+$/.test(one)))
      for (const url of [`http://${spelling}/a`, `https://${spelling}:8443/a`, `HTTPS://me:secret@${spelling}/a`]) {
        const call = `GET ${url} HTTP/1.1\r\nhost: other.example\r\nconnection: close\r\n\r\n`;
        const { host } = new URL(url);
        expect([url, (await exchange(port, call)).text]).toEqual([url, expect.stringContaining(`sandbox: ${host}`)]);
      }
    for (const host of OTHER_REAL.slice(0, 3))
      expect((await exchange(port, `GET http://${host}/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)).text).toContain(
        " 403 ",
      );
  });

  test("a call to another host whose Host header names the real service is refused", async () => {
    const { port, refused } = await anOpenProxy();
    const other = await localServer((request, response) => response.end(`other: ${request.headers.host}`));
    const call = (host: string) =>
      exchange(port, `GET ${other}/ HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`).then(({ text }) => text);
    for (const host of ["api.pandadoc.com", "API.PANDADOC.COM.:443", "api-eu%2epandadoc.com"])
      expect(await call(host)).toContain(" 403 ");
    expect(refused).toEqual(["api.pandadoc.com", "api.pandadoc.com", "api-eu.pandadoc.com"]);
    expect(await call("third.example")).toContain(`other: ${new URL(other).host}`);
  });

  test("a tunnel to another host whose TLS hello or Host header names the real service carries no byte", async () => {
    const { port, refused } = await anOpenProxy();
    const received: Buffer[] = [];
    const other = await rawServer((socket) => socket.on("data", (data) => received.push(data)));
    const tunnel = () =>
      exchange(port, `CONNECT 127.0.0.1:${other.port} HTTP/1.1\r\n\r\n`, /\r\n\r\n/).then(({ socket }) => socket);
    for (const servername of ["api.pandadoc.com", "API-EU.PandaDoc.com"]) {
      const socket = await tunnel();
      const error = await new Promise((resolve) => connectTls({ socket, servername }).on("error", resolve));
      expect(String(error)).toMatch(/unrecognized name|disconnected|ECONNRESET/);
    }
    for (const call of [
      "GET / HTTP/1.1\r\nhost: api.pandadoc.com\r\n\r\n",
      "POST http://api.pandadoc.com/public/v1/documents HTTP/1.1\r\nHOST : x\r\n\r\n",
    ]) {
      const socket = await tunnel();
      // In pieces, as a slow client sends it.
      for (const part of [call.slice(0, 3), call.slice(3, 30), call.slice(30)]) {
        socket.write(part);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await new Promise((resolve) => socket.once("close", resolve).resume().end());
    }
    expect([received, refused]).toEqual([
      [],
      ["api.pandadoc.com", "api-eu.pandadoc.com", "api.pandadoc.com", "api.pandadoc.com"],
    ]);
  });

  test("a tunnel to another host carries TLS with its own name, HTTP and any other protocol unchanged", async () => {
    const { port } = await anOpenProxy();
    const echo = await rawServer((socket) => void socket.pipe(socket));
    for (const bytes of ["GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n", "EHLO me\r\n", "SSH-2.0-x\r\n", "\u0000\u0001", "get it"]) {
      const { socket } = await exchange(port, `CONNECT 0x7f.1:${echo.port} HTTP/1.1\r\n\r\n`, /\r\n\r\n/);
      socket.write(bytes);
      expect(String(await new Promise((resolve) => socket.once("data", resolve)))).toBe(bytes);
    }
    const hello = await new Promise<Buffer>((resolve) => {
      void rawServer((socket) => socket.once("data", resolve)).then(async (server) => {
        const { socket } = await exchange(port, `CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\n\r\n`, /\r\n\r\n/);
        connectTls({ socket, servername: "other.example" }).on("error", () => {});
      });
    });
    expect(hello.includes("other.example")).toBe(true);
  });
});
