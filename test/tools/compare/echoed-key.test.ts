/** Tests that the client of `compare` never reads the real key, whatever the service echoes. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RealKey } from "../../../src/tools/compare/real-key.ts";
import { localServer } from "../../support/local-server.ts";
import { files } from "../../support/process.ts";
import { REAL_KEY, throughProxy } from "../../support/through-proxy.ts";
import { law } from "../../support/law.ts";

const CLIENT_KEY = "c".repeat(64);
const bytes = Buffer.from(REAL_KEY);
const each = (show: (character: string, code: string) => string) =>
  [...REAL_KEY].map((one) => show(one, one.charCodeAt(0).toString(16).padStart(2, "0"))).join("");
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Each encoding that reverses to the key. */
const ENCODINGS: Record<string, string> = {
  plain: REAL_KEY,
  "in upper case": REAL_KEY.toUpperCase(),
  base64: base64(REAL_KEY),
  "base64 of the header": base64(`API-Key ${REAL_KEY}`),
  "base64 after one character": base64(`x${REAL_KEY}y`),
  "base64 after two characters": base64(`xy${REAL_KEY}`),
  base64url: Buffer.from(`??>>${REAL_KEY}~~`).toString("base64url"),
  hex: bytes.toString("hex"),
  "upper-case hex": bytes.toString("hex").toUpperCase(),
  "percent escapes": each((_, code) => `%${code}`),
  "upper-case percent escapes": each((_, code) => `%${code.toUpperCase()}`),
  "double percent escapes": each((_, code) => `%25${code}`),
  "some percent escapes": [...REAL_KEY].map((one, i) => (i % 3 === 0 ? `%${one.charCodeAt(0).toString(16)}` : one)).join(""),
  "JSON escapes": each((_, code) => `\\u00${code}`),
  "upper-case JSON escapes": each((_, code) => `\\u00${code.toUpperCase()}`),
  "JSON escapes in JSON text": each((_, code) => `\\\\u00${code}`),
  "HTML entities": each((one) => `&#${one.charCodeAt(0)};`),
  "hex HTML entities": each((_, code) => `&#x${code};`),
  "code escapes": each((_, code) => `\\x${code}`),
};

function holdsNoKey(text: string): boolean {
  const lower = text.toLowerCase();
  return !Object.values(ENCODINGS).some((one) => lower.includes(one.toLowerCase()));
}

const PACKED: Record<string, (body: Buffer) => Buffer> = {
  gzip: gzipSync,
  deflate: deflateSync,
  "deflate without a header": deflateRawSync,
  br: brotliCompressSync,
  "gzip, br": (body) => brotliCompressSync(gzipSync(body)),
};

describe("a service that echoes the real key", () => {
  test.each(Object.entries(ENCODINGS))("the client does not read the key in a body or header: %s", async (_, shown) => {
    const header = /[\r\n]/.test(shown) ? "none" : shown;
    const realUrl = await localServer((_request, response) => {
      response.writeHead(400, { "content-type": "text/html", "x-echo": header, location: `/sign-in?key=${header}` });
      response.end(`<p>Your key ${shown} is wrong</p>`);
    });
    const record = join(files(), "echo.cassette");
    const sides = await throughProxy({ realUrl, record });
    const answer = await fetch(`${sides.url}/public/v1/templates`, {
      headers: { authorization: `API-Key ${sides.apiKey}` },
      redirect: "manual",
    });
    const seen = `${[...answer.headers].join("\n")}\n${await answer.text()}`;
    expect(seen).toSatisfy(holdsNoKey);
    // Either the answer without the key, or a plain refusal.
    expect(answer.status).toBe(seen.includes("Your key") ? 400 : 502);
    await sides.close().catch(() => {});
    expect(readFileSync(record, "utf8")).toSatisfy(holdsNoKey);
    expect(JSON.stringify(sides.comparison.report())).toSatisfy(holdsNoKey);
  });

  test.each(Object.entries(PACKED))("the client reads a packed answer unpacked and without the key: %s", async (name, pack) => {
    const realUrl = await localServer((_request, response) => {
      const packed = pack(Buffer.from(JSON.stringify({ echo: `API-Key ${REAL_KEY}`, other: "kept" })));
      response.writeHead(200, { "content-type": "application/json", "content-encoding": name.split(" without")[0] });
      response.end(packed);
    });
    const sides = await throughProxy({ realUrl });
    const answer = await sides.call("listTemplates");
    expect(answer.body).toEqual({ echo: `API-Key ${sides.apiKey}`, other: "kept" });
    expect(answer.headers.get("content-encoding")).toBeNull();
  });

  test.each<[string, string, Buffer]>([
    ["an unknown encoding", "zstd", Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
    ["a broken encoding", "gzip", Buffer.from("not packed")],
  ])("an answer with %s is withheld, with the reason", async (_, encoding, body) => {
    const realUrl = await localServer((_request, response) =>
      response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding }).end(body),
    );
    const sides = await throughProxy({ realUrl });
    const answer = await sides.call("listTemplates");
    expect(answer).toMatchObject({ status: 502, body: { type: "docdouble_compare_error" } });
    expect(answer.body.detail).toContain(`the body cannot be unpacked (content-encoding ${encoding})`);
  });

  test("a body in pieces that part the key shows the client's key", async () => {
    const realUrl = await localServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const text = JSON.stringify({ echo: REAL_KEY });
      response.write(text.slice(0, 20));
      setImmediate(() => response.end(text.slice(20)));
    });
    const sides = await throughProxy({ realUrl });
    expect((await sides.call("listTemplates")).body).toEqual({ echo: sides.apiKey });
  });

  test("a binary body does not show the key", () => {
    const body = Buffer.concat([Buffer.from([0, 255, 200]), bytes, Buffer.from([0, 1])]);
    const hidden = new RealKey(REAL_KEY, CLIENT_KEY).hideInAnswer({ status: 200, headers: {}, body });
    expect(hidden.body).toEqual(Buffer.concat([Buffer.from([0, 255, 200]), Buffer.from(CLIENT_KEY), Buffer.from([0, 1])]));
  });

  test("an answer without the key stays byte for byte", () => {
    const key = new RealKey(REAL_KEY, CLIENT_KEY);
    law(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string({ maxLength: 300 }), (raw, text) => {
        for (const body of [Buffer.from(raw), Buffer.from(text)]) {
          const answer = { status: 200, headers: { "x-text": text }, body };
          expect(key.hideInAnswer(answer)).toEqual(answer);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("a service that answers with another protocol gives the client a 502", async () => {
    const realUrl = await localServer((request) => {
      request.socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n");
    });
    const sides = await throughProxy({ realUrl });
    const answer = await sides.call("listTemplates");
    expect(answer.status).toBe(502);
    expect(answer.body.detail).toContain("the answer changes the protocol");
  });
});
