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

describe("client lint about other values", () => {
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
    const settings = { options: [{ text: "A" }, { text: "A" }] };
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
