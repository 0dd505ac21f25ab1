import net from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { within } from "../support/patience.ts";
import { KEY, type TestWorld, testWorld } from "../support/world.ts";
import { hold, isLong, TIMEOUT_MS } from "./run.ts";

const AUTH = `Host: localhost\r\nAuthorization: API-Key ${KEY}\r\n`;
const JSON_TYPE = "Content-Type: application/json\r\n";

interface Speech {
  /** The number of answers to wait for, however busy the machine is. By default the wait is short. */
  answers?: number;
  /** Whether the client ends its side of the connection. */
  ends?: boolean;
}

/** Sends bytes on a new connection. Returns the statuses of the answers when it closes, or shortly after the last expected answer. */
function speak(port: number, bytes: string | Uint8Array, { answers = 0, ends = false }: Speech = {}): Promise<number[]> {
  return new Promise((resolve) => {
    let heard = "";
    let timer: NodeJS.Timeout | undefined;
    const statuses = () => [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
    const socket = net.connect(port, "127.0.0.1");
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(statuses());
    };
    socket.on("data", (data) => {
      heard += data.toString("latin1");
      if (statuses().length < answers) return;
      clearTimeout(timer);
      timer = setTimeout(done, isLong ? 50 : 25);
    });
    socket.on("error", done);
    socket.on("close", done);
    socket.on("connect", () => {
      socket.write(bytes);
      if (ends) socket.end();
      timer = setTimeout(done, answers > 0 ? within(5000) : 150);
    });
  });
}

const get = (path: string, headers = "") => `GET ${path} HTTP/1.1\r\n${AUTH}${headers}\r\n`;
const post = (headers: string, body: string) => `POST /public/v1/contacts HTTP/1.1\r\n${AUTH}${JSON_TYPE}${headers}\r\n${body}`;

async function listening(): Promise<{ world: TestWorld; port: number; alive(): Promise<void> }> {
  const world = await testWorld({ port: 0 });
  const port = Number(new URL(world.sandbox.url).port);
  return {
    world,
    port,
    alive: async () =>
      expect(await speak(port, get("/public/v1/members/current", "Connection: close\r\n"), { answers: 1 })).toEqual([200]),
  };
}

