import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseMarkdown } from "../../../src/service/files/blocks.ts";
import { readDocx, writeDocx } from "../../../src/service/files/docx.ts";
import { pdfTexts, aPdf } from "../../support/pdf-texts.ts";
import { CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { testWorld, useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

/** Uploads a file and waits for the conversion. Returns the status and the failure. */
async function upload(
  world: TestWorld,
  file: File,
  data: object = {},
): Promise<{ id: string; status: string; failure: unknown }> {
  const parts = { file, data: { name: "Upload", recipients: [CLIENT], ...data } };
  const created = await world.call("createDocumentFromUpload", { parts });
  expect(created, JSON.stringify(created.body)).toMatchObject({ status: 201 });
  return settled(world, created.body.id);
}

async function settled(world: TestWorld, id: string) {
  await world.advance("5s");
  const row = world.tenant.store.documents.get(id);
  return { id, status: row?.status ?? "", failure: row?.internal.failure };
}

const detailsOf = async (world: TestWorld, id: string) => (await succeed(world.call("detailsDocument", { params: { id } }))).body;

const failed = (type: string, detail: string) => ({ status: "document.error", failure: { type, detail } });

describe("createDocumentFromUpload: field tags", () => {
  test("createDocumentFromUpload turns field tags in curly brackets into fields at the same place", async () => {
    const file = await aPdf([
      "Agreement\n{text*:Client:city________}\n{signature:Client:sig__}\n{d:Client:when} and {see: note}",
      "{c:Client:ok}",
    ]);
    const fields = { city: { value: "Oslo" }, sig: {}, when: { value: "2026-01-02" }, ok: { value: true } };
    const { id, status } = await upload(world, file, { fields });
    expect(status).toBe("document.draft");
    const listed = (await succeed(world.call("listDocumentFields", { params: { id } }))).body.fields;
    expect(
      listed.map((one: Record<string, unknown>) => [
        one.field_id,
        one.type,
        one.value,
        (one.settings as { required: boolean }).required,
      ]),
    ).toEqual([
      ["city", "text", "Oslo", false],
      ["sig", "signature", {}, true],
      ["when", "date", "2026-01-02", true],
      ["ok", "checkbox", true, true],
    ]);
    const [city, sig, , ok] = listed.map((one: { layout: object }) => one.layout);
    expect(city.page).toBe(1);
    expect(Number(city.position.offset_x)).toBeCloseTo(72, 0);
    // The baseline is at 676 from the bottom of a page of 792. The box ends there.
    expect(Number(city.position.offset_y)).toBeGreaterThan(95);
    expect(Number(city.position.offset_y)).toBeLessThan(120);
    // Underscores make the field wider.
    expect(city.style.width).toBeGreaterThan(sig.style.width);
    expect(ok.page).toBe(2);
    expect((await detailsOf(world, id)).recipients[0].recipient_type).toBe("signer");
  });

  test.each([
    ["{text::city}", { city: {} }, "One of field tags in PDF with type='text' doesn't have a role"],
    ["{t:Boss:city}", { city: {} }, "No role='Boss' for field tag specified in `recipients` found, roles passed were Client"],
  ])("createDocumentFromUpload drops %s, or fails with the service's text in the reading error", async (text, fields, detail) => {
    const { id } = await upload(world, await aPdf([`${text} {t:Client:name}`]), { fields: { ...fields, name: {} } });
    expect(await detailsOf(world, id)).toMatchObject({ status: "document.draft", fields: [{ field_id: "name" }] });
    const strict = await testWorld({ assume: { "field_tags.undeclared": "error" } });
    expect(await upload(strict, await aPdf([text]), { fields })).toMatchObject(failed("field_tag", detail));
  });

  test("createDocumentFromUpload ignores field tags when it parses form fields", async () => {
    const { id } = await upload(world, await aPdf(["{t:Client:city}"]), { fields: { city: {} }, parse_form_fields: true });
    expect(await detailsOf(world, id)).toMatchObject({ status: "document.draft", fields: [] });
  });
});

describe("createDocumentFromUpload: DOCX and RTF", () => {
  test("createDocumentFromUpload reads the text and the field tags of a DOCX", async () => {
    const bytes = await writeDocx(
      parseMarkdown("# Terms\n\nFirst & <second>\n\n{s:Client:sig}\n\n| A | B |\n|---|---|\n| 1 | 2 |"),
      0,
    );
    const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    const file = new File([bytes as Uint8Array<ArrayBuffer>], "terms.docx", { type });
    const { id, status } = await upload(world, file, { fields: { sig: {} } });
    expect(status).toBe("document.draft");
    const details = await detailsOf(world, id);
    expect(details.texts).toEqual([{ name: "Text 1" }]);
    expect(details.fields.map((one: { field_id: string }) => one.field_id)).toEqual(["sig"]);
    const text = world.tenant.store.documents.get(id)?.texts[0]?.data;
    expect(text).toContain("# Terms\n\nFirst & <second>");
    expect(text).not.toContain("{s:");
    expect(text).toContain("| 1 | 2 |");
  });

  test("createDocumentFromUpload reads the text and the field tags of an RTF, and ends in document.error for a DOC", async () => {
    const rtf = String.raw`{\rtf1\ansi{\fonttbl{\f0 Arial;}}\pard\outlinelevel0 Terms\par\pard Caf\'e9 \{s:Client:sig__\}\par}`;
    const { id, status } = await upload(world, new File([rtf], "terms.rtf", { type: "application/rtf" }), {
      fields: { sig: {} },
    });
    expect(status).toBe("document.draft");
    const details = await detailsOf(world, id);
    expect(details.fields.map((one: { field_id: string; type: string }) => [one.field_id, one.type])).toEqual([
      ["sig", "signature"],
    ]);
    expect(world.tenant.store.documents.get(id)?.texts[0]?.data.trim()).toBe("Terms\n\nCafé");
    const { body } = await world.call("downloadDocument", { params: { id } });
    expect((await pdfTexts(body)).join("\n")).toContain("Café");
    const doc = new File([Buffer.from("d0cf11e0a1b11ae1", "hex")], "terms.doc", { type: "application/msword" });
    const detail = "PDF content hasn't been processed: document is broken or locked";
    expect(await upload(world, doc)).toMatchObject(failed("processing", detail));
  });

  test("writeDocx and readDocx agree on headings, paragraphs and tables", async () => {
    const blocks = parseMarkdown("## Title\n\nLine & more\n\n| A | B |\n|---|---|\n| x | y<z |");
    expect(await readDocx(await writeDocx(blocks, 0))).toEqual(blocks);
  });
});

describe("createDocument: url", () => {
  /** A server on loopback that answers each path with `bytes` of the type `type`. */
  async function aServer(type: string, bytes: Uint8Array, status = 200): Promise<string> {
    const server = createServer((_, response) => response.writeHead(status, { "content-type": type }).end(bytes));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
  }

  const fromUrl = async (world: TestWorld, url: string, data: object = {}) => {
    const created = await succeed(world.call("createDocument", { body: { url, name: "By URL", recipients: [CLIENT], ...data } }));
    return settled(world, created.body.id);
  };

  test("createDocument fetches a PDF by URL and reads its tags, and a template has priority over a URL", async () => {
    const file = await aPdf(["From afar {s:Client:sig}"]);
    const url = await aServer("application/pdf", new Uint8Array(await file.arrayBuffer()));
    const { id, status } = await fromUrl(world, url, { fields: { sig: {} } });
    expect(status).toBe("document.draft");
    expect((await detailsOf(world, id)).fields).toHaveLength(1);
    expect((await world.call("downloadDocument", { params: { id } })).status).toBe(200);
    // A template has priority over a URL.
    const both = await succeed(
      world.call("createDocument", { body: { name: "Both", url, template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] } }),
    );
    await world.advance("5s");
    expect((await detailsOf(world, both.body.id)).template).toMatchObject({ id: TEMPLATES.oneSigner });
  });

  test("createDocument ends in document.error for a wrong content type, a failed download and a too large file", async () => {
    const html = await aServer("text/html; charset=utf-8", Buffer.from("<p>no</p>"));
    expect(await fromUrl(world, html)).toMatchObject(
      failed(
        "source",
        "Content type='text/html' is not supported, available types are application/pdf, application/zip, application/msword, application/vnd.openxmlformats-officedocument.wordprocessingml.document, application/rtf",
      ),
    );
    // An uploaded file fails with the same message.
    const page = new File(["<p>no</p>"], "page.html", { type: "text/html" });
    const sent = await succeed(
      world.call("createDocumentFromUpload", { parts: { file: page, data: { name: "Page", recipients: [CLIENT] } } }),
    );
    await world.advance("6s");
    expect(world.tenant.store.documents.get(sent.body.id)).toMatchObject({
      status: "document.error",
      internal: { failure: { type: "source", detail: expect.stringMatching(/^Content type='text\/html' is not supported/) } },
    });
    const gone = await aServer("application/pdf", Buffer.from(""), 404);
    expect(await fromUrl(world, gone)).toMatchObject(
      failed("source", `Failed to download file from link ${gone}. (status code: 404)`),
    );
    const large = await aServer("application/pdf", Buffer.alloc(50 * 1024 * 1024 + 1));
    expect(await fromUrl(world, large)).toMatchObject(failed("source", "The maximum file size is exceeded, limit is 50 MB"));
  });
});

describe("createDocumentFromMarkdownUpload", () => {
  const markdown = (text: string, type = "text/markdown", name = "offer.md") => new File([text], name, { type });
  const call = (world: TestWorld, file: File | string, data: object) =>
    world.call("createDocumentFromMarkdownUpload", { parts: { file, data } });

  test("createDocumentFromMarkdownUpload makes a draft of the text, and assigns its tags to the mapped roles", async () => {
    const created = await call(world, markdown("# Offer\n\nDear client,\n\n{text::signer_name___} {s:Client:sig}"), {
      name: "Markdown",
      recipients: [CLIENT],
      fields_mapping: { Client: ["signer_name"] },
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        status: "document.uploaded",
        info_message:
          "Wait until the status is changed to document.draft. You may use webhooks or poll the Document Status method.",
      },
    });
    expect((await settled(world, created.body.id)).status).toBe("document.draft");
    const details = await detailsOf(world, created.body.id);
    expect(
      details.fields.map((one: { field_id: string; assigned_to: { email: string } }) => [one.field_id, one.assigned_to.email]),
    ).toEqual([
      ["signer_name", CLIENT.email],
      ["sig", CLIENT.email],
    ]);
    expect(world.tenant.store.documents.get(created.body.id)?.texts[0]?.data).toContain("# Offer\n\nDear client,");
  });

  test("createDocumentFromMarkdownUpload refuses unknown roles and fields, other file types and a missing name", async () => {
    const file = markdown("{text:Client:known}");
    expect(
      await call(world, file, { name: "M", recipients: [CLIENT], fields_mapping: { Boss: ["known"], Client: ["unknown"] } }),
    ).toMatchObject({
      status: 400,
      body: {
        type: "validation_error",
        detail: {
          fields_mapping: ["Role 'Boss' is not found in recipients.", "Field 'unknown' is not found in the document."],
        },
      },
    });
    expect(await call(world, markdown("x", "application/pdf", "x.pdf"), { name: "M" })).toMatchObject({
      status: 400,
      body: {
        type: "validation_error",
        detail: { file: ["Content type='application/pdf' is not supported, available types are text/markdown, text/x-markdown"] },
      },
    });
    expect(await call(world, file, { fields_mapping: ["x"] })).toMatchObject({
      status: 400,
      body: { type: "validation_error", detail: { name: ["This field is required."] } },
    });
    expect(await call(world, "no file", { name: "M" })).toMatchObject({ status: 400 });
    expect(world.tenant.store.documents.size).toBe(0);
  });
});
