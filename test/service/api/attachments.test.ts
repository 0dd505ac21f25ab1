import { describe, expect, test } from "vitest";
import { JPEG } from "../../support/images.ts";
import { receiver } from "../../support/receiver.ts";
import { aDraft } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";
import { localServer } from "../../support/local-server.ts";

const world = useWorld();

const NOT_FOUND = { status: 404, body: { type: "request_error", detail: "Not found" } };
const FILE = new File(["hello, world"], "notes.pdf", { type: "application/pdf" });

/** Serves `hello` at /files/a%20b.zip, and 404 for other paths. Returns its URL. */
function aFileServer(): Promise<string> {
  return localServer((request, response) => {
    response.statusCode = request.url === "/files/a%20b.zip" ? 200 : 404;
    response.end("hello");
  });
}

function upload(world: TestWorld, id: string, parts: Record<string, unknown> = { file: FILE }) {
  return world.call("createDocumentAttachmentFromFileUpload", { params: { id }, parts });
}

describe("createDocumentAttachmentFromFileUpload", () => {
  test("createDocumentAttachmentFromFileUpload answers 200, and the download returns the same bytes", async () => {
    const id = await aDraft(world);
    const answer = await upload(world, id);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: {
        uuid: answer.body.uuid,
        date_created: "2026-03-02T09:00:05.000000Z",
        created_by: {
          id: "UserNoraxxxxxxxxxxxxxx",
          email: "nora.lind@northpeak.example",
          first_name: "Nora",
          last_name: "Lind",
          avatar: null,
        },
        name: "notes.pdf",
        type: "general",
      },
    });
    const params = { id, attachment_id: answer.body.uuid };
    const details = await world.call("detailsDocumentAttachment", { params });
    expect({ status: details.status, body: details.body }).toEqual({ status: 200, body: answer.body });
    const list = await world.call("listDocumentAttachments", { params: { id } });
    expect({ status: list.status, body: list.body }).toEqual({ status: 200, body: [answer.body] });
    const file = await world.call("downloadDocumentAttachment", { params });
    expect(file.status).toBe(200);
    expect(file.headers.get("content-type")).toBe("application/pdf");
    expect(file.headers.get("content-disposition")).toContain("notes.pdf");
    expect(Buffer.from(file.body).toString()).toBe("hello, world");
  });

  test("createDocumentAttachmentFromFileUpload accepts a source URL in the form, as the official client sends it", async () => {
    const id = await aDraft(world);
    const made = await upload(world, id, { source: "https://files.example/terms.pdf" });
    expect({ status: made.status, body: made.body }).toMatchObject({ status: 200, body: { name: "terms.pdf", type: "general" } });
    const wrong = await upload(world, id, { source: "terms.pdf" });
    expect({ status: wrong.status, body: wrong.body }).toMatchObject({
      status: 400,
      body: { type: "validation_error", detail: { source: [expect.any(String)] } },
    });
  });

  test("createDocumentAttachmentFromFileUpload refuses more than 50 MB with 413", async () => {
    const id = await aDraft(world);
    const big = new File([new Uint8Array(50 * 1024 * 1024 + 1)], "big.bin");
    const answer = await upload(world, id, { file: big });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 413,
      body: { type: "request_error", detail: "Attached file is too big. Maximum file size is 50 MB" },
    });
    expect(world.tenant.store.attachments.size).toBe(0);
  });
});

describe("createDocumentAttachment", () => {
  test("createDocumentAttachment by URL answers 409 to downloads until the file is fetched", async () => {
    const id = await aDraft(world);
    const source = `${await aFileServer()}/files/a%20b.zip`;
    const answer = await world.call("createDocumentAttachment", { params: { id }, body: { source } });
    expect(answer).toMatchObject({ status: 200, body: { name: "a b.zip", type: "general" } });
    const params = { id, attachment_id: answer.body.uuid };
    const early = await world.call("downloadDocumentAttachment", { params });
    expect({ status: early.status, body: early.body }).toEqual({
      status: 409,
      body: { id, status: "document.draft", info_message: "The attachment is not ready yet" },
    });
    await world.advance("1s");
    const file = await world.call("downloadDocumentAttachment", { params });
    expect(file.headers.get("content-type")).toBe("application/zip");
    expect(Buffer.from(file.body).toString()).toBe("hello");
  });

  test("createDocumentAttachment by URL accepts a file of any type, for example a picture", async () => {
    const id = await aDraft(world);
    const source = (await receiver()).serve("/512x512bb.jpg", JPEG, "image/jpeg");
    const { body } = await world.call("createDocumentAttachment", { params: { id }, body: { source } });
    await world.advance("1s");
    const file = await world.call("downloadDocumentAttachment", { params: { id, attachment_id: body.uuid } });
    expect([file.status, body.name]).toEqual([200, "512x512bb.jpg"]);
    expect(Buffer.from(file.body)).toEqual(JPEG);
  });

  test("createDocumentAttachment keeps the entry of a URL that answers 404, and its download answers 404", async () => {
    const id = await aDraft(world);
    const source = `${await aFileServer()}/nothing`;
    const { body } = await world.call("createDocumentAttachment", { params: { id }, body: { source, name: "Gone" } });
    await world.advance("1s");
    const params = { id, attachment_id: body.uuid };
    expect((await world.call("detailsDocumentAttachment", { params })).body.name).toBe("Gone");
    const file = await world.call("downloadDocumentAttachment", { params });
    expect({ status: file.status, body: file.body }).toEqual(NOT_FOUND);
  });
});

describe("deleteDocumentAttachment", () => {
  test("deleteDocumentAttachment deletes the entry and its bytes, and answers 404 afterwards and for another document", async () => {
    const id = await aDraft(world);
    const { body } = await upload(world, id);
    const elsewhere = { id: await aDraft(world), attachment_id: body.uuid };
    for (const one of ["detailsDocumentAttachment", "downloadDocumentAttachment", "deleteDocumentAttachment"] as const) {
      const answer = await world.call(one, { params: elsewhere });
      expect({ status: answer.status, body: answer.body }).toEqual(NOT_FOUND);
    }
    const params = { id, attachment_id: body.uuid };
    expect((await world.call("deleteDocumentAttachment", { params })).status).toBe(204);
    expect(world.tenant.store.files.size).toBe(0);
    const again = await world.call("deleteDocumentAttachment", { params });
    expect({ status: again.status, body: again.body }).toEqual(NOT_FOUND);
  });
});
