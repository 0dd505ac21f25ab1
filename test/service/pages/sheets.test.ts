/** The sheets of the signing page: one for each page of a document of several files, with its text, its fields and its originals. */
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { contract, LETTER } from "../../support/pdf-pages.ts";
import { pdfTexts } from "../../support/pdf-texts.ts";
import { aDraft, aSentDocument, CLIENT, succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const FIELDS = { Company: { role: CLIENT.role }, Agree: { role: CLIENT.role } };

async function annex(name: string, text: string): Promise<File> {
  const file = await PDFDocument.create();
  file.addPage([LETTER.width, LETTER.height]).drawText(text, { x: 72, y: 600, size: 18 });
  return new File([(await file.save()) as Uint8Array<ArrayBuffer>], `${name}.pdf`, { type: "application/pdf" });
}

async function aContract(world: TestWorld): Promise<string> {
  const data = { name: "Bundle", recipients: [CLIENT], parse_form_fields: true, fields: FIELDS };
  const { id } = (await succeed(world.call("createDocumentFromUpload", { parts: { file: await contract(), data } }))).body;
  await world.advance("5s");
  return id;
}

async function addSection(world: TestWorld, id: string, text: string, fields = {}): Promise<void> {
  const data = { name: "Annex", recipients: [CLIENT], fields };
  const parts = { file: await annex("annex", text), data };
  await succeed(world.call("uploadSectionWithUpload", { params: { document_id: id }, parts }));
  await world.advance("5s");
}

/** The contract with two appended library items, a PDF and an RTF text, and a PDF section that contains a field tag. */
async function aBundle(world: TestWorld): Promise<string> {
  const id = await aContract(world);
  const rules = new File(["{\\rtf1\\ansi Travel by train.}"], "rules.rtf", { type: "application/rtf" });
  for (const file of [await annex("prices", "Prices {text:Client:kept}"), rules]) {
    const item = await succeed(world.call("createContentLibraryItemFromUpload", { parts: { file, data: { name: file.name } } }));
    await world.advance("5s");
    await succeed(world.call("appendContentLibraryItemToDocument", { params: { id }, body: { cli: { id: item.body.id } } }));
  }
  await addSection(world, id, "Officer: {text:Client:officer________}", { officer: {} });
  return id;
}

async function shown(world: TestWorld, id: string): Promise<{ path: string; html: string }> {
  await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
  const path = await sessionOf(world, id);
  return { path, html: await (await world.sandbox.fetch(path)).text() };
}

async function sessionOf(world: TestWorld, id: string): Promise<string> {
  const made = await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } }));
  return `/s/${made.body.id}/`;
}

/** The names of the fields of each sheet. */
function fieldsOf(html: string): string[][] {
  return html
    .split('<section class="leaf"')
    .slice(1)
    .map((sheet) => [...sheet.matchAll(/data-testid="field-([^"]+)"/g)].map(([, name]) => name as string));
}

describe("GET /s/{session} with added pages", () => {
  test("each page shows its text and then its fields, and files answer 404 in other or expired sessions", async () => {
    const { html, path } = await shown(world, await aBundle(world));
    const words = [...html.matchAll(/<div class="words"><p dir="auto">(.*?)<\/p>/gs)].map(([, one]) => one);
    expect(words).toEqual(["Consulting agreement", "Signatures", "Prices {text:Client:kept}", "Travel by train.", "Officer:"]);
    expect(fieldsOf(html)).toEqual([["Company", "Agree"], [], [], [], ["officer"]]);
    const files = [...html.matchAll(/href="(\/s\/[^"]+\/files\/[^"]+)"/g)].map(([, one]) => one as string);
    expect(new Set(files).size).toBe(3);
    for (const file of files) {
      const { status, headers } = await world.request("GET", file, { key: null });
      expect([status, headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([
        200,
        "application/pdf",
        "nosniff",
      ]);
    }
    const elsewhere = await sessionOf(world, await aSentDocument(world));
    const file = files[0]?.split("/")[4];
    for (const wrong of [`${elsewhere}files/${file}`, `${path}files/x`, `/s/x/files/${file}`])
      expect.soft((await world.request("GET", wrong, { key: null })).status, wrong).toBe(404);
    await world.advance("2h");
    expect((await world.request("GET", files[0] ?? "", { key: null })).status).toBe(404);
  });

  test("the deletion of a section removes its pages, even for the first section", async () => {
    const id = await aContract(world);
    await addSection(world, id, "Only this page");
    await succeed(world.call("deleteSection", { params: { document_id: id, section_id: id } }));
    const { html } = await shown(world, id);
    expect([...html.matchAll(/<div class="words"><p dir="auto">(.*?)<\/p>/gs)].map(([, one]) => one)).toEqual(["Only this page"]);
    const { body } = await world.call("downloadDocument", { params: { id } });
    expect((await pdfTexts(body)).join()).not.toContain("Consulting agreement");
  });

  test("the fields of a page come from top to bottom, whatever corner they are anchored to", async () => {
    const id = await aDraft(world);
    const assigned_to = (await succeed(world.call("detailsDocument", { params: { id } }))).body.recipients[0].id;
    const placed = [
      ["low", "bottomleft", 20],
      ["middle", "topright", 400],
      ["lower", "bottomright", 10],
      ["high", "topleft", 2],
    ] as const;
    const fields = placed.map(([name, anchor_point, offset_y]) => {
      const layout = { page: 0, position: { offset_x: 10, offset_y, anchor_point }, style: { width: 100, height: 30 } };
      return { type: "text", assigned_to, settings: { placeholder: name }, layout };
    });
    await succeed(world.call("createDocumentFields", { params: { id }, body: { fields } }));
    const { html } = await shown(world, id);
    expect([...html.matchAll(/ placeholder="(high|middle|low|lower)"/g)].map(([, name]) => name)).toEqual([
      "high",
      "middle",
      "low",
      "lower",
    ]);
  });
});
