/** Tests the findings of client lint about recipients, metadata, fields and settings that docdouble accepts without a source. */
import { describe, expect, test } from "vitest";
import { aCompletedDocument, aDraft, CLIENT, DIRECTOR, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const BODY = { template_uuid: TEMPLATES.oneSigner, name: "Deal", recipients: [CLIENT] };
const GROUP = { type: "recipient_group", name: "Board", members: [{ email: CLIENT.email.toUpperCase() }] };
const LAYOUT = {
  page: 1,
  position: { offset_x: 0, offset_y: 0, anchor_point: "topleft" },
  style: { width: 10, height: 10 },
};

const found = (world: TestWorld) => world.sandbox.lint().map(({ kind, message, place }) => [kind, message, place.pointer]);

async function recipientsOf(world: TestWorld, id: string) {
  return (await succeed(world.call("detailsDocument", { params: { id } }))).body.recipients;
}

describe("client lint about recipients", () => {
  test("an update of a person by id has no finding", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    const [client] = await recipientsOf(world, id);
    const recipients = [{ id: client.id, first_name: "Ivo" }];
    await succeed(world.call("updateDocument", { params: { id }, body: { recipients } }));
    expect(found(world)).toEqual([]);
  });

  test.each(["updateDocument", "editDocumentRecipient"] as const)(
    "%s names what a person and a group lack",
    async (operation) => {
      const world = await testWorld();
      const made = await succeed(
        world.call("createDocument", {
          body: { ...BODY, recipients: [CLIENT, { ...GROUP, members: [{ email: DIRECTOR.email }] }] },
        }),
      );
      await world.advance("10s");
      const [person, group] = await recipientsOf(world, made.body.id);
      const isUpdate = operation === "updateDocument";
      const change = (one: { id: string }, input: object) =>
        isUpdate
          ? world.call(operation, { params: { id: made.body.id }, body: { recipients: [{ id: one.id, ...input }] } })
          : world.call(operation, { params: { id: made.body.id, recipient_id: one.id }, body: input });
      await succeed(change(person, { name: "Team", members: [{ email: "new@client.example" }] }));
      await succeed(change(group, { name: "Board", email: "new@client.example" }));
      const at = (name: string) => (isUpdate ? `/recipients/0/${name}` : `/${name}`);
      expect(found(world)).toEqual([
        ["doubtful_value", "The recipient is not a group, and only a group has name", at("name")],
        ["doubtful_value", "The recipient is not a group, and only a group has members", at("members")],
        ["doubtful_value", "The recipient is a group, and a group has no email", at("email")],
      ]);
    },
  );

  test("createDocument names an address that a group and a recipient share", async () => {
    const world = await testWorld();
    await succeed(world.call("createDocument", { body: { ...BODY, recipients: [CLIENT, GROUP] } }));
    const message = `${CLIENT.email} is in a group and has another part in the document too`;
    expect(found(world)).toEqual([["doubtful_value", message, "/recipients"]]);
  });

  test("sendDocument names a recipient with a number only, and a silent send does not", async () => {
    const world = await testWorld();
    const recipients = [{ phone: "+14155550123", role: "Client" }];
    const quiet = await aDraft(world, { body: { recipients } });
    await succeed(world.call("sendDocument", { params: { id: quiet }, body: { silent: true } }));
    expect(found(world)).toEqual([]);
    const loud = await aDraft(world, { body: { recipients, name: "Loud" } });
    await succeed(world.call("sendDocument", { params: { id: loud }, body: {} }));
    const message = "The recipient with the number +14155550123 gets emails only and has no email address, so no message arrives";
    expect(found(world)).toEqual([["doubtful_value", message, undefined]]);
  });

  test("a redirect without an address is named in each operation that takes one", async () => {
    const world = await testWorld();
    const redirect = { is_enabled: true };
    const made = await succeed(world.call("createDocument", { body: { ...BODY, recipients: [{ ...CLIENT, redirect }] } }));
    await world.advance("10s");
    const params = { id: made.body.id };
    const [{ id }] = await recipientsOf(world, params.id);
    await succeed(world.call("updateDocument", { params, body: { recipients: [{ id, redirect }] } }));
    await succeed(world.call("editDocumentRecipient", { params: { ...params, recipient_id: id }, body: { redirect } }));
    const message = "The redirect has no address, so nobody is redirected";
    expect(found(world)).toEqual([["doubtful_value", message, "/recipients/0/redirect/url"]]);
    expect(world.sandbox.lint().map(({ times }) => times)).toEqual([3]);
  });
});

