/** Facts about recipients, roles, templates and sending that the vendor published in September 2026, by row. */
import { describe, expect, test } from "vitest";
import { aDraft, CLIENT, DIRECTOR, LIBRARY_ITEM, simulate, statusOf, succeed, TEMPLATES } from "../../support/stories.ts";
import { aPdf } from "../../support/pdf-texts.ts";
import { type TestWorld, testWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const UNASSIGNED = { type: "request_error", detail: "Not all signature, initials fields were assigned" };
const halfAssigned = (world: TestWorld) => aDraft(world, { template: "twoSigners", body: { recipients: [CLIENT] } });
const send = (world: TestWorld, id: string) => world.call("sendDocument", { params: { id }, body: {} });
const details = async (world: TestWorld, id: string) => (await succeed(world.call("detailsDocument", { params: { id } }))).body;
const create = (world: TestWorld, template_uuid: string, recipients: object[], more: object = {}) =>
  world.call("createDocument", { body: { name: "Deal", template_uuid, recipients, ...more } });

describe("signatures without a recipient", () => {
  test("initials of a removed signer block the send, and a text field does not", async () => {
    const layout = {
      page: 1,
      position: { offset_x: 1, offset_y: 1, anchor_point: "topleft" },
      style: { width: 100, height: 20 },
    };
    const id = await aDraft(world);
    await succeed(world.call("createDocumentFields", { params: { id }, body: { fields: [{ type: "text", layout }] } }));
    await succeed(world.call("createDocumentFields", { params: { id }, body: { fields: [{ type: "initials", layout }] } }));
    expect((await send(world, id)).body).toEqual(UNASSIGNED);
    const { fields, recipients } = await details(world, id);
    const body = { fields: [{ field_id: fields.at(-1).uuid, assigned_to: recipients[0].id }] };
    await succeed(world.call("updateDocumentFieldsAssignment", { params: { id }, body }));
    await succeed(send(world, id));
    await succeed(world.call("documentRevertToDraft", { params: { id } }));
    await succeed(world.call("deleteDocumentRecipient", { params: { id, recipient_id: recipients[0].id } }));
    expect((await send(world, id)).body).toEqual(UNASSIGNED);
  });

  test("a scheduled send is refused, and one that is blocked when it is due stays scheduled without an event", async () => {
    const id = await halfAssigned(world);
    const early = await world.admin("POST", `/documents/${id}/simulate/schedule`, { at: "1h" });
    expect([early.status, await statusOf(world, id)]).toEqual([400, "document.draft"]);
    const due = await aDraft(world);
    await simulate(world, due, "schedule", { at: "1h" });
    const { store } = world.tenant;
    store.transaction(() => {
      const row = store.documents.get(due);
      if (row) store.documents.put({ ...row, fields: row.fields.map((one) => ({ ...one, recipient_id: null })) });
    });
    await world.advance("2h");
    expect((await world.admin("GET", `/documents/${due}`)).body).toMatchObject({
      status: "document.scheduled",
      failure: { type: "send", detail: expect.stringContaining("no recipient has these fields: Signature") },
    });
    expect(world.tenant.store.emails.all()).toEqual([]);
  });

  test("a document in status sent is not made, and a form is not submitted, without a signer for each signature", async () => {
    const world = await testWorld({
      scenario: {
        version: 1,
        world: { forms: [{ id: "Half", name: "Half", status: "active", template: "Two signers in order", role: "Client" }] },
      } as never,
    });
    const wish = { template: "Two signers in order", status: "document.sent", recipients: [CLIENT] };
    const refused = await world.admin("POST", "/documents", wish);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining("DirectorSignature of the role Director"),
    ]);
    const { documents } = world.tenant.store;
    const before = documents.all().length;
    const submitted = await world.admin("POST", "/forms/Half/simulate/submit", { email: "ann@client.example" });
    expect([submitted.status, documents.all().length]).toEqual([400, before]);
  });

  test("an approved document is sent only when each signature has a recipient", async () => {
    const id = await aDraft(world, { template: "approval", body: { recipients: [] } });
    expect((await send(world, id)).body).toEqual(UNASSIGNED);
    expect(await statusOf(world, id)).toBe("document.draft");
  });
});

