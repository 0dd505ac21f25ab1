/** Tests slow, silent, hasty and disconnected clients: each connection ends, and other clients do not wait for it. */
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Listening, listen } from "../../../src/engine/http/serve.ts";
import { within } from "../../support/patience.ts";

const HASTY = { headers: 150, request: 400, silence: 600, check: 30 };

async function server(fetch: (request: Request) => Response | Promise<Response>, patience = HASTY): Promise<Listening> {
  const listening = await listen((request) => fetch(request), { port: 0, host: "127.0.0.1", patience });
  onTestFinished(() => listening.close(0));
  return listening;
}

interface Line {
  socket: Socket;
  /** The received text, after the server has closed the connection. */
  ended: Promise<string>;
}

function line(port: number): Line {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let text = "";
  const ended = new Promise<string>((resolve) => {
    socket.on("data", (more) => {
      text += more.toString();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
  return { socket, ended };
}

const echo = async (request: Request): Promise<Response> => new Response((await request.text()) || new URL(request.url).pathname);

test("close does not wait for connections without a request, which clients open in advance", async () => {
  const { port, close } = await server(() => new Response("x"));
  const { socket, ended } = line(port);
  await new Promise((resolve) => socket.once("connect", resolve));
  const started = performance.now();
  await close(5000);
  await ended;
  expect(performance.now() - started).toBeLessThan(within(2500));
});

describe("listen", () => {
  test("headers that arrive too slowly get a 408, and other clients are served meanwhile", async () => {
    const { port } = await server(echo);
    const slow = line(port);
    slow.socket.write("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    const drops = setInterval(() => slow.socket.write("a"), 20);
    onTestFinished(() => clearInterval(drops));
    expect((await fetch(`http://127.0.0.1:${port}/quick`)).status).toBe(200);
    expect(await slow.ended).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("a connection without a request is closed, and so is a client that never reads its answer", async () => {
    const { port } = await server(() => new Response("x".repeat(30_000_000)));
    const silent = line(port);
    const deaf = line(port);
    deaf.socket.pause();
    deaf.socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    const cut = new Promise((resolve) => deaf.socket.once("close", resolve));
    expect(await silent.ended).toMatch(/^$|^HTTP\/1\.1 408 /);
    // When this line ends, the limit of the deaf client has passed too.
    await line(port).ended;
    // The unread data is lost. The client notices the end when it reads again.
    deaf.socket.resume();
    await cut;
  });

  test("pipelined requests are answered in order", async () => {
    const last = 19;
    let release = () => {};
    const allArrived = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The first answer is made last.
    const { port } = await server(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === `/${last}`) release();
      if (pathname === "/0") await allArrived;
      return new Response(`answer ${pathname}.`);
    });
    const one = line(port);
    const requests = Array.from(
      { length: last + 1 },
      (_, i) => `GET /${i} HTTP/1.1\r\nHost: a\r\n${i === last ? "Connection: close\r\n" : ""}\r\n`,
    );
    one.socket.write(requests.join(""));
    const text = await one.ended;
    expect(text.match(/answer \/\d+\./g)).toEqual(requests.map((_, i) => `answer /${i}.`));
  });

  test("the server keeps working when clients disconnect in the middle of a request", async () => {
    const { port } = await server(echo);
    for (let i = 0; i < 20; i++) {
      const one = line(port);
      one.socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nsome");
      await new Promise((resolve) => setImmediate(resolve));
      one.socket.destroy();
    }
    expect(await (await fetch(`http://127.0.0.1:${port}/after`)).text()).toBe("/after");
  });

  test("a kept connection may wait longer for its next request than a request may take, and closes after the limit of silence", async () => {
    const patience = { ...HASTY, request: 200, silence: 1500 };
    const { port } = await server(echo, patience);
    const one = line(port);
    one.socket.write("GET /first HTTP/1.1\r\nHost: a\r\n\r\n");
    await new Promise((resolve) => one.socket.once("data", resolve));
    // When this unfinished request ends, the limit of a request has passed since the first answer.
    const unfinished = line(port);
    unfinished.socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nsome");
    expect(await unfinished.ended).toMatch(/^HTTP\/1\.1 408 /);
    one.socket.write("GET /second HTTP/1.1\r\nHost: a\r\n\r\n");
    expect((await one.ended).match(/\/first|\/second/g)).toEqual(["/first", "/second"]);
  });
});