describe("client lint about what stands twice", () => {
  test("each list that names one thing twice is named once, at the second place", async () => {
    const world = await testWorld();
    const id = await aDraft(world, { template: "twoSigners" });
    const params = { id };
    const [client] = await recipientsOf(world, id);
    const twice = <T>(one: T) => [one, one];
    await succeed(world.call("updateDocument", { params, body: { tags: twice("a"), tokens: twice({ name: "T", value: "1" }) } }));
    await succeed(world.call("updateDocument", { params, body: { recipients: twice({ id: client.id, first_name: "Ivo" }) } }));
    await succeed(
      world.call("createNotarizationRequest", {
        body: { document_id: id, invitation: { invitees: [{ email: "A@client.example" }, { email: "a@client.example" }] } },
      }),
    );
    await succeed(world.call("createDocument", { body: { ...BODY, recipients: [CLIENT, { ...DIRECTOR, role: CLIENT.role }] } }));
    await succeed(world.call("bulkDeleteDocuments", { body: twice({ id }) }));
    expect(found(world)).toEqual([
      ["doubtful_value", 'updateDocument got "a" twice in "tags[1]"', "/tags/1"],
      ["doubtful_value", 'updateDocument got the name "T" twice in "tokens[1]"', "/tokens/1"],
      ["doubtful_value", `updateDocument got the id "${client.id}" twice in "recipients[1]"`, "/recipients/1"],
      [
        "doubtful_value",
        'createNotarizationRequest got the email "a@client.example" twice in "invitation.invitees[1]"',
        "/invitation/invitees/1",
      ],
      ["doubtful_value", 'createDocument got the role "Client" twice in "recipients[1]"', "/recipients/1"],
      ["doubtful_value", `bulkDeleteDocuments got the id "${id}" twice in "[1]"`, "/1"],
    ]);
  });

  test("several recipients with the role CC and several rows with one name give no finding", async () => {
    const world = await testWorld();
    const cc = ["a", "b"].map((name) => ({ email: `${name}@client.example`, role: "CC" }));
    await world.call("createDocument", { body: { ...BODY, template_uuid: TEMPLATES.pricing, recipients: [CLIENT, ...cc] } });
    const row = { options: {}, data: { name: "Hour", price: 1, qty: 1 } };
    const pricing_tables = [{ name: "Pricing Table 1", sections: [{ title: "Work", default: true, rows: [row, row] }] }];
    await succeed(world.call("createDocument", { body: { ...BODY, template_uuid: TEMPLATES.pricing, pricing_tables } }));
    expect(found(world)).toEqual([]);
  });
});

describe("client lint about plans", () => {
  test("a guest with another role than Collaborator is named when the user or the member is made", async () => {
    const world = await testWorld();
    const { results } = (await succeed(world.call("getWorkspacesList"))).body;
    const make = (name: string, role: string, workspace_id: string) =>
      succeed(
        world.call("createUser", {
          body: { user: { email: `${name}@northpeak.example` }, workspaces: [{ workspace_id, role }], license: "Guest" },
        }),
      );
    await make("one", "Collaborator", results[0].id);
    expect(found(world)).toEqual([]);
    const { user_id } = (await make("two", "Member", results[0].id)).body;
    const { id } = (await succeed(world.call("createWorkspace", { body: { name: "Lab" } }))).body;
    await succeed(world.call("addMember", { params: { workspace_id: id }, body: { user_id, role: "Admin" } }));
    expect(found(world)).toEqual([
      ["doubtful_value", "A user with the license Guest gets the role Member", "/workspaces/0/role"],
      ["doubtful_value", "A user with the license Guest gets the role Admin", "/role"],
    ]);
  });

  test("a second notarization request for a document and a session in the past are named", async () => {
    const world = await testWorld();
    const document_id = await aDraft(world);
    const notary = (await succeed(world.call("listNotaries", { query: { status: "ACTIVE" } }))).body.results[0];
    const ask = (more: object) =>
      succeed(
        world.call("createNotarizationRequest", {
          body: { document_id, invitation: { invitees: [{ email: CLIENT.email }] }, ...more },
        }),
      );
    const first = await ask({});
    expect(found(world)).toEqual([]);
    await ask({ notary: { id: notary.id, scheduled_at: "2020-01-01T00:00:00Z" } });
    expect(found(world)).toEqual([
      ["doubtful_value", "The document has another notarization request", "/document_id"],
      ["doubtful_value", "The planned time of the session is in the past", "/notary/scheduled_at"],
    ]);
    expect(first.body.status).toBe("SENT");
  });
});

