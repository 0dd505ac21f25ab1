import { describe, expect, test } from "vitest";
import type { DocumentRow } from "../../../src/service/nouns/documents/row.ts";
import { aBrokenPdf, aPdf, NOT_FOUND } from "../../support/content.ts";
import { aPdf as aTextPdf } from "../../support/pdf-texts.ts";
import { aDraft, CLIENT, DIRECTOR, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const ANNEX = { name: "Annex A", template_uuid: TEMPLATES.pricing, recipients: [CLIENT] };

const uploadOf = async (world: TestWorld, document_id: string, upload_id: string) =>
  (await succeed(world.call("sectionDetails", { params: { document_id, upload_id } }))).body;
const detailsOf = async (world: TestWorld, id: string) => (await succeed(world.call("detailsDocument", { params: { id } }))).body;
const sectionsOf = async (world: TestWorld, document_id: string) =>
  (await succeed(world.call("listSections", { params: { document_id } }))).body.results;

/** Makes a draft with one additional section. Returns the ids of the document, the upload and the section. */
async function aBundle(world: TestWorld, body: object = ANNEX, query: Record<string, string> = {}) {
  const document_id = await aDraft(world);
  const upload = await succeed(world.call("uploadSection", { params: { document_id }, query, body }));
  await world.advance("5s");
  const status = await uploadOf(world, document_id, upload.body.uuid);
  expect(status.status).toBe("document_sections_upload.PROCESSED");
  return { document_id, upload_id: upload.body.uuid as string, section_id: status.section_uuids[0] as string };
}

describe("uploadSection", () => {
  test("uploadSection without a name answers the string null, and the section gets the template's name", async () => {
    const document_id = await aDraft(world);
    const answer = await world.call("uploadSection", { params: { document_id }, body: { ...ANNEX, name: undefined } });
    expect(answer).toMatchObject({ status: 201, body: { name: "null" } });
    await world.advance("5s");
    expect((await sectionsOf(world, document_id))[1].name).toBe("Pricing table");
  });

  test("uploadSection takes a person of the document with another role, by template and by file", async () => {
    const document_id = await aDraft(world, { template: "twoSigners" });
    const { recipients: before, fields: firstFields } = await detailsOf(world, document_id);
    const template = await succeed(world.call("detailsTemplate", { params: { id: TEMPLATES.oneSigner } }));
    const recipients = [{ ...DIRECTOR, role: "Client" }];
    const byTemplate = { template_uuid: TEMPLATES.oneSigner, name: "Annex", recipients };
    await succeed(world.call("uploadSection", { params: { document_id }, body: byTemplate }));
    const data = { name: "Terms", recipients: [{ ...DIRECTOR, role: "Witness" }] };
    await succeed(
      world.call("uploadSectionWithUpload", {
        params: { document_id },
        parts: { file: await aTextPdf(["{signature:Witness___}"]), data },
      }),
    );
    await world.advance("10s");
    const { recipients: after, fields } = await detailsOf(world, document_id);
    expect(after).toHaveLength(before.length);
    const director = after.find((one: { email: string }) => one.email === DIRECTOR.email);
    expect(director).toMatchObject({ roles: ["Director", "Client", "Witness"], recipient_type: "signer" });
    const ownOf = (all: { assigned_to: { id: string } }[]) => all.filter((one) => one.assigned_to.id === director.id).length;
    // All fields of the template's role, and the one of the file.
    expect(ownOf(fields)).toBe(ownOf(firstFields) + template.body.fields.length + 1);
  });

  test("uploadSection fills fields of the whole document, or with scope upload only the section's renamed fields", async () => {
    const body = { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT], fields: { Company: { value: "Acme" } } };
    const values = async (id: string) =>
      (await detailsOf(world, id)).fields
        .filter((field: { name: string }) => field.name === "Company")
        .map((field: { value: string; merge_field: string }) => [field.value, field.merge_field]);
    const whole = await aBundle(world, body);
    expect(await values(whole.document_id)).toEqual([
      ["Acme", "Company"],
      ["Acme", "Company"],
    ]);
    const alone = await aBundle(world, body, { merge_field_scope: "upload" });
    expect(await values(alone.document_id)).toEqual([
      ["", "Company"],
      ["Acme", `Company_${alone.upload_id}`],
    ]);
  });

  test("uploadSection ends in ERROR when the download fails, or when the document was sent in the meantime", async () => {
    const document_id = await aDraft(world);
    const params = { document_id };
    const url = "http://127.0.0.1:9/annex.pdf";
    const gone = await succeed(world.call("uploadSection", { params, body: { url, recipients: [] } }));
    const late = await succeed(world.call("uploadSection", { params, body: ANNEX }));
    await succeed(world.call("sendDocument", { params: { id: document_id }, body: { silent: true } }));
    await world.advance("5s");
    expect(await uploadOf(world, document_id, gone.body.uuid)).toMatchObject({
      status: "document_sections_upload.ERROR",
      info_message: `Failed to download file from link ${url}.`,
    });
    expect(await uploadOf(world, document_id, late.body.uuid)).toMatchObject({ status: "document_sections_upload.ERROR" });
    expect(await sectionsOf(world, document_id)).toHaveLength(1);
  });

  test("uploadSection leaves the document unchanged when the processing fails", async () => {
    const document_id = await aDraft(world, { template: "everyField" });
    const row = world.tenant.store.documents.get(document_id);
    const body = { template_uuid: TEMPLATES.everyField, recipients: [], fields: { Date: { value: "soon" } } };
    const { body: upload } = await succeed(world.call("uploadSection", { params: { document_id }, body }));
    await world.advance("5s");
    expect(await uploadOf(world, document_id, upload.uuid)).toMatchObject({ status: "document_sections_upload.ERROR" });
    expect(world.tenant.store.documents.get(document_id)).toEqual(row);
    expect(world.tenant.store.sections.size).toBe(0);
  });
});

