import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../../src/service/files/blocks.ts";
import { writeDocx } from "../../../src/service/files/docx.ts";
import { readPdf } from "../../../src/service/files/pdf.ts";
import { aPdf } from "../../support/pdf-texts.ts";
import { CLIENT, succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const LINES = Array.from({ length: 260 }, (_, i) => `Clause ${i + 1} says that both parties agree.`);
const LONG = LINES.join("\n\n");

async function aDocx(markdown: string): Promise<File> {
  const bytes = await writeDocx(parseMarkdown(markdown), 0);
  return new File([bytes as Uint8Array<ArrayBuffer>], "long.docx", { type: DOCX });
}

function anRtf(lines: readonly string[]): File {
  const text = lines.map((line) => `${line.replace(/[{}\\]/g, "\\$&")}\\par`).join(" ");
  return new File([String.raw`{\rtf1\ansi{\fonttbl{\f0 Arial;}}\pard ${text}}`], "long.rtf", { type: "application/rtf" });
}

async function uploaded(world: TestWorld, file: File, data: object = {}): Promise<string> {
  const parts = { file, data: { name: "Long", recipients: [CLIENT], ...data } };
  const id: string = (await succeed(world.call("createDocumentFromUpload", { parts }))).body.id;
  await world.advance("5s");
  return id;
}

async function pagesOfPdf(world: TestWorld, id: string): Promise<number> {
  const { body } = await succeed(world.call("downloadDocument", { params: { id } }));
  return (await readPdf(body)).pages.length;
}

function place(world: TestWorld, id: string, page: number) {
  const layout = {
    page,
    position: { offset_x: 72, offset_y: 72, anchor_point: "topleft" },
    style: { width: 120, height: 40 },
  };
  return world.call("createDocumentFields", { params: { id }, body: { fields: [{ type: "text", layout }] } });
}

const fieldsOf = async (world: TestWorld, id: string) =>
  (await succeed(world.call("listDocumentFields", { params: { id } }))).body.fields;

describe("pages of a text file", () => {
  test.each([
    ["a DOCX", () => aDocx(LONG)],
    ["an RTF", async () => anRtf(LINES)],
  ])("createDocumentFields places a field on every page of %s, and on no further page", async (_, make) => {
    const id = await uploaded(world, await make());
    const count = await pagesOfPdf(world, id);
    expect(count).toBeGreaterThan(3);
    const beyond = await place(world, id, count + 1);
    expect([beyond.status, beyond.body.detail]).toEqual([
      400,
      { fields: [{ layout: { page: [`Ensure this value is less than or equal to ${count}.`] } }] },
    ]);
    for (const page of [1, 2, count]) expect((await place(world, id, page)).status).toBe(200);
    expect((await fieldsOf(world, id)).map((one: { layout: { page: number } }) => one.layout.page)).toEqual([1, 2, count]);
  });

  test("createDocumentFields places a field on the last page of a Markdown document", async () => {
    const parts = {
      file: new File([LONG], "long.md", { type: "text/markdown" }),
      data: { name: "Long", recipients: [CLIENT] },
    };
    const { id } = (await succeed(world.call("createDocumentFromMarkdownUpload", { parts }))).body;
    await world.advance("5s");
    const count = await pagesOfPdf(world, id);
    expect(count).toBeGreaterThan(3);
    expect((await place(world, id, count)).status).toBe(200);
    expect((await place(world, id, count + 1)).status).toBe(400);
  });
});

describe("field tags that nobody can fill", () => {
  const tags = "{s:Client:mine} {s:Boss:his} {t::nameless} {d:Client:undeclared}";
  const data = { fields: { mine: {}, his: {}, nameless: {} } };
  test.each([
    ["a DOCX", () => aDocx(tags)],
    ["an RTF", async () => anRtf([tags])],
    ["a PDF", () => aPdf([tags])],
  ])("createDocumentFromUpload makes a draft of %s without the fields of a role that nobody has", async (_, make) => {
    const id = await uploaded(world, await make(), data);
    expect((await world.call("statusDocument", { params: { id } })).body.status).toBe("document.draft");
    expect((await fieldsOf(world, id)).map((one: { field_id: string }) => one.field_id)).toEqual(["mine"]);
  });
});

describe("fields made from tags", () => {
  test("createDocumentFromUpload makes a signature 3.25 times as high as its text", async () => {
    const id = await uploaded(world, await aPdf(["{s:Client:sig} {i:Client:ini} {t:Client:city}"]), {
      fields: { sig: {}, ini: {}, city: {} },
    });
    const heights = (await fieldsOf(world, id)).map((one: { layout: { style: { height: number } } }) => one.layout.style.height);
    // The text has 12 points.
    expect(heights).toEqual([39, 39, 16]);
  });

  test("createDocumentFromUpload gives a merge field to text, and none to drawn fields, whatever the case of the tag", async () => {
    const id = await uploaded(world, await aPdf(["{S:Client:sig} {Initials:Client:ini} {T:Client:city} {text:Client:town}"]), {
      fields: { sig: {}, ini: {}, city: {}, town: {} },
    });
    const found = (await fieldsOf(world, id)).map((one: { type: string; merge_field: string }) => [one.type, one.merge_field]);
    expect(found).toEqual([
      ["signature", null],
      ["initials", null],
      ["text", "city"],
      ["text", "town"],
    ]);
  });

  test("createDocumentFromUpload places a field where the tag of a DOCX stands", async () => {
    const id = await uploaded(world, await aDocx(`${LONG}\n\n{s:Client:sig}`), { fields: { sig: {} } });
    const [field] = await fieldsOf(world, id);
    expect(field.layout.page).toBe(await pagesOfPdf(world, id));
    expect(field.layout.style.height).toBe(36);
  });
});

test("a dropdown from a field tag takes the options of its entry in fields, in an upload and in a section", async () => {
  const fieldsFor = (role: string) => ({ size: { value: "S", role, options: ["S", "M"] }, color: { value: "red", role } });
  const file = (role: string) => aPdf([`{dd:${role}:size} {dropdown:${role}:color}`]);
  const id = await uploaded(world, await file("Client"), { fields: fieldsFor("Client") });
  const recipients = [{ email: "new@client.example", role: "Buyer" }];
  const parts = { file: await file("Buyer"), data: { name: "More", recipients, fields: fieldsFor("Buyer") } };
  await succeed(world.call("uploadSectionWithUpload", { params: { document_id: id }, parts }));
  await world.advance("5s");
  const made = await fieldsOf(world, id);
  const shown = made.map((one: { value: string; settings: { options: { text: string }[] } }) => [
    one.value,
    one.settings.options.map(({ text }) => text),
  ]);
  expect(shown).toEqual([
    ["S", ["S", "M"]],
    ["red", []],
    ["S", ["S", "M"]],
    ["red", []],
  ]);
  expect(world.sandbox.lint()).toEqual([]);
});