describe("client lint about what the service may know", () => {
  test("an unknown CRM, a transfer to the same member, and options of a field that no file tag makes are named", async () => {
    const world = await testWorld();
    const id = await aDraft(world, { template: "everyField", body: { fields: { Plan: { value: "", options: ["A"] } } } });
    const link = (provider: string) =>
      succeed(world.call("createLinkedObject", { params: { id }, body: { provider, entity_type: "deal", entity_id: "1" } }));
    await link("hubspot");
    await link("my-crm");
    const { membership_id } = (await succeed(world.call("detailsCurrentMember"))).body;
    const body = { from_membership_id: membership_id, to_membership_id: membership_id };
    await succeed(world.call("transferAllDocumentsOwnership", { body }));
    expect(found(world).filter(([kind]) => kind === "doubtful_value")).toEqual([
      [
        "doubtful_value",
        '"Every kind of field" has its own options for "Plan", so docdouble ignores those of the request',
        "/fields/Plan/options",
      ],
      ["doubtful_value", 'No source names a CRM "my-crm", and the service may refuse it', "/provider"],
      ["doubtful_value", "Both members of the transfer are the same, so nothing changes hands", "/to_membership_id"],
    ]);
  });

  test("a billing cycle without effect or without a number, a missing one and a SKU of another item are named", async () => {
    const world = await testWorld();
    const make = (price: object, more: object = {}) =>
      succeed(
        world.call("createCatalogItem", {
          body: { title: "Hour", price_configuration: { currency: "USD", price: 1, pricing_method: 0, ...price }, ...more },
        }),
      );
    await make({ billing_type: "recurring", billing_cycle: "1" }, { sku: "H-1" });
    expect(found(world)).toEqual([]);
    await make({ billing_cycle: "1" }, { title: "Day", sku: "H-1" });
    await make({ billing_type: "recurring", billing_cycle: "fortnight" }, { title: "Week" });
    const { uuid } = (await make({ billing_type: "recurring" }, { title: "Month" })).body;
    const body = { product_variant: { sku: "H-1" } };
    await succeed(world.call("updateCatalogItem", { params: { item_uuid: uuid }, body }));
    const at = "/price_configuration/billing_cycle";
    const sku = 'Another item of the catalog has the SKU "H-1"';
    expect(found(world)).toEqual([
      ["doubtful_pricing", "The price is not recurring, so its billing cycle counts for nothing", at],
      ["doubtful_value", sku, "/sku"],
      ["doubtful_pricing", 'The billing cycle "fortnight" is not a number, so the search does not show it', at],
      ["doubtful_pricing", "The recurring price has no billing cycle", at],
    ]);
    expect(world.sandbox.lint().find(({ message }) => message === sku)?.times).toBe(2);
  });
});

