/** Finding M4: whatever a server answers, a download and a delivery end within their time. */
import { blankPdf } from "../../../src/service/files/stand-in.ts";
import type { Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { dispatch } from "../../../src/engine/jobs/post-delivery.ts";
import { download } from "../../../src/engine/jobs/download.ts";
import { answering, endless, rawServer } from "../../support/raw-server.ts";
import { aDraft, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

const SWITCHED = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";
const OK = "HTTP/1.1 200 OK\r\n";
const LIMITS = { bytes: 200_000, timeout_ms: 400, standIn: blankPdf };
/** For failures that do not wait for the limit, also on a busy machine. */
const PATIENT = { ...LIMITS, timeout_ms: 10_000 };
const LATE = "no whole answer within";

/** Sends one byte for each interval until the client leaves. */
const drip = (head: string, part: string) => (socket: Socket) => {
  socket.once("data", () => socket.write(head));
  const timer = setInterval(() => socket.destroyed || socket.write(part), 20);
  onTestFinished(() => clearInterval(timer));
};

/** A name, what the server does, and how the download fails. */
const HOSTILE: [string, (socket: Socket) => void, string | RegExp][] = [
  ["101", answering(SWITCHED), "status code: 101"],
  ["101 without an upgrade", answering("HTTP/1.1 101 Switching Protocols\r\n\r\n"), "status code: 101"],
  ["101 and bytes of the other protocol", answering(`${SWITCHED}\u0081\u0001a`), "status code: 101"],
  ["101 after 100", answering(`HTTP/1.1 100 Continue\r\n\r\n${SWITCHED}`), "status code: 101"],
  ["endless 100", endless("", "HTTP/1.1 100 Continue\r\n\r\n"), "more than 32 answers of the kind 1xx"],
  ["endless 103", endless("", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"), "more than 32 answers of the kind 1xx"],
  ["slow 102", drip("", "HTTP/1.1 102 Processing\r\n\r\n"), LATE],
  ["endless headers", endless(OK, "a: b\r\n".repeat(100)), /Header overflow/],
  ["one endless header", endless(`${OK}a: `, "x".repeat(1000)), /Header overflow/],
  ["a slow head", drip(OK, "a: b\r\n"), LATE],
  ["a slow body", drip(`${OK}content-length: 100000\r\n\r\n`, "x"), LATE],
  ["a slow body in chunks", drip(`${OK}transfer-encoding: chunked\r\n\r\n`, "1\r\nx\r\n"), LATE],
  ["no answer", () => {}, LATE],
  ["half of a head", answering("HTTP/1.1 200"), LATE],
  ["a head without a body", answering(`${OK}content-length: 5\r\n\r\n`), LATE],
  ["an end without an answer", answering("", "end"), /socket hang up/],
  ["a reset", (socket) => void socket.once("data", () => socket.resetAndDestroy()), /ECONNRESET|hang up/],
  ["an end in the head", answering(`${OK}content-le`, "end"), /hang up|Parse Error/],
  ["an end in the body", answering(`${OK}content-length: 10\r\n\r\nhalf`, "end"), "aborted"],
  ["an end in a chunk", answering(`${OK}transfer-encoding: chunked\r\n\r\na\r\nhalf`, "end"), "aborted"],
  ["a bad chunk", answering(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`), /Parse Error|aborted/],
  ["two lengths", answering(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\na`), /Parse Error/],
  ["a negative length", answering(`${OK}content-length: -1\r\n\r\na`), /Parse Error/],
  ["a huge length", answering(`${OK}content-length: 99999999999999999999999\r\n\r\na`), /Parse Error/],
  ["garbage", answering("\u0016\u0003\u0001garbage\r\n\r\n"), /Parse Error/],
  ["a status of four digits", answering("HTTP/1.1 2000 OK\r\n\r\n"), /Parse Error/],
  ["status 099", answering("HTTP/1.1 099 Low\r\ncontent-length: 0\r\n\r\n"), /status code: 99|Parse Error/],
  ["status 999", answering("HTTP/1.1 999 High\r\ncontent-length: 0\r\n\r\n"), "status code: 999"],
  ["an endless body", endless(`${OK}\r\n`, Buffer.alloc(10_000)), "http://"],
  ["gzip that unpacks to 100 MB", answering(packed("gzip", gzipSync(Buffer.alloc(100_000_000))), "end"), "http://"],
  ["brotli that unpacks to 100 MB", answering(packed("br", brotliCompressSync(Buffer.alloc(100_000_000))), "end"), "http://"],
  ["broken gzip", answering(packed("gzip", Buffer.from("no gzip")), "end"), "incorrect header check"],
  ["half of gzip", answering(packed("gzip", gzipSync(Buffer.alloc(5000)).subarray(0, 12)), "end"), "unexpected end of file"],
  ["slow gzip", drip(`${OK}content-encoding: gzip\r\n\r\n`, "\u001f"), /incorrect header check/],
  ["a redirect to itself", answering("HTTP/1.1 302 Found\r\nlocation: /again\r\n\r\n"), "status code: 302"],
  [
    "a redirect to another protocol",
    answering("HTTP/1.1 302 Found\r\nlocation: ftp://client.example/\r\n\r\n"),
    "not the address",
  ],
];

function packed(encoding: string, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${OK}content-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n\r\n`), bytes]);
}

describe("a download ends", () => {
  test.each(HOSTILE)("a download that meets %s fails within its time, and closes the connection", async (_, behave, reason) => {
    const { url, seen } = await rawServer(behave);
    const failed = await download(`${url}/a.pdf`, "all", reason === LATE ? LIMITS : PATIENT).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
    expect((failed as Error).message).toMatch(reason);
    await Promise.all(
      seen.map((socket) => socket.destroyed || new Promise((closed) => socket.once("close", closed).resume().end())),
    );
  });

  test.each(HOSTILE.slice(0, 16))("a delivery that meets %s is recorded as failed or answered", async (_, behave) => {
    const { url } = await rawServer(behave);
    const result = await dispatch({ url, body: "[]", headers: {}, timeout_ms: 400, addressPolicy: "all" });
    expect(result.status === null ? result.reason : result.status).toEqual(expect.anything());
  });
});

describe("each kind of download tells its end", () => {
  test("documents, templates, sections and attachments by URL fail with a reason when the server answers 101", async () => {
    const world = await testWorld();
    const { url } = await rawServer(answering(SWITCHED));
    const link = `${url}/a.pdf`;
    const reason = `Failed to download file from link ${link}. (status code: 101, which changes the protocol)`;
    const made = await succeed(world.call("createDocument", { body: { name: "Offer", url: link, recipients: [] } }));
    const template = await succeed(world.call("createTemplate", { body: { name: "By URL", url: link } }));
    const id = await aDraft(world);
    const source = { source: link, name: "Annex" };
    const attachment = await succeed(world.call("createDocumentAttachment", { params: { id }, body: source }));
    const section = await succeed(
      world.call("uploadSection", { params: { document_id: id }, body: { url: link, recipients: [] } }),
    );
    await world.advance("10s");
    const status = await world.call("statusDocument", { params: { id: made.body.id } });
    expect(status.body.status).toBe("document.error");
    expect(world.tenant.store.documents.get(made.body.id)?.internal.failure).toMatchObject({ detail: reason });
    expect((await world.call("statusTemplate", { params: { id: template.body.id } })).body.status).toBe("template.ERROR");
    const params = { document_id: id, upload_id: section.body.uuid };
    expect((await world.call("sectionDetails", { params })).body).toMatchObject({ info_message: reason });
    const download = await world.call("downloadDocumentAttachment", { params: { id, attachment_id: attachment.body.uuid } });
    expect(download.status).toBe(404);
  });
});