describe("uploadSectionWithUpload", () => {
  const send = (world: TestWorld, document_id: string, file: File, data: object = { recipients: [CLIENT] }) =>
    world.call("uploadSectionWithUpload", { params: { document_id }, parts: { file, data } });

  test("uploadSectionWithUpload adds the pages of a PDF, and its form fields with parse_form_fields", async () => {
    const document_id = await aDraft(world);
    const data = {
      name: "Form",
      recipients: [CLIENT],
      parse_form_fields: true,
      fields: { City: { role: "Client", value: "Oslo" } },
    };
    const { status, body } = await send(world, document_id, await aPdf(2, ["City"]), data);
    expect({ status, state: body.status, name: body.name }).toEqual({
      status: 201,
      state: "document_sections_upload.UPLOADED",
      name: "Form",
    });
    await world.advance("5s");
    const row = world.tenant.store.documents.get(document_id);
    expect(row?.pages.map((page) => page.width)).toEqual([612, 300, 300]);
    expect(row?.fields.at(-1)).toMatchObject({ name: "City", value: "Oslo", layout: { page: 1 } });
    expect((await detailsOf(world, document_id)).fields.at(-1)).toMatchObject({ assigned_to: { email: CLIENT.email } });
    expect(await detailsOf(world, document_id)).toMatchObject({ template: { id: TEMPLATES.oneSigner } });
  });

  test("uploadSectionWithUpload turns field tags into fields, and keeps them as text with parse_text_tags: false", async () => {
    const document_id = await aDraft(world);
    const before = world.tenant.store.documents.get(document_id);
    const fields = { city: {} };
    const add = async (data: object) => {
      const file = await aTextPdf(["Sign in {t:Client:city}"]);
      const { body } = await succeed(send(world, document_id, file, { recipients: [CLIENT], fields, ...data }));
      await world.advance("5s");
      expect((await uploadOf(world, document_id, body.uuid)).status).toBe("document_sections_upload.PROCESSED");
      const row = world.tenant.store.documents.get(document_id);
      return [row?.fields.slice(before?.fields.length).map(({ type }) => type), row?.pages.at(-1)?.text];
    };
    expect(await add({ parse_text_tags: false })).toEqual([[], "Sign in {t:Client:city}"]);
    expect(await add({})).toEqual([["text"], "Sign in"]);
    expect(await add({ parse_text_tags: true })).toEqual([["text", "text"], "Sign in"]);
    const wrong = await send(world, document_id, await aPdf(), { recipients: [CLIENT], parse_text_tags: "no" });
    expect(wrong).toMatchObject({ status: 400, body: { detail: { parse_text_tags: ["Must be a valid boolean."] } } });
  });

  test("uploadSectionWithUpload ends in ERROR for a broken PDF and for form fields without a role", async () => {
    const document_id = await aDraft(world);
    const broken = await succeed(send(world, document_id, aBrokenPdf()));
    const form = await succeed(
      send(world, document_id, await aPdf(1, ["City"]), { recipients: [CLIENT], parse_form_fields: true, fields: { City: {} } }),
    );
    await world.advance("5s");
    expect(await uploadOf(world, document_id, broken.body.uuid)).toMatchObject({
      status: "document_sections_upload.ERROR",
      info_message: "PDF content hasn't been processed: document is broken or locked",
    });
    expect(await uploadOf(world, document_id, form.body.uuid)).toMatchObject({
      status: "document_sections_upload.ERROR",
      info_message: "Role for form field with name='City' is not provided in payload",
    });
  });

  test("sectionDetails advances the upload by polls if document_section.processing is set to polls", async () => {
    const document_id = await aDraft(world);
    const model = "document_section.processing";
    await succeed(world.admin("POST", "/transitions", { model, progression: "polls", times: 1 }));
    const { body } = await succeed(send(world, document_id, await aPdf()));
    await world.advance("1h");
    expect((await uploadOf(world, document_id, body.uuid)).status).toBe("document_sections_upload.UPLOADED");
    await world.advance("1ms");
    expect((await uploadOf(world, document_id, body.uuid)).status).toBe("document_sections_upload.PROCESSED");
  });
});