describe("client lint about members that count for nothing", () => {
  test("members of another kind of creation, two names of one person and a second image are named", async () => {
    const world = await testWorld();
    const { membership_id, email } = (await succeed(world.call("detailsCurrentMember"))).body;
    const parts = { texts: [{ name: "T", data: "x" }], tables: [], detect_title_variables: false };
    await succeed(world.call("createDocument", { body: { url: "https://files.example/a.pdf", name: "A", ...parts } }));
    const urls = ["https://files.example/1.png", "https://files.example/2.png"];
    const body = { ...BODY, parse_form_fields: true, owner: { membership_id, email }, images: [{ name: "Logo", urls }] };
    await succeed(world.call("createDocument", { body }));
    expect(found(world).filter(([kind]) => kind === "doubtful_value")).toEqual([
      ["doubtful_value", 'createDocument got "texts", and only a creation from a template uses it', "/texts"],
      [
        "doubtful_value",
        'createDocument got "parse_form_fields", and a template has no form fields to read',
        "/parse_form_fields",
      ],
      ["doubtful_value", "createDocument got membership_id and email of one owner", "/owner"],
      ["doubtful_value", "createDocument got several addresses of an image, and a block shows one", "/images/0/urls"],
    ]);
  });

  test("a range of time that ends before it begins, a watermark without text and a contradiction are named", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    const [early, late] = ["2026-01-01T00:00:00Z", "2026-05-01T00:00:00Z"];
    await succeed(world.call("listDocuments", { query: { created_from: early, created_to: late } }));
    expect(found(world)).toEqual([]);
    await succeed(world.call("listDocuments", { query: { created_from: late, created_to: early } }));
    await succeed(world.call("listLogsV2", { query: { since: late, to: early } }));
    await succeed(world.call("downloadDocument", { params: { id }, query: { watermark_color: "#ff0000" } }));
    await succeed(world.call("searchCatalogItems", { query: { category_id: "a", no_category: "true" } }));
    await succeed(world.call("documentSettingsUpdate", { params: { document_id: id }, body: { expires_in: 3651 } }));
    expect(found(world).map(([, message]) => message)).toEqual([
      'listDocuments got a time in "created_from" after the time in "created_to", so it finds nothing',
      'listLogsV2 got a time in "since" after the time in "to", so it finds nothing',
      'downloadDocument got "watermark_color" without a watermark_text',
      'searchCatalogItems got "category_id" and "no_category", so it finds nothing',
      "documentSettingsUpdate got more than the 3650 days that the application offers",
    ]);
  });

  test("a recipient with both delivery methods off is named at a send, unless it is silent", async () => {
    const world = await testWorld();
    const recipients = [{ ...CLIENT, delivery_methods: { email: false, sms: false } }];
    const quiet = await aDraft(world, { body: { recipients } });
    await succeed(world.call("sendDocument", { params: { id: quiet }, body: { silent: true } }));
    const loud = await aDraft(world, { body: { recipients, name: "Loud" } });
    await succeed(world.call("sendDocument", { params: { id: loud }, body: {} }));
    const message = `Both delivery methods of the recipient ${CLIENT.email} are off, so no message arrives`;
    expect(found(world)).toEqual([["doubtful_value", message, undefined]]);
  });
});

describe("client lint about addresses of files", () => {
  const calls = [
    ["createDocument", { body: { name: "Deal", recipients: [CLIENT] } }],
    ["createTemplate", { body: { name: "Deal" } }],
    ["createContentLibraryItem", { body: { name: "Deal" } }],
  ] as const;

  test.each(calls)("%s names an address without https, except in a private network", async (operation, { body }) => {
    const world = await testWorld();
    for (const url of ["http://127.0.0.1:9/a.pdf", "http://files.internal/b.pdf", "https://files.example/c.pdf"])
      await succeed(world.call(operation, { body: { ...body, url } }));
    expect(found(world).filter(([kind]) => kind === "doubtful_value")).toEqual([]);
    await succeed(world.call(operation, { body: { ...body, url: "http://files.example/d.pdf" } }));
    expect(found(world).filter(([kind]) => kind === "doubtful_value")).toEqual([
      ["doubtful_value", `${operation} got an address without https in "url"`, "/url"],
    ]);
  });
});

