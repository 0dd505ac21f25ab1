/** Calls of commands to a server, which need no `fetch`. */
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { httpCall, reasonOf } from "../../../src/tools/remote/http-call.ts";
import { localServer } from "../../support/local-server.ts";

test("a call sends its method, headers and body, and reads the whole answer", async () => {
  const url = await localServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    response.writeHead(409, { "x-why": "held" }).end(`${request.method} ${request.headers["x-key"]} ${body} ä`);
  });
  const answer = await httpCall(url, { method: "PUT", headers: { "x-key": "k" }, body: "né" });
  expect(answer).toMatchObject({ ok: false, status: 409, headers: { "x-why": "held" }, text: "PUT k né ä" });
});

test("a GET follows redirects, also relative ones, and a POST does not", async () => {
  const url = await localServer((request, response) => {
    if (request.url === "/end") response.end("reached");
    else response.writeHead(302, { location: "/end" }).end();
  });
  expect(await httpCall(`${url}/begin`, {})).toMatchObject({ ok: true, text: "reached" });
  expect(await httpCall(`${url}/begin`, { method: "POST" })).toMatchObject({ ok: false, status: 302 });
});

test("a redirect to another origin keeps no headers, and its relative redirects stay there", async () => {
  const other = await localServer((request, response) => {
    if (request.url === "/end") response.end(`key ${request.headers["x-key"]}`);
    else response.writeHead(302, { location: "/end" }).end();
  });
  const url = await localServer((_, response) => void response.writeHead(302, { location: `${other}/begin` }).end());
  expect(await httpCall(url, { headers: { "x-key": "secret" } })).toMatchObject({ status: 200, text: "key undefined" });
});

test("a redirect without an end is the answer after five hops", async () => {
  let calls = 0;
  const url = await localServer((_, response) => {
    calls++;
    response.writeHead(302, { location: "/again" }).end();
  });
  expect(await httpCall(url, {})).toMatchObject({ ok: false, status: 302 });
  expect(calls).toBe(6);
});

test.each([
  ["no head", () => {}],
  ["a head and half a body", (response: ServerResponse) => void response.write("half")],
])("a server that sends %s ends the call after its time", async (_, begin) => {
  const url = await localServer((_request, response) => begin(response));
  await expect(httpCall(url, { timeout_ms: 60 })).rejects.toThrow("no answer within 0.06 s");
});

test("a failed call names its reason", async () => {
  const reason = (url: string) => httpCall(url, {}).catch(reasonOf);
  expect(await reason("http://127.0.0.1:1")).toBe("ECONNREFUSED");
  expect(await reason("nonsense")).toBe("an address begins with http:// or https://");
  expect(await reason("ftp://127.0.0.1")).toBe("an address begins with http:// or https://");
  const url = await localServer((request) => void request.socket.destroy());
  expect(await reason(url)).toBe("ECONNRESET");
});