describe("deleteSection", () => {
  test("deleteSection removes the pages, fields and pricing tables of the section", async () => {
    const document_id = await aDraft(world, { template: "pricing" });
    const params = { document_id };
    const before = await detailsOf(world, document_id);
    const ids: string[] = [];
    for (const name of ["A", "B"]) {
      const { body } = await succeed(world.call("uploadSection", { params, body: { ...ANNEX, name } }));
      await world.advance("5s");
      ids.push((await uploadOf(world, document_id, body.uuid)).section_uuids[0]);
    }
    const tables = async () => (await detailsOf(world, document_id)).pricing.tables.map((table: { name: string }) => table.name);
    expect(await tables()).toEqual(["Pricing Table 1", "Pricing Table 1_1", "Pricing Table 1_2"]);
    expect((await world.call("deleteSection", { params: { ...params, section_id: ids[0] ?? "" } })).status).toBe(204);
    expect(await tables()).toEqual(["Pricing Table 1", "Pricing Table 1_2"]);
    const row = world.tenant.store.documents.get(document_id);
    expect(row?.pages.map((page) => page.section)).toEqual([undefined, ids[1]]);
    expect(row?.fields.map((field) => [field.section_uuid, field.layout.page])).toEqual([
      [null, 0],
      [ids[1], 1],
    ]);
    expect(await sectionsOf(world, document_id)).toMatchObject([{ uuid: document_id }, { name: "B" }]);
    expect((await world.call("deleteSection", { params: { ...params, section_id: ids[1] ?? "" } })).status).toBe(204);
    const after = await detailsOf(world, document_id);
    expect({ ...after, date_modified: "", content_date_modified: "" }).toEqual({
      ...before,
      date_modified: "",
      content_date_modified: "",
    });
  });

  test("deleteSection removes the texts, tables and quotes of the section, and no others", async () => {
    const document_id = await aDraft(world, { template: "quote" });
    const params = { document_id };
    const blocks = () => {
      const { texts, tables, quotes } = world.tenant.store.documents.get(document_id) as DocumentRow;
      return [texts, tables].map((list) => list.map(({ name }) => name)).concat([quotes.map(({ id }) => id)]);
    };
    const before = blocks();
    expect(before[2]).toHaveLength(1);
    const { id: template_uuid } = world.sandbox.templates.create({
      name: "Annex",
      roles: [{ name: "Client" }],
      texts: [{ name: "Terms" }],
      tables: [{ name: "Times" }],
    });
    const sections: string[] = [];
    for (const [name, template] of [
      ["Prices", TEMPLATES.quote],
      ["Annex", template_uuid],
    ]) {
      const body = { ...ANNEX, name, template_uuid: template };
      const { uuid } = (await succeed(world.call("uploadSection", { params, body }))).body;
      await world.advance("5s");
      sections.push((await uploadOf(world, document_id, uuid)).section_uuids[0]);
    }
    expect(blocks()).toEqual([["Terms"], ["Times"], [...(before[2] as string[]), expect.any(String)]]);
    await succeed(world.call("deleteSection", { params: { ...params, section_id: sections[0] ?? "" } }));
    expect(blocks()).toEqual([["Terms"], ["Times"], before[2]]);
    await succeed(world.call("deleteSection", { params: { ...params, section_id: sections[1] ?? "" } }));
    expect(blocks()).toEqual(before);
  });

  test("deleteSection removes the first section, but never the only section", async () => {
    const { document_id, section_id } = await aBundle(world);
    const call = (id: string) => world.call("deleteSection", { params: { document_id, section_id: id } });
    expect((await call(document_id)).status).toBe(204);
    expect(await sectionsOf(world, document_id)).toEqual([{ uuid: section_id, name: "Annex A" }]);
    const details = await detailsOf(world, document_id);
    expect(details.fields.map((field: { name: string }) => field.name)).toEqual(["Signature"]);
    expect(details.texts).toEqual([]);
    expect(await call(document_id)).toMatchObject(NOT_FOUND);
    expect(await call(section_id)).toMatchObject({ status: 400, body: { type: "request_error" } });
  });
});