describe("client lint about other values", () => {
  test("a field outside its page, a larger one and one of another page are named, and one at each corner is not", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    const at = (anchor_point: string, offset: number, side = 10) => ({
      type: "text",
      layout: { page: 1, position: { offset_x: offset, offset_y: offset, anchor_point }, style: { width: side, height: side } },
    });
    const corners = ["topleft", "topright", "bottomleft", "bottomright"].map((corner) => at(corner, 0));
    await succeed(world.call("createDocumentFields", { params: { id }, body: { fields: corners } }));
    expect(found(world)).toEqual([]);
    const options = [{ text: "A", position: { offset_x: 9000, offset_y: 1 } }];
    const fields = [
      at("topleft", 9000),
      at("bottomright", 9000),
      at("topleft", 0, 2000),
      { ...at("topleft", 0), type: "radio_buttons", settings: { options } },
    ];
    await succeed(world.call("createDocumentFields", { params: { id }, body: { fields } }));
    expect(found(world).map(([, , pointer]) => pointer)).toEqual(["/fields/0/layout"]);
    expect(world.sandbox.lint().map(({ times }) => times)).toEqual([4]);
  });

  test("a setting of another type of field and radio buttons without positions are named", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    const fields = [
      { type: "signature", layout: LAYOUT, settings: { required: false, masked: true } },
      { type: "text", layout: LAYOUT, settings: { placeholder: "Name", masked: true, multiline: true } },
      { type: "radio_buttons", layout: LAYOUT, settings: { options: [{ text: "A" }], show_values: false } },
    ];
    await succeed(world.call("createDocumentFields", { params: { id }, body: { fields } }));
    expect(found(world)).toEqual([
      ["doubtful_value", "The setting masked does not apply to a field of the type signature", "/fields/0/settings/masked"],
      ["doubtful_value", "An option of the radio buttons has no position", "/fields/2/settings/options"],
    ]);
  });

  test("metadata that is not text is named by its key, which may contain a dot", async () => {
    const world = await testWorld();
    const metadata = { text: "1", "a.b/c": 5, list: [1], map: { a: 1 }, none: null };
    await succeed(world.call("createDocument", { body: { ...BODY, metadata } }));
    expect(found(world)).toEqual([
      ["doubtful_value", 'metadata holds texts, and "a.b/c" is a number', "/metadata/a.b~1c"],
      ["doubtful_value", 'metadata holds texts, and "list" is a list', "/metadata/list"],
      ["doubtful_value", 'metadata holds texts, and "map" is an object', "/metadata/map"],
      ["doubtful_value", 'metadata holds texts, and "none" is null, which adds nothing', "/metadata/none"],
    ]);
  });

  test("a null that the description does not allow and a name of spaces are named", async () => {
    const world = await testWorld();
    const recipients = [{ ...CLIENT, redirect: null, verification_settings: null, role: null }];
    await succeed(world.call("createDocument", { body: { ...BODY, name: "  ", recipients } }));
    const id = await aDraft(world);
    await succeed(world.call("sendDocument", { params: { id }, body: { message: null, subject: "Deal", sender: null } }));
    expect(found(world).filter(([, message]) => / got /.test(String(message)))).toEqual([
      ["doubtful_value", 'createDocument got a text of spaces in "name"', "/name"],
      ["doubtful_value", 'createDocument got null in "recipients[0].redirect"', "/recipients/0/redirect"],
      [
        "doubtful_value",
        'createDocument got null in "recipients[0].verification_settings"',
        "/recipients/0/verification_settings",
      ],
      ["doubtful_value", 'sendDocument got null in "message"', "/message"],
      ["doubtful_value", 'sendDocument got null in "sender"', "/sender"],
    ]);
  });

  test("a choice without options or with equal ones is named", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    const position = { offset_x: 1, offset_y: 1 };
    const settings = { options: [1, 2].map(() => ({ text: "A", position })) };
    const fields = [
      { type: "dropdown", layout: LAYOUT },
      { type: "radio_buttons", layout: LAYOUT, settings },
      { type: "text", layout: LAYOUT },
    ];
    await succeed(world.call("createDocumentFields", { params: { id }, body: { fields } }));
    expect(found(world)).toEqual([
      ["doubtful_value", "The field has no options, so nobody can choose one", "/fields/0/settings/options"],
      ["doubtful_value", "Two options of the field have the same text", "/fields/1/settings/options"],
    ]);
  });

  test("settings of a document that has ended are named, and those of a draft are not", async () => {
    const world = await testWorld();
    const settings = (document_id: string) =>
      succeed(world.call("documentSettingsUpdate", { params: { document_id }, body: { language: "fr-FR" } }));
    await settings(await aDraft(world, { body: { name: "Draft" } }));
    await settings(await aCompletedDocument(world));
    expect(found(world)).toEqual([
      ["doubtful_value", "The document is in document.completed, so its settings change nothing", undefined],
    ]);
  });

  test("a variable that the service fills itself is named when a template sets it", async () => {
    const world = await testWorld();
    const tokens = [
      { name: "Deal.Owner", value: "Nora" },
      { name: "Sender.FirstName", value: "Nora" },
    ];
    await succeed(world.call("updateTemplate", { params: { id: TEMPLATES.oneSigner }, body: { tokens } }));
    expect(found(world)).toEqual([
      ["unknown_token", 'The service itself fills "Sender.FirstName", so it ignored the value', "/tokens/1"],
    ]);
  });

  test("the pointer of a member in a list that is the whole body begins with its place", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    await succeed(world.call("bulkDeleteDocuments", { body: [{ id, reason: "old" }] }));
    expect(found(world)).toEqual([
      ["unknown_field", 'bulkDeleteDocuments has no body member "[0].reason", so the service ignores it', "/0/reason"],
    ]);
  });
});
