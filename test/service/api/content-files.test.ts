import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../../src/service/files/blocks.ts";
import { writeDocx } from "../../../src/service/files/docx.ts";
import { aDraft, CLIENT, LIBRARY_ITEM, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

async function aDocx(markdown: string): Promise<File> {
  return new File([(await writeDocx(parseMarkdown(markdown), 0)) as Uint8Array<ArrayBuffer>], "Annex.docx", { type: DOCX });
}

const anRtf = () => new File([String.raw`{\rtf1\ansi\pard\outlinelevel0 Terms\par}`], "Terms.rtf", { type: "application/rtf" });

async function aTaggedPdf(text: string): Promise<File> {
  const pdf = await PDFDocument.create();
  pdf.addPage([300, 400]).drawText(text, { x: 40, y: 300, size: 12 });
  return new File([(await pdf.save()) as Uint8Array<ArrayBuffer>], "Annex.pdf", { type: "application/pdf" });
}

/** Uploads a file as a section of a new draft. Returns the upload, the document, and the detail of a failed conversion. */
async function withSection(world: TestWorld, file: File, data: object = {}) {
  const document_id = await aDraft(world);
  const parts = { file, data: { recipients: [CLIENT], ...data } };
  const { uuid } = (await succeed(world.call("uploadSectionWithUpload", { params: { document_id }, parts }))).body;
  await world.advance("6s");
  const upload = (await succeed(world.call("sectionDetails", { params: { document_id, upload_id: uuid } }))).body;
  const details = (await succeed(world.call("detailsDocument", { params: { id: document_id } }))).body;
  const failure = world.tenant.store.section_uploads.get(uuid)?.conversion.failure?.detail;
  return { document_id, upload, details, failure };
}

describe("files of sections", () => {
  test("uploadSectionWithUpload reads the field tags of a PDF, and accepts an RTF", async () => {
    const { details } = await withSection(world, await aTaggedPdf("{t*:Client:city____}"), {
      fields: { city: { value: "Oslo" } },
    });
    expect(details.fields.find((field: { field_id: string }) => field.field_id === "city")).toMatchObject({
      type: "text",
      value: "Oslo",
    });
    expect((await withSection(world, anRtf())).upload.status).toBe("document_sections_upload.PROCESSED");
  });

  test.each([
    ["{s:Boss:x}", { x: {} }, "No role='Boss' for field tag specified in `recipients` found, roles passed were"],
    ["{s::x}", { x: {} }, "One of field tags in PDF with type='s' doesn't have a role"],
  ])("uploadSectionWithUpload drops the tag %s, or ends in ERROR in the reading error", async (text, fields, message) => {
    const dropped = await withSection(await testWorld(), await aTaggedPdf(text), { fields });
    expect(dropped.upload.status).toBe("document_sections_upload.PROCESSED");
    const world = await testWorld({ assume: { "field_tags.undeclared": "error" } });
    const { upload, failure } = await withSection(world, await aTaggedPdf(text), { fields });
    expect(upload.status).toBe("document_sections_upload.ERROR");
    expect(failure).toContain(message);
  });

  test("uploadSection fills the placeholders of its template with library items and adds their recipients", async () => {
    const document_id = await aDraft(world);
    const item = {
      id: LIBRARY_ITEM,
      fields: { Remark: { value: "Fine" } },
      recipients: [{ email: "mara.sole@client.example", role: "Approver" }],
    };
    const body = {
      template_uuid: TEMPLATES.everyField,
      recipients: [{ ...CLIENT, role: "Signer" }],
      content_placeholders: [{ block_id: "placeholder1", content_library_items: [item] }],
    };
    await succeed(world.call("uploadSection", { params: { document_id }, body }));
    await world.advance("6s");
    const { body: details } = await world.call("detailsDocument", { params: { id: document_id } });
    expect(details.fields.find((field: { name: string }) => field.name === "Remark")).toMatchObject({
      value: "Fine",
      assigned_to: { email: "mara.sole@client.example" },
    });
    expect(details.recipients.map((one: { email: string }) => one.email)).toEqual([CLIENT.email, "mara.sole@client.example"]);
  });
});

describe("files of templates and library items", () => {
  test("createTemplateWithUpload converts a DOCX to a text, and documents from this template contain it", async () => {
    const parts = { file: await aDocx("# Offer\n\nFor {s:Client:x} only"), data: { name: "Offer" } };
    const { id } = (await succeed(world.call("createTemplateWithUpload", { parts }))).body;
    await world.advance("6s");
    expect((await world.call("statusTemplate", { params: { id } })).body.status).toBe("template.PROCESSED");
    // The service does not read field tags in the file of a template.
    expect((await world.call("detailsTemplate", { params: { id } })).body.fields).toEqual([]);
    const { email } = CLIENT;
    const body = { template_uuid: id, recipients: [{ email }] };
    const document_id = (await succeed(world.call("createDocument", { body }))).body.id;
    await world.advance("6s");
    const content = await world.call("getDocumentContent", { params: { document_id }, query: { format: "markdown" } });
    expect(content.body.content).toContain("# Offer\n\nFor {s:Client:x} only");
    const { status, headers } = await world.call("downloadDocument", { params: { id: document_id } });
    expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"]);
  });
});