describe("one address in two roles", () => {
  test.each([
    ["a creation", [CLIENT, { ...CLIENT, role: "Director" }]],
    ["another spelling", [CLIENT, { ...CLIENT, email: CLIENT.email.toUpperCase(), role: "Director" }]],
    ["a CC", [CLIENT, { email: CLIENT.email }]],
  ])("%s is refused", async (_, recipients) => {
    const refused = await create(world, TEMPLATES.twoSigners, recipients);
    expect(refused.status).toBe(400);
    expect(refused.body.detail).toEqual({
      recipients: [{}, { email: [`${recipients[1]?.email} already in recipients list`] }],
    });
    expect(world.tenant.store.documents.all()).toEqual([]);
  });

  test("the person that the template assigns to a role cannot have another role", async () => {
    const refused = await create(world, TEMPLATES.countersigned, [{ email: "ines.carvalho@northpeak.example", role: "Client" }]);
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      { recipients: [{ email: ["ines.carvalho@northpeak.example already in recipients list"] }] },
    ]);
  });

  test("an upload, an update, an added contact, a section and a placeholder are refused", async () => {
    const id = await aDraft(world, { template: "twoSigners" });
    const { recipients } = await details(world, id);
    const twice = [CLIENT, { ...CLIENT, role: "Director" }];
    const place = [
      { block_id: "placeholder1", content_library_items: [{ id: LIBRARY_ITEM, recipients: [{ ...CLIENT, role: "Approver" }] }] },
    ];
    const params = { params: { id } };
    const answers = [
      await world.call("createDocumentFromUpload", {
        parts: { file: await aPdf(["Terms"]), data: { name: "T", recipients: twice } },
      }),
      await world.call("updateDocument", { ...params, body: { recipients: [{ email: CLIENT.email }] } }),
      await world.call("updateDocument", { ...params, body: { recipients: [{ id: recipients[1].id, email: CLIENT.email }] } }),
      await world.call("editDocumentRecipient", {
        params: { id, recipient_id: recipients[1].id },
        body: { email: CLIENT.email },
      }),
      await world.call("addDocumentRecipient", { ...params, body: { id: recipients[0].contact_id } }),
      await world.call("uploadSection", {
        params: { document_id: id },
        body: { template_uuid: TEMPLATES.twoSigners, recipients: twice },
      }),
      await create(world, TEMPLATES.everyField, [{ ...CLIENT, role: "Signer" }], { content_placeholders: place }),
    ];
    expect(answers.map(({ status, body }) => [status, JSON.stringify(body).includes("already in recipients list")])).toEqual(
      answers.map(() => [400, true]),
    );
    expect((await details(world, id)).recipients).toEqual(recipients);
  });

  test("an update may swap two addresses, and hand one on to a new CC, because only the end counts", async () => {
    const id = await aDraft(world, { template: "twoSigners" });
    const [client, director] = (await details(world, id)).recipients;
    const update = (recipients: object[]) => world.call("updateDocument", { params: { id }, body: { recipients } });
    const swapped = [
      { id: client.id, email: DIRECTOR.email },
      { id: director.id, email: CLIENT.email },
    ];
    expect((await update(swapped)).status).toBe(204);
    expect((await update([{ email: DIRECTOR.email }, { id: client.id, email: "new@client.example" }])).status).toBe(204);
    expect((await details(world, id)).recipients).toMatchObject([
      { id: client.id, email: "new@client.example", roles: ["Client"] },
      { id: director.id, email: CLIENT.email, roles: ["Director"] },
      { email: DIRECTOR.email, recipient_type: "CC" },
    ]);
    const same = await update([
      { id: client.id, email: "one@client.example" },
      { id: director.id, email: "ONE@client.example" },
    ]);
    expect([same.status, same.body.detail]).toEqual([
      400,
      { recipients: [{}, { email: ["ONE@client.example already in recipients list"] }] },
    ]);
  });

  test("a number is the address of a recipient without email, and an update and an edit refuse one that is taken", async () => {
    const phones = ["+14155550101", "+14155550102"];
    const id = await aDraft(world, {
      template: "twoSigners",
      body: {
        recipients: [
          { phone: phones[0], role: "Client" },
          { phone: phones[1], role: "Director" },
        ],
      },
    });
    const [, director] = (await details(world, id)).recipients;
    const refused = [
      await world.call("updateDocument", { params: { id }, body: { recipients: [{ id: director.id, phone: phones[0] }] } }),
      await world.call("editDocumentRecipient", { params: { id, recipient_id: director.id }, body: { phone: phones[0] } }),
    ];
    const fault = { phone: [`${phones[0]} already in recipients list`] };
    expect(refused.map(({ status, body }) => [status, body.detail])).toEqual([
      [400, { recipients: [fault] }],
      [400, fault],
    ]);
  });

  test("a document has at most 50 recipients, and each member of a group counts", async () => {
    const people = (count: number) => Array.from({ length: count }, (_, i) => ({ email: `p${i}@client.example` }));
    expect((await create(world, TEMPLATES.oneSigner, people(50))).status).toBe(201);
    expect((await create(world, TEMPLATES.oneSigner, people(51))).body.detail).toEqual({
      recipients: ["Ensure this field has no more than 50 elements."],
    });
    const group = { type: "recipient_group", name: "All", role: "Client", members: people(51) };
    expect((await create(world, TEMPLATES.oneSigner, [group])).status).toBe(400);
    const full = await aDraft(world, { body: { recipients: people(50) } });
    const contact = await succeed(world.call("createContact", { body: { email: "late@client.example" } }));
    const body = { recipients: [{ email: "late@client.example" }] };
    const late = [
      await world.call("addDocumentRecipient", { params: { id: full }, body: { id: contact.body.id } }),
      await world.call("updateDocument", { params: { id: full }, body }),
      await world.call("uploadSection", { params: { document_id: full }, body: { ...body, template_uuid: TEMPLATES.oneSigner } }),
    ];
    expect(late.map(({ status }) => status)).toEqual([400, 400, 400]);
  });
});

