/** Proves the specification's rules about create requests. */
import { describe, expect, test } from "vitest";
import { FORM_FIELDS, formPdf } from "../../support/pdf.ts";
import { aDraft, CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

async function detailsOf(world: TestWorld, id: string) {
  return (await succeed(world.call("detailsDocument", { params: { id } }))).body;
}

describe("document creation", () => {
  test("createDocument accepts every member of the specification, and refuses an unknown folder or owner", async () => {
    const folder_uuid = world.tenant.store.folders.all().find((one) => one.kind === "document")?.id;
    const settings = {
      phone: "+4712345678",
      signing_order: 1,
      delivery_methods: { sms: true, email: true },
      redirect: { is_enabled: true, url: "https://client.example/done" },
    };
    const verification_settings = { verification_place: "before_open", passcode_verification: { passcode: "secret7" } };
    const created = await world.call("createDocument", {
      body: {
        name: "Everything",
        template_uuid: TEMPLATES.everyField,
        folder_uuid,
        owner: { membership_id: "MemberSamxxxxxxxxxxxxx" },
        detect_title_variables: true,
        recipients: [{ ...CLIENT, role: "Signer", company: "Client Ltd", default: true, verification_settings, ...settings }],
        fields: { Text: { value: "Typed" }, Checkbox: { value: true }, Date: { value: "2026-05-01T00:00:00Z" } },
        texts: [{ name: "Introduction", data: "# Dear client" }],
        images: [{ name: "Logo", urls: ["https://client.example/logo.png"] }],
        tables: [{ name: "Table 1", data: { sections: [{ header: [{ text: "Year" }], rows: [[{ text: "2026" }]] }] } }],
        metadata: { lead: "7" },
        tags: ["north"],
      },
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    await world.advance("5s");
    const { id } = created.body;
    const details = await detailsOf(world, id);
    expect(details).toMatchObject({
      name: "Everything",
      status: "document.draft",
      folder_uuid,
      created_by: { membership_id: expect.any(String) },
      tags: ["north"],
      metadata: { lead: "7" },
    });
    expect(details.recipients).toEqual([
      expect.objectContaining({
        ...settings,
        role: "Signer",
        verification_settings: {
          ...verification_settings,
          phone_verification: null,
          kba_verification: null,
          id_verification: null,
          email_otp_verification: null,
        },
      }),
    ]);
    const values = Object.fromEntries(details.fields.map((one: { name: string; value: unknown }) => [one.name, one.value]));
    expect(values).toMatchObject({ Text: "Typed", Checkbox: true, Date: expect.stringMatching(/^2026-05-01/) });
    expect(world.tenant.store.documents.get(id)).toMatchObject({
      texts: [{ name: "Introduction", data: "# Dear client" }],
      images: [{ name: "Logo", urls: ["https://client.example/logo.png"] }],
      tables: [{ name: "Table 1", data: { sections: [{ header: [{ text: "Year" }], rows: [[{ text: "2026" }]] }] } }],
    });
    const owned = await world.call("listDocuments", {
      query: { membership_id: "MemberSamxxxxxxxxxxxxx", folder_uuid: folder_uuid ?? "" },
    });
    expect(owned.body.results.map((one: { id: string }) => one.id)).toEqual([id]);
    const nowhere = { folder_uuid: "nowhere", owner: { membership_id: "nobody" } };
    for (const [name, value] of Object.entries(nowhere)) {
      const body = { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT], [name]: value };
      const { status, body: refusal } = await world.call("createDocument", { body });
      expect([status, refusal.type, Object.keys(refusal.detail)]).toEqual([
        400,
        "validation_error",
        [expect.stringMatching(name)],
      ]);
    }
  });

  test("createDocument fills tokens and a pricing table from the request", async () => {
    const rows = [
      {
        options: { optional: false, optional_selected: true, qty_editable: true },
        data: { name: "Roof", price: 100, qty: 3, tax_first: { value: 10, type: "percent" } },
        custom_fields: { colour: "red" },
      },
      {
        options: { optional: true, optional_selected: false },
        data: {
          name: "Gutter",
          price: 50,
          fee: { value: 2, type: "absolute" },
          discount: { value: 5, type: "percent" },
          tax_second: { value: 1, type: "absolute" },
        },
      },
    ];
    const options = {
      discount: { type: "absolute", name: "Discount", value: 25 },
      tax: { type: "percent", name: "Tax", value: 0 },
    };
    const sections = [{ title: "Work", default: true, rows }];
    const pricing_tables = [{ name: "Pricing Table 1", data_merge: false, options, sections }];
    const tokens = [{ name: "Client.Company", value: "Quick Place" }];
    const body = { pricing_tables, tokens, name: "For [Client.Company]" };
    const id = await aDraft(world, { template: "pricing", body: { ...body, detect_title_variables: true } });
    const details = await detailsOf(world, id);
    expect([details.name, details.tokens]).toEqual(["For Quick Place", tokens]);
    const [table] = details.pricing.tables;
    expect(table).toMatchObject({
      items: [
        {
          name: "Roof",
          price: "100",
          qty: "3",
          subtotal: "300",
          tax_first: { value: "10", type: "percent" },
          custom_fields: { colour: "red" },
          options: { optional: false, optional_selected: true },
        },
        {
          name: "Gutter",
          qty: "1",
          subtotal: "50",
          fees: { Fee: { value: "2", type: "absolute" } },
          discount: { value: "5", type: "percent" },
          tax_first: { value: "0", type: "percent" },
          tax_second: { value: "1", type: "absolute" },
          options: { optional: true, optional_selected: false },
        },
      ],
      // The row that is not selected does not count.
      summary: { subtotal: "300", discount: "25", tax: "30", fee: "0", total: "305" },
    });
    expect(world.tenant.store.documents.get(id)?.pricing_tables[0]?.items.map((one) => one.options.qty_editable)).toEqual([
      true,
      false,
    ]);
    expect((await detailsOf(world, await aDraft(world, { template: "pricing", body }))).name).toBe("For [Client.Company]");
  });

  const pdfData = {
    name: "Form",
    recipients: [{ ...CLIENT, role: "signer" }],
    parse_form_fields: true,
    fields: Object.fromEntries(Object.values(FORM_FIELDS).map((name) => [name, { role: "signer" }])),
  };
  const upload = async (world: TestWorld, query: Record<string, string> = {}) => {
    const file = new File([(await formPdf()) as Uint8Array<ArrayBuffer>], "form.pdf", { type: "application/pdf" });
    const created = await world.call("createDocumentFromUpload", { parts: { file, data: pdfData }, query });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    await world.advance("5s");
    return created.body.id as string;
  };
  const requiredIn = async (world: TestWorld, id: string) => {
    const { body } = await succeed(world.call("listDocumentFields", { params: { id } }));
    return body.fields.find((one: { name: string }) => one.name === FORM_FIELDS.text).settings.required;
  };

  test("createDocumentFromUpload reads form fields, and keeps their properties only if the query says yes, 1 or true", async () => {
    const id = await upload(world);
    expect((await detailsOf(world, id)).fields.map((one: { name: string }) => one.name).sort()).toEqual(
      Object.values(FORM_FIELDS).sort(),
    );
    expect(await requiredIn(world, id)).toBe(false);
    for (const [text, takes] of [
      ["yes", true],
      ["1", true],
      ["true", true],
      ["no", false],
      ["on", false],
    ] as const)
      expect([text, await requiredIn(world, await upload(world, { use_form_field_properties: text }))]).toEqual([text, takes]);
  });

  test("createDocument and createDocumentFromUpload accept the deprecated editor_ver, and ev1 gives an uploaded document version 1", async () => {
    const body = { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] };
    const created = await succeed(world.call("createDocument", { body, query: { editor_ver: "ev1" } }));
    const uploaded = await upload(world, { editor_ver: "ev1" });
    for (const id of [created.body.id, uploaded])
      expect(await detailsOf(world, id)).toMatchObject({ id, status: "document.draft" });
    // The classic editor handles only PDFs. A document from a template stays in the newer editor.
    expect(await detailsOf(world, created.body.id)).toMatchObject({ version: "2" });
    expect(await detailsOf(world, uploaded)).toMatchObject({ version: "1" });
    for (const query of [undefined, { editor_ver: "ev2" }])
      expect(await detailsOf(world, await upload(world, query))).toMatchObject({ version: "2" });
  });

  test("createDocument from a URL allows 300 calls a minute, and creation from a template has a separate limit", async () => {
    const world = await testWorld({ assume: { "rate_limit.profile": "production" } });
    const make = (body: object) => world.call("createDocument", { body: { name: "A", recipients: [CLIENT], ...body } });
    for (let i = 0; i < 300; i++) expect((await make({ url: "https://files.example/a.pdf" })).status).toBe(201);
    expect((await make({ url: "https://files.example/a.pdf" })).status).toBe(429);
    expect((await make({ template_uuid: TEMPLATES.oneSigner })).status).toBe(201);
  });
});
