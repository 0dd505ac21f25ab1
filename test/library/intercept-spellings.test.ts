/** Finding M1: no spelling, no way to connect and no old connection leads an intercepted process to the real host. */
import dns from "node:dns";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
import * as undici from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { redirect } from "../../src/library/kit/redirect.ts";
import { localServer } from "../support/local-server.ts";
import { intercept } from "../../src/intercept.ts";

async function intercepted() {
  const sandbox = await createSandbox({ seed: 7, clock: "frozen" });
  const stop = intercept(sandbox);
  onTestFinished(async () => {
    stop();
    await sandbox.close();
  });
  return { sandbox, stop };
}

type Module = typeof http | typeof https;
const get = (module: Module, options: http.RequestOptions | string): Promise<number | string> =>
  new Promise((resolve) => {
    const request = module.get(options as http.RequestOptions, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    request.on("error", (error) => resolve(error.message));
  });

const talk = (socket: net.Socket): Promise<string> =>
  new Promise((resolve) => {
    socket.on("error", (error) => resolve(error.message)).once("data", (data) => resolve(String(data).slice(0, 12)));
    socket.write("GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  });

const OK = "HTTP/1.1 200";

describe("intercept", () => {
  test.each(["api.pandadoc.com.", "API.PANDADOC.COM"])(
    "%s is intercepted in a URL, as a host and as a server name",
    async (host) => {
      await intercepted();
      const path = "/health";
      const headers = { host: "api.pandadoc.com" };
      expect(await get(https, `https://${host}:8443/health`)).toBe(200);
      expect(await get(http, `http://user:secret@${host}/health`)).toBe(200);
      expect(await get(https, { host, path, headers })).toBe(200);
      expect(await get(http, { hostname: host, path, port: 8080, headers })).toBe(200);
      expect((await fetch(`https://${host}/health`)).status).toBe(200);
      expect(await talk(net.connect(443, host))).toBe(OK);
      expect(await talk(net.connect({ host, port: 80 }))).toBe(OK);
      expect(await talk(new net.Socket().connect(80, host))).toBe(OK);
      expect(await talk(tls.connect(443, host))).toBe(OK);
      expect(await talk(tls.connect(443, { host }))).toBe(OK);
      expect(await talk(tls.connect({ host: "192.0.2.1", port: 443, servername: host }))).toBe(OK);
    },
  );

  test("another host of the real service gets no connection, and the error names the option", async () => {
    await intercepted();
    const why = "docdouble intercepts api.pandadoc.com and app.pandadoc.com, and does not connect api-eu.pandadoc.com.";
    expect(await get(https, "https://api-eu.pandadoc.com/")).toContain(why);
    expect(await get(http, "http://API-EU.pandadoc.com./")).toContain(why);
    const refused = await fetch("https://api-eu.pandadoc.com/").catch((error) => error.cause.message);
    expect(refused).toContain("Add api-eu.pandadoc.com to the option hosts.");
  });

  test("node:http2 and a connection for HTTP/2 only fail with a reason", async () => {
    await intercepted();
    const error = await new Promise<Error>((resolve) => {
      const session = http2.connect("https://api.pandadoc.com").on("error", resolve);
      onTestFinished(() => session.destroy());
    });
    expect(error.message).toContain("docdouble speaks HTTP/1.1");
    expect(await talk(tls.connect({ host: "api.pandadoc.com", ALPNProtocols: ["h2", "http/1.1"] }))).toBe(OK);
  });

  test("dispatchers of undici reach the sandbox, also with their own lookup", async () => {
    await intercepted();
    const connect = { lookup: () => expect.unreachable("a redirected host is not looked up") };
    for (const dispatcher of [
      new undici.Agent({ connect }),
      new undici.Pool("https://api.pandadoc.com"),
      new undici.Client("https://api.pandadoc.com"),
    ]) {
      onTestFinished(() => dispatcher.destroy());
      expect((await undici.request("https://api.pandadoc.com/health", { dispatcher })).statusCode).toBe(200);
    }
  });

  test("lookups of the hosts answer with loopback, and leave other names to Node", async () => {
    const { stop } = await intercepted();
    const host = "API.pandadoc.com.";
    expect(await dns.promises.lookup(host)).toEqual({ address: "127.0.0.1", family: 4 });
    expect(await dns.promises.lookup(host, { all: true, family: 6 })).toEqual([{ address: "::1", family: 6 }]);
    expect(await new Promise((done) => dns.lookup(host, (error, ...found) => done([error, ...found])))).toEqual([
      null,
      "127.0.0.1",
      4,
    ]);
    expect(await new Promise((done) => dns.lookup(host, { all: true }, (_, found) => done(found)))).toHaveLength(1);
    expect((await dns.promises.lookup("localhost")).address).toMatch(/^(127\.0\.0\.1|::1)$/);
    const { lookup } = dns;
    stop();
    expect(dns.lookup).not.toBe(lookup);
  });

  test("a connection from before the redirection carries nothing more", async () => {
    const calls: string[] = [];
    const old = await localServer((request, response) => {
      calls.push(request.url ?? "");
      response.end("old");
    });
    const target = { host: "127.0.0.1", port: Number(new URL(await localServer((_, response) => response.end("new"))).port) };
    const agent = new http.Agent({ keepAlive: true });
    const dispatcher = new undici.Agent();
    onTestFinished(() => {
      agent.destroy();
      return dispatcher.destroy();
    });
    const { port } = new URL(old);
    const url = (path: string) => `http://localhost:${port}${path}`;
    const byAgent = (path: string) =>
      new Promise<string>((resolve) => {
        http
          .get(url(path), { agent }, (answer) => void answer.setEncoding("utf8").once("data", resolve))
          .on("error", (error) => resolve((error as NodeJS.ErrnoException).code ?? ""));
      });
    const byUndici = (path: string) =>
      undici
        .request(url(path), { dispatcher })
        .then(({ body }) => body.text())
        .catch((error) => error.code);
    expect([await byAgent("/1"), await byUndici("/2")]).toEqual(["old", "old"]);
    onTestFinished(redirect({ hosts: ["localhost"], target: async () => target }));
    expect(["ECONNRESET", "UND_ERR_SOCKET", "new"]).toContain(await byAgent("/3"));
    expect(["ECONNRESET", "UND_ERR_SOCKET", "new"]).toContain(await byUndici("/4"));
    expect([await byAgent("/5"), await byUndici("/6")]).toEqual(["new", "new"]);
    expect(calls).toEqual(["/1", "/2"]);
  });
});