describe("text messages", () => {
  test("a send to a recipient without a phone number is refused with the vendor's text", async () => {
    const id = await aDraft(world, { body: { recipients: [{ ...CLIENT, delivery_methods: { email: true, sms: true } }] } });
    const refused = await send(world, id);
    expect([refused.status, refused.body]).toEqual([400, { type: "request_error", detail: "A phone number is required" }]);
    expect(await statusOf(world, id)).toBe("document.draft");
  });

  test.each([
    ["the contact", { contacts: [{ email: CLIENT.email, delivery_methods: { email: false, sms: true } }] }, "One signer"],
    [
      "the role of the template",
      { templates: [{ name: "By text", roles: [{ name: "Client", delivery_methods: { email: false, sms: true } }] }] },
      "By text",
    ],
  ])("%s chooses text messages when the request names no delivery methods", async (_, rows, name) => {
    const world = await testWorld({ scenario: { version: 1, world: rows } as never });
    const template = world.tenant.store.templates.all().find((one) => one.name === name)?.id ?? "";
    const made = await succeed(create(world, template, [CLIENT]));
    const asked = await succeed(
      create(world, template, [{ ...CLIENT, delivery_methods: { email: true, sms: false } }], { name: "2" }),
    );
    await world.advance("5s");
    expect((await details(world, made.body.id)).recipients[0].delivery_methods).toEqual({ email: false, sms: true });
    expect((await send(world, made.body.id)).body.detail).toBe("A phone number is required");
    expect((await details(world, asked.body.id)).recipients[0].delivery_methods).toEqual({ email: true, sms: false });
  });
});

describe("templates", () => {
  test("nobody changes or deletes a gallery template, and a document can be made from its copy", async () => {
    const params = { id: TEMPLATES.gallery };
    const roles = [{ name: "Client" }];
    for (const refused of [
      await world.call("updateTemplate", { params, body: { roles } }),
      await world.call("deleteTemplate", { params }),
      await world.call("createTemplateEditingSession", { params, body: { email: "nora.lind@northpeak.example" } }),
      await world.call("templateSettingsUpdate", { params: { template_id: TEMPLATES.gallery }, body: { language: "fr-FR" } }),
    ])
      expect([refused.status, refused.headers.get("x-docdouble-why")]).toEqual([403, expect.stringContaining("to the gallery")]);
    const { body: copy } = await succeed(world.call("duplicateTemplate", { params }));
    await succeed(world.call("updateTemplate", { params: { id: copy.id }, body: { tokens: [{ name: "Deal", value: "A" }] } }));
    expect((await create(world, copy.id, [])).status).toBe(201);
  });

  test("an unknown and a deleted template are not available, for documents and sections", async () => {
    await succeed(world.call("deleteTemplate", { params: { id: TEMPLATES.pricing } }));
    const document_id = await aDraft(world);
    for (const template_uuid of ["none", TEMPLATES.pricing])
      for (const answer of [
        await create(world, template_uuid, [CLIENT]),
        await world.call("uploadSection", { params: { document_id }, body: { template_uuid, recipients: [CLIENT] } }),
      ])
        expect([answer.status, answer.body]).toEqual([400, { type: "validation_error", detail: "Template is not available." }]);
  });

  test("with the reading drop, client lint names the recipient that the service dropped", async () => {
    const world = await testWorld({ assume: { "create.unknown_role": "drop" } });
    const made = await succeed(create(world, TEMPLATES.oneSigner, [CLIENT, { email: "b@client.example", role: "Clint" }]));
    await world.advance("5s");
    expect((await details(world, made.body.id)).recipients).toHaveLength(1);
    expect((await world.admin("GET", "/contract")).body.findings).toMatchObject([
      {
        kind: "unknown_role",
        message: '"One signer" has no role "Clint", so the service dropped the recipient',
        fix: 'Write "Client".',
      },
    ]);
  });

  test("variables about the recipient, the sender and the document fill themselves, and a given value wins", async () => {
    const tokens = [{ name: "Client.LastName", value: "Given" }];
    const id = await aDraft(world, { template: "twoSigners", body: { tokens } });
    const { tokens: shown } = await details(world, id);
    expect(Object.fromEntries(shown.map((one: { name: string; value: string }) => [one.name, one.value]))).toEqual({
      "Client.Company": "",
      "Client.FirstName": "Ivo",
      "Client.LastName": "Given",
      "Sender.FirstName": "Nora",
      "Sender.LastName": "Lind",
      "Document.CreatedDate": "2026-03-02",
      "Deal.Name": "",
    });
  });

  test("the preassigned person of a role is a recipient without being named", async () => {
    const id = await aDraft(world, { template: "countersigned" });
    expect((await details(world, id)).recipients).toMatchObject([
      { email: CLIENT.email, role: "Client" },
      { email: "ines.carvalho@northpeak.example", role: "Northpeak" },
    ]);
    expect((await send(world, id)).status).toBe(200);
  });
});
