/** The proxy for `HTTPS_PROXY`: what clients in each language see, and that no call reaches the real hosts. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { delimiter, join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";
import { OFFICIAL_HOSTS } from "../../../src/library/kit/hosts.ts";
import { startProxy } from "../../../src/tools/proxy/proxy.ts";
import { files, run, serve } from "../../support/process.ts";

async function aProxy(options: { passThrough?: boolean } = {}) {
  const sandbox = await createSandbox({ port: 0, seed: 7, clock: "frozen", publicUrl: "https://api.pandadoc.com" });
  const target = { host: "127.0.0.1", port: Number(new URL(sandbox.url).port) };
  const refused: string[] = [];
  const proxy = await startProxy({ hosts: OFFICIAL_HOSTS, target, ...options, onRefused: (host) => refused.push(host) });
  onTestFinished(async () => {
    await proxy.close();
    await sandbox.close();
  });
  return { sandbox, proxy, refused };
}

/** Asks a proxy for a tunnel. Resolves to the status line with the text, and the socket. */
function tunnel(proxy: string, address: string): Promise<{ status: number; text: string; socket: Socket }> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(proxy).port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", reject).on("connect", () => socket.write(`CONNECT ${address} HTTP/1.1\r\nhost: ${address}\r\n\r\n`));
    socket.once("data", (data) => {
      const text = String(data);
      resolve({ status: Number(text.split(" ")[1]), text, socket });
    });
  });
}

/** A call through a tunnel with all certificate checks. */
async function call(proxy: { url: string; ca: string }, path: string, host = "api.pandadoc.com") {
  const { socket } = await tunnel(proxy.url, `${host}:443`);
  const secure = await new Promise<TLSSocket>((resolve, reject) => {
    const one = connectTls({ socket, servername: host, ca: proxy.ca }, () => resolve(one)).on("error", reject);
  });
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const headers = { host, authorization: "API-Key docdouble-key", connection: "close" };
    request({ createConnection: () => secure, path, headers }, async (answer) => {
      const body = await answer.setEncoding("utf8").reduce((text: string, more: string) => text + more, "");
      resolve({ status: answer.statusCode ?? 0, body });
    })
      .on("error", reject)
      .end();
  });
}

describe("the proxy", () => {
  test("connects other hosts with passThrough, and answers clients that send absolute URLs", async () => {
    const server = createServer((_, response) => response.end("another server"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { proxy } = await aProxy({ passThrough: true });
    const { socket, status } = await tunnel(proxy.url, `127.0.0.1:${port}`);
    expect(status).toBe(200);
    socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    expect(await socket.setEncoding("utf8").reduce((text: string, more: string) => text + more, "")).toContain("another server");
    const whole = (url: string) =>
      new Promise<[number | undefined, string]>((resolve, reject) => {
        const headers = { authorization: "API-Key docdouble-key", host: new URL(url).host };
        request(proxy.url, { path: url, headers }, async (answer) =>
          resolve([answer.statusCode, await answer.setEncoding("utf8").reduce((text: string, more: string) => text + more, "")]),
        )
          .on("error", reject)
          .end();
      });
    expect(await whole("https://api.pandadoc.com/public/v1/templates?count=1")).toEqual([
      200,
      expect.stringContaining('"results"'),
    ]);
    expect(await whole(`http://127.0.0.1:${port}/`)).toEqual([200, "another server"]);
    expect(await tunnel(proxy.url, "127.0.0.1:1")).toMatchObject({ status: 502 });
  });
});

const has = (program: string) => (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
/** Clients of other languages, if installed. */
const CLIENTS: string[][] = [
  ["curl", "-sSf", "-H", "Authorization: API-Key docdouble-key", "https://api.pandadoc.com/public/v1/templates"],
  [
    "python3",
    "-c",
    'import urllib.request as u; print(u.urlopen(u.Request("https://api.pandadoc.com/public/v1/templates", headers={"Authorization": "API-Key docdouble-key"})).read().decode())',
  ],
  [
    "ruby",
    "-e",
    'require "net/http"; p = URI(ENV["HTTPS_PROXY"]); h = Net::HTTP.new("api.pandadoc.com", 443, p.host, p.port); h.use_ssl = true; puts h.get("/public/v1/templates", { "Authorization" => "API-Key docdouble-key" }).body',
  ],
  [
    "php",
    "-r",
    'echo file_get_contents("https://api.pandadoc.com/public/v1/templates", false, stream_context_create(["http" => ["header" => "Authorization: API-Key docdouble-key", "proxy" => str_replace("http://", "tcp://", getenv("HTTPS_PROXY")), "request_fulluri" => true]]));',
  ],
];

describe("the commands", () => {
  test("docdouble proxy writes the certificate, prints the variables, and serves programs that use them", async () => {
    const ca = join(files(), "ca.pem");
    const served = await serve(["proxy", "--json", "--ca", ca, "--scenario", "scenarios/bad-day.yaml"]);
    const { proxy, env } = JSON.parse(served.line);
    expect(env).toMatchObject({
      HTTPS_PROXY: proxy,
      SSL_CERT_FILE: ca,
      NODE_EXTRA_CA_CERTS: ca,
      NO_PROXY: "localhost,127.0.0.1,::1",
    });
    expect((await call({ url: proxy, ca: readFileSync(ca, "utf8") }, "/public/v1/templates")).status).toBe(200);
    for (const [program = "", ...args] of CLIENTS.filter(([name]) => has(name ?? "")))
      expect(execFileSync(program, args, { env: { ...process.env, ...env }, encoding: "utf8" }), program).toContain("One signer");
    expect(await run(["proxy", "--port", new URL(proxy).port])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the port is in use"),
    });
    expect(await served.stop()).toMatchObject({ code: 0 });
    expect(await run(["proxy", "--ca", "/nowhere/ca.pem"])).toMatchObject({
      code: 2,
      stderr: "Cannot write /nowhere/ca.pem: ENOENT. Check the folder.\n",
    });
  });

  test("run --intercept serves programs of other languages through the proxy", async () => {
    const [client = [process.execPath, "-e", "console.log('One signer')"]] = CLIENTS.filter(([name]) => has(name ?? ""));
    const ended = await run(["run", "--intercept", "--", ...client]);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("One signer") });
  });
});