/** Each has a name, the bytes to send, and the statuses of the answers. */
const SHAPES: readonly [string, string, number[]][] = [
  ["headers beyond 32 KiB", get("/public/v1/members", `X-A: ${"a".repeat(40_000)}\r\n`), [431]],
  ["an address beyond 32 KiB", get(`/public/v1/members?q=${"a".repeat(40_000)}`), [431]],
  ["a folded header", get("/public/v1/members", "X-A: a\r\n b\r\n"), [400]],
  ["a NUL in a header", get("/public/v1/members", "X-A: a\0b\r\n"), [400]],
  ["a blank in a header's name", get("/public/v1/members", "Content-Length : 5\r\n"), [400]],
  ["no Host", `GET /public/v1/members HTTP/1.1\r\nAuthorization: API-Key ${KEY}\r\n\r\n`, [400]],
  ["a Host that is none", `GET /public/v1/members HTTP/1.1\r\nHost: a b/../c\r\n\r\n`, [400]],
  ["Authorization twice", get("/public/v1/members", "Authorization: API-Key other\r\n"), [401]],
  ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", [400]],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]],
  ["an unknown method", `PURGE /public/v1/members HTTP/1.1\r\n${AUTH}\r\n`, [405]],
  ["a target without a slash", get("public/v1/members"), [400]],
  ["another server's address", get("//evil.example/public/v1/members"), [404]],
  ["a length below nothing", post("Content-Length: -1\r\n", "{}"), [400]],
  ["a length that is not a number", post("Content-Length: 2x\r\n", "{}"), [400]],
  ["a length beyond 2 MiB", post("Content-Length: 3000000\r\n", "{}"), [413]],
  ["two lengths", post("Content-Length: 2\r\nContent-Length: 3\r\n", "{}"), [400]],
  ["a length and chunks", post("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), [400]],
  ["an encoding that hides chunks", post("Transfer-Encoding: xchunked\r\n", "2\r\n{}\r\n0\r\n\r\n"), [400]],
  ["two encodings", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "2\r\n{}\r\n0\r\n\r\n"), [400]],
  ["a chunk of no size", post("Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"), [400]],
  ["a chunk of another size", post("Transfer-Encoding: chunked\r\n", "5\r\n{}\r\n0\r\n\r\n"), [400]],
  ["an endless chunk extension", post("Transfer-Encoding: chunked\r\n", `2;${"a".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`), [413]],
  ["an expectation that nobody knows", post("Content-Length: 2\r\nExpect: 200-ok\r\n", "{}"), [417]],
];

const PATHS = [
  "/public/v1/../../__admin/reset",
  "/public/v1/documents/..%2f..%2f__admin%2freset",
  "/public/v1/documents/%00",
  "/public/v1/documents/%zz",
  "/public/v1/documents/%",
  "/public/v1/documents/%ff%fe",
  "/public/v1/documents/~/upload",
  "/public/v1/documents/a%2fb/details",
  `/public/v1/documents/${"a/".repeat(5000)}`,
  "/public/v1/documents?%zz=%&[]=1&a[b]=c&__proto__=1&constructor=2",
  "/public\\v1\\documents",
  "/s/__proto__",
  "/s/%00",
  "/document/%ff",
  "/files/%2e%2e/%2e%2e",
  "/files/a/%zz",
  "/oauth2/authorize?client_id=%zz&redirect_uri=::::",
  "/?",
  "/#",
];

describe("fuzz: bytes on the wire", () => {
  test("each malformed request gets the expected status and changes nothing, and the next call works", async () => {
    const { world, port, alive } = await listening();
    const before = world.tenant.store.snapshot();
    const answers: [string, number[]][] = [];
    for (const [name, bytes, { length }] of SHAPES)
      answers.push([name, await speak(port, Buffer.from(bytes, "latin1"), { answers: length })]);
    expect(answers).toEqual(SHAPES.map(([name, , statuses]) => [name, statuses]));
    for (const path of PATHS) {
      const statuses = await speak(port, get(path), { answers: 1 });
      expect(statuses, path).toHaveLength(1);
      expect(statuses[0], path).toBeLessThan(500);
      expect([200, 400, 401, 403, 404, 405, 410], path).toContain(statuses[0]);
    }
    expect(world.tenant.store.snapshot()).toEqual(before);
    await alive();
  });

  test("an incomplete body is refused with 400 and the reason, and the next call works", async () => {
    const { world, port, alive } = await listening();
    for (const bytes of [post("Content-Length: 50\r\n", "{}"), post("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n")])
      await speak(port, bytes, { ends: true });
    await alive();
    const cut = world.tenant.journal.all().filter((exchange) => exchange.path.endsWith("/contacts"));
    expect(cut.map(({ status, why }) => ({ status, why }))).toEqual([
      { status: 400, why: "the body is incomplete: the connection ended early, or a chunk is malformed" },
      { status: 400, why: "the body is incomplete: the connection ended early, or a chunk is malformed" },
    ]);
  });

  test("bytes after a body are a separate request that needs credentials", async () => {
    const { world, port } = await listening();
    const hidden = "DELETE /public/v1/contacts/ContactAxxxxxxxxxxxxxx HTTP/1.1\r\nHost: localhost\r\n\r\n";
    expect(await speak(port, post("Content-Length: 2\r\n", `{}${hidden}`), { answers: 2 })).toEqual([201, 401]);
    expect(world.tenant.store.contacts.get("ContactAxxxxxxxxxxxxxx")).toBeDefined();
  });

  test("requests that are cut, repeated and mixed at any place never stop the server", { timeout: TIMEOUT_MS }, async () => {
    const { port, alive } = await listening();
    const pieces = [
      ...SHAPES.map(([, bytes]) => bytes),
      ...PATHS.map((path) => get(path)),
      "\r\n",
      "\0",
      "HTTP/1.1 200 OK\r\n\r\n",
    ];
    const slice = fc.record({ which: fc.nat(pieces.length - 1), from: fc.nat(300), length: fc.nat(400) });
    await hold(
      fc.asyncProperty(fc.array(slice, { minLength: 1, maxLength: 4 }), fc.boolean(), async (slices, ends) => {
        const bytes = slices.map(({ which, from, length }) => (pieces[which] as string).slice(from % 50, from + length)).join("");
        for (const status of await speak(port, Buffer.from(bytes, "latin1"), { ends })) expect(status).toBeLessThan(500);
      }),
      15,
      0.2,
    );
    await alive();
  });
});
