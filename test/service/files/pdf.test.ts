import { degrees, PDFDocument, PDFString } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { FileError } from "../../../src/service/files/limits.ts";
import { readPdf } from "../../../src/service/files/pdf.ts";
import { readPdfText } from "../../../src/service/files/pdf-text.ts";
import { demandingPdf, plainPdf } from "../../support/pdf.ts";

async function form(fill: (file: PDFDocument) => void | Promise<void>): Promise<Uint8Array> {
  const file = await PDFDocument.create();
  await fill(file);
  return file.save();
}

describe("readPdfText", () => {
  test("reads several files at the same time without mixing up their texts", async () => {
    const [long, short] = await Promise.all([plainPdf(60), plainPdf(1)]);
    const reading = readPdfText(long);
    for (let i = 0; i < 5; i++) expect((await readPdfText(short)).map(({ text }) => text)).toEqual(["Page 1"]);
    expect((await reading).map(({ text }) => text)).toEqual(Array.from({ length: 60 }, (_, i) => `Page ${i + 1}`));
  });
});

test("readPdfText reads text with a predefined character map", async () => {
  const [page] = await readPdfText(await demandingPdf());
  expect(page?.text).toContain("契約 HHHHH");
});

describe("readPdf", () => {
  test("every kind of form field is read, with its position from the top left corner", async () => {
    const bytes = await form((file) => {
      const page = file.addPage([600, 800]);
      const second = file.addPage([600, 500]);
      const made = file.getForm();
      const at = (y: number) => ({ x: 50, y, width: 200, height: 20, borderWidth: 0 });
      const name = made.createTextField("name");
      name.setText("Zoë");
      name.enableRequired();
      name.addToPage(page, at(700));
      const notes = made.createTextField("group.notes");
      notes.enableMultiline();
      notes.addToPage(second, at(400));
      const agree = made.createCheckBox("agree");
      agree.addToPage(page, at(650));
      agree.check();
      made.createCheckBox("optional").addToPage(page, at(640));
      const plan = made.createRadioGroup("plan");
      plan.addOptionToPage("basic", page, { x: 10, y: 600, width: 12, height: 12 });
      plan.addOptionToPage("full", page, { x: 30, y: 600, width: 12, height: 12 });
      plan.select("full");
      const country = made.createDropdown("country");
      country.setOptions(["PT", "SE"]);
      country.select("SE");
      country.addToPage(page, at(550));
      const list = made.createOptionList("list");
      list.setOptions(["a", "b"]);
      list.addToPage(page, at(500));
      made.createButton("press").addToPage("Press", page, at(450));
    });
    const { fields } = await readPdf(bytes);
    const described = fields.map(({ box, widgets, ...rest }) => rest);
    const usual = { required: false, multiline: false, options: [], value: null, page: 0 };
    expect(described).toEqual([
      { ...usual, name: "name", kind: "text", required: true, value: "Zoë" },
      { ...usual, name: "group.notes", kind: "text", multiline: true, page: 1 },
      { ...usual, name: "agree", kind: "checkbox", value: true },
      { ...usual, name: "optional", kind: "checkbox", value: false },
      { ...usual, name: "plan", kind: "radio", options: ["basic", "full"], value: "full" },
      { ...usual, name: "country", kind: "dropdown", options: ["PT", "SE"], value: "SE" },
      { ...usual, name: "list", kind: "list", options: ["a", "b"] },
    ]);
    const boxOf = (name: string) => fields.find((one) => one.name === name)?.box;
    expect(boxOf("name")).toEqual({ x: 50, y: 80, width: 200, height: 20 });
    expect(boxOf("group.notes")).toEqual({ x: 50, y: 80, width: 200, height: 20 });
    // A radio group has a button for each option. The box of the group is the first button.
    const plan = fields.find((one) => one.name === "plan");
    expect(plan?.widgets).toHaveLength(2);
    expect(plan?.widgets?.[0]).toEqual(plan?.box);
  });

  test("a signature field is read with the kind signature", async () => {
    const bytes = await form((file) => {
      const page = file.addPage([600, 800]);
      const { context } = file;
      const field = context.register(
        context.obj({
          Type: "Annot",
          Subtype: "Widget",
          FT: "Sig",
          T: PDFString.of("sign here"),
          Ff: 2,
          Rect: [50, 100, 250, 150],
          P: page.ref,
        }),
      );
      page.node.addAnnot(field);
      file.getForm().acroForm.addField(field);
    });
    expect((await readPdf(bytes)).fields).toEqual([
      {
        name: "sign here",
        kind: "signature",
        required: true,
        multiline: false,
        options: [],
        value: null,
        page: 0,
        box: { x: 50, y: 650, width: 200, height: 50 },
      },
    ]);
  });

  test("bytes that are not a PDF are refused with this reason", async () => {
    for (const bytes of [new Uint8Array(), new TextEncoder().encode("hello"), new Uint8Array(5000)]) {
      await expect(readPdf(bytes)).rejects.toThrow(FileError);
      await expect(readPdf(bytes)).rejects.toThrow("the file is not a PDF");
    }
  });

  test("a truncated file is refused", async () => {
    const bytes = await form((file) => {
      file.addPage().drawText("x");
    });
    for (const end of [9, 40, Math.floor(bytes.length / 2)])
      await expect(readPdf(bytes.subarray(0, end)), `cut at ${end}`).rejects.toThrow(FileError);
    await expect(readPdf(new TextEncoder().encode("%PDF-1.7 and nothing more"))).rejects.toThrow(FileError);
  });

  test("an encrypted file is refused", async () => {
    const file = await PDFDocument.create();
    file.addPage();
    file.encrypt({ userPassword: "secret", ownerPassword: "owner", permissions: {} });
    await expect(readPdf(await file.save())).rejects.toThrow(FileError);
  });

  test("a rotated page is read with its stored size", async () => {
    const bytes = await form((file) => file.addPage([200, 300]).setRotation(degrees(90)));
    expect((await readPdf(bytes)).pages).toEqual([{ width: 200, height: 300 }]);
  });
});
