import { PDFDocument } from "@cantoo/pdf-lib";
import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { aPdf, pdfTexts } from "../../support/pdf-texts.ts";
import { aCompletedDocument, aDraft, aSentDocument, CLIENT, simulate } from "../../support/stories.ts";
import { type Answer, SANDBOX_KEY, useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

const download = (world: TestWorld, id: string, query: Record<string, string | number> = {}, key?: string): Promise<Answer> =>
  world.call("downloadDocument", { params: { id }, query, ...(key === undefined ? {} : { key }) });

const textOf = async (answer: Answer): Promise<string> => {
  expect(answer.status).toBe(200);
  return (await pdfTexts(answer.body)).join("\n");
};

/** A draft from a PDF with a form. The client fills its text field. */
async function aDraftFromPdf(world: TestWorld): Promise<string> {
  const file = await aPdf(["First page words", "Second page words"], (pdf) => {
    const form = pdf.getForm();
    const page = pdf.getPage(0);
    form.createTextField("City").addToPage(page, { x: 72, y: 500, width: 200, height: 24 });
    form.createCheckBox("Agree").addToPage(page, { x: 72, y: 460, width: 20, height: 20 });
  });
  const fields = { City: { value: "Oslo", role: "Client" }, Agree: { value: true, role: "Client" } };
  const created = await world.call("createDocumentFromUpload", {
    parts: { file, data: { name: "From a file", recipients: [CLIENT], fields, parse_form_fields: true } },
  });
  expect(created.status).toBe(201);
  await world.advance("5s");
  return created.body.id;
}

describe("downloadDocument", () => {
  test("downloadDocument answers a PDF with the name, the values, the signatures and the certificate", async () => {
    const id = await aCompletedDocument(world, { template: "everyField" });
    await world.advance("10s");
    const answer = await download(world, id);
    expect(answer.headers.get("content-type")).toBe("application/pdf");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="Service agreement.pdf"');
    const text = await textOf(answer);
    const { body } = await world.call("detailsDocument", { params: { id } });
    expect(text).toContain("Service agreement");
    expect(text).toContain("Ivo Marek, Signer");
    expect(text).toContain("Signature certificate");
    expect(text).toContain(body.ref_number);
    for (const field of body.fields.filter((one: { type: string }) => one.type === "text" || one.type === "dropdown"))
      expect(text).toContain(`${field.title || field.name}: ${field.value}`.trim());
    const names = (await pdfTexts(answer.body)).join("\n").split("Ivo Marek").length - 1;
    // At least in the heading, the signature and the certificate.
    expect(names).toBeGreaterThanOrEqual(3);
  });

  test("downloadDocument prints Greek, Cyrillic, Polish and Turkish letters, and ? for letters that its fonts lack", async () => {
    const words = ["Żółć gęślą jaźń", "Αθήνα", "Привет, мир", "İstanbul", "naïve € — “quoted”"];
    const name = `${words.join(" | ")} 中`;
    const recipients = [{ ...CLIENT, first_name: "Łukasz", last_name: "Żak" }];
    const id = await aSentDocument(world, { body: { name, recipients } });
    await simulate(world, id, "sign");
    await world.advance("10s");
    const answer = await download(world, id, { watermark_text: "ЧЕРНОВИК" });
    const text = await textOf(answer);
    for (const one of [...words, "Łukasz Żak", "ЧЕРНОВИК"]) expect(text.replace(/\n/g, " ")).toContain(one);
    expect(text).toContain("?");
    // The file embeds only the used letters of each font.
    expect(answer.body.length).toBeLessThan(60_000);
    expect(Buffer.from((await download(world, id, { watermark_text: "ЧЕРНОВИК" })).body).equals(Buffer.from(answer.body))).toBe(
      true,
    );
  });

  test("downloadDocument shows a pricing table with its total", async () => {
    const id = await aDraft(world, { template: "pricing" });
    const { body } = await world.call("detailsDocument", { params: { id } });
    const [table] = body.pricing.tables;
    const text = await textOf(await download(world, id));
    expect(text).toContain(table.name);
    for (const item of table.items.filter((one: { options: { optional_selected: boolean } }) => one.options.optional_selected))
      expect(text.replace(/\s+/g, " ")).toContain(item.name);
    expect(text).toContain(`Total: ${table.total} ${table.currency}`);
  });

  test("downloadDocument keeps the pages of an uploaded PDF, and fills its form", async () => {
    const id = await aDraftFromPdf(world);
    const draft = await download(world, id);
    const [first, second, ...more] = await pdfTexts(draft.body);
    expect(first).toContain("First page words");
    expect(second).toContain("Second page words");
    expect(more).toEqual([]);
    const form = (await PDFDocument.load(draft.body)).getForm();
    expect(form.getTextField("City").getText()).toBe("Oslo");
    expect(form.getCheckBox("Agree").isChecked()).toBe(true);
  });

  test("downloadDocument of a completed document prints the form's values and removes its fields", async () => {
    const id = await aDraftFromPdf(world);
    await world.call("sendDocument", { params: { id }, body: { silent: true } });
    await simulate(world, id, "sign");
    await world.advance("10s");
    const answer = await download(world, id);
    const text = await textOf(answer);
    expect(text).toContain("First page words");
    expect(text).toContain("Oslo");
    expect(text).toContain("Signature certificate");
    expect((await PDFDocument.load(answer.body)).getForm().getFields()).toEqual([]);
  });

  test("downloadDocument prints the requested watermark on each page", async () => {
    const id = await aDraftFromPdf(world);
    const plain = await download(world, id);
    const marked = await download(world, id, { watermark_text: "COPY", watermark_color: "#FF5733", watermark_opacity: 0.5 });
    expect((await pdfTexts(plain.body)).map((page) => page.includes("COPY"))).toEqual([false, false]);
    expect((await pdfTexts(marked.body)).map((page) => page.includes("COPY"))).toEqual([true, true]);
  });

  test("downloadDocument prints a watermark for a sandbox key", async () => {
    const id = await aDraft(world);
    expect(await textOf(await download(world, id))).not.toContain("SANDBOX");
    expect(await textOf(await download(world, id, {}, SANDBOX_KEY))).toContain("SANDBOX");
  });

  test("downloadDocument places the pages of appended library items after the content and before the certificate", async () => {
    const file = await aPdf(["Annex page one", "Annex page two"], (pdf) => {
      pdf.getForm().createTextField("Left behind").addToPage(pdf.getPage(0), { x: 72, y: 500, width: 200, height: 24 });
    });
    const { body: item } = await world.call("createContentLibraryItemFromUpload", { parts: { file, data: { name: "Annex" } } });
    await world.advance("5s");
    const append = (id: string) =>
      world.call("appendContentLibraryItemToDocument", { params: { id }, body: { cli: { id: item.id } } });
    const shown = async (id: string) => {
      expect((await append(id)).status).toBe(201);
      await world.call("sendDocument", { params: { id }, body: { silent: true } });
      await simulate(world, id, "sign");
      await world.advance("10s");
      const answer = await download(world, id);
      expect((await PDFDocument.load(answer.body)).getForm().getFields()).toEqual([]);
      return pdfTexts(answer.body);
    };
    const [content, ...pages] = await shown(await aDraft(world));
    expect(content).toContain("Service agreement");
    expect(pages.map((text) => text.split("\n")[0])).toEqual(["Annex page one", "Annex page two", "Signature certificate"]);
    const fromPdf = await shown(await aDraftFromPdf(world));
    expect(fromPdf.map((text) => /(\w+ page (words|one|two))|Signature certificate/.exec(text)?.[0])).toEqual([
      "First page words",
      "Second page words",
      "Annex page one",
      "Annex page two",
      "Signature certificate",
    ]);
  });

  test("downloadDocument shows the pages and values of a section, and separate_files puts them into their own file", async () => {
    const id = await aDraftFromPdf(world);
    const file = await aPdf(["Section page words"], (pdf) => {
      pdf.getForm().createTextField("Town").addToPage(pdf.getPage(0), { x: 72, y: 500, width: 200, height: 24 });
    });
    const data = {
      name: "Annex",
      recipients: [CLIENT],
      parse_form_fields: true,
      fields: { Town: { value: "Brno", role: "Client" } },
    };
    const made = await world.call("uploadSectionWithUpload", { params: { document_id: id }, parts: { file, data } });
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 });
    await world.advance("5s");
    const whole = await pdfTexts((await download(world, id)).body);
    expect(whole.map((text) => text.split("\n")[0])).toEqual(["First page words", "Second page words", "Section page words"]);
    expect(whole[2]).toContain("Brno");
    const parts = unzipSync((await download(world, id, { separate_files: "true" })).body);
    const texts = await Promise.all(Object.values(parts).map(async (part) => (await pdfTexts(part)).join(" | ")));
    expect(texts[0]).toContain("First page words");
    expect(texts[0]).not.toContain("Section");
    expect(texts[1]).toMatch(/^Section page words/);
    expect(texts[1]).toContain("Brno");
    expect(texts[1]).not.toContain("First page words");
  });

  test("downloadDocument writes a file name beyond ASCII as filename and filename*", async () => {
    const id = await aDraft(world, { body: { name: "Vertrag für Łukasz 合同" } });
    const answer = await download(world, id);
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="Vertrag f_r _ukasz __.pdf"; filename*=UTF-8''${encodeURIComponent("Vertrag für Łukasz 合同.pdf")}`,
    );
    expect(await textOf(answer)).toContain("Vertrag für ");
  });
});

describe("downloadProtectedDocument", () => {
  const call = (world: TestWorld, id: string, options = {}) =>
    world.call("downloadProtectedDocument", { params: { id }, ...options });

  test("downloadProtectedDocument answers 202 with Retry-After until the PDF exists, then the same bytes each time", async () => {
    const id = await aCompletedDocument(world);
    const waiting = await call(world, id);
    expect(waiting.status).toBe(202);
    expect(waiting.headers.get("retry-after")).toBe("5");
    expect(waiting.headers.get("content-type")).toBeNull();
    expect(waiting.body).toHaveLength(0);
    expect((await download(world, id)).status).toBe(202);
    await world.advance("3s");
    const first = await call(world, id);
    await world.advance("40d");
    const second = await call(world, id);
    expect(await textOf(first)).toContain("Signature certificate");
    expect(Buffer.from(second.body).equals(Buffer.from(first.body))).toBe(true);
  });

  test("downloadProtectedDocument counts as a poll when the transition of document.pdf counts polls", async () => {
    await world.admin("POST", "/transitions", { model: "document.pdf", progression: "polls", times: 2 });
    const id = await aCompletedDocument(world);
    await world.advance("1h");
    expect((await call(world, id)).status).toBe(202);
    await world.advance("1h");
    expect((await call(world, id)).status).toBe(202);
    await world.sandbox.clock.settle();
    expect((await call(world, id)).status).toBe(200);
  });

  test("downloadProtectedDocument keeps answering 202 when the PDF cannot be made", async () => {
    await world.admin("POST", "/transitions", { model: "document.pdf", progression: "fail" });
    const id = await aCompletedDocument(world);
    await world.advance("1h");
    expect((await call(world, id)).status).toBe(202);
  });

  test("downloadProtectedDocument refuses a sandbox key with 401", async () => {
    const id = await aCompletedDocument(world);
    expect(await call(world, id, { key: SANDBOX_KEY })).toMatchObject({
      status: 401,
      body: { type: "authentication_error", detail: "Authentication credentials were not provided." },
    });
  });

  test("downloadProtectedDocument with separate_files answers a zip with the same bytes each time", async () => {
    const id = await aCompletedDocument(world);
    await world.advance("3s");
    const first = await call(world, id, { query: { separate_files: true } });
    const second = await call(world, id, { query: { separate_files: true } });
    expect(Object.keys(unzipSync(first.body))).toEqual(["Service agreement.pdf"]);
    expect(Buffer.from(second.body).equals(Buffer.from(first.body))).toBe(true);
  });
});
