/** Tests the findings of client lint about values that the service may refuse or ignore. */
import { describe, expect, test } from "vitest";
import { aPdf } from "../../support/content.ts";
import { aSentDocument, CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const BODY = { template_uuid: TEMPLATES.oneSigner, name: "Deal", recipients: [CLIENT] };

const lint = (world: TestWorld) => world.sandbox.lint();
const pairs = (world: TestWorld) => lint(world).map(({ kind, place, fix }) => [kind, place.pointer, fix]);

describe("values that no source allows", () => {
  test("createDocument reports an empty name, a strange phone and a strange address of a recipient, each with its pointer", async () => {
    const world = await testWorld();
    const recipient = { ...CLIENT, first_name: "", phone: "none", redirect: { is_enabled: true, url: "thanks" } };
    await succeed(world.call("createDocument", { body: { ...BODY, recipients: [recipient] } }));
    expect(pairs(world)).toEqual([
      ["doubtful_value", "/recipients/0/first_name", "Leave it out, or send a value."],
      ["doubtful_value", "/recipients/0/phone", "Send the number in international form, such as +14155550100."],
      ["doubtful_value", "/recipients/0/redirect/url", "Send an address that starts with https://."],
    ]);
  });

  test("createDocument reports a contact that does not count, members of a recipient without a group, and a role of nobody", async () => {
    const world = await testWorld();
    const recipient = { ...CLIENT, id: "no-such-contact", members: [{ email: "ivo.marek@client.example" }] };
    const fields = { Company: { value: "A", role: "Clerk" } };
    await succeed(world.call("createDocument", { body: { ...BODY, fields, recipients: [recipient] } }));
    const [members, contact, role, ...rest] = pairs(world);
    expect(contact).toEqual(["doubtful_value", "/recipients/0/id", "Leave the id out."]);
    expect(members).toEqual(["doubtful_value", "/recipients/0/members", "Leave it out, or send the type recipient_group."]);
    expect(role).toEqual(["unknown_role", "/fields/Company/role", "Use the role of a recipient of this call."]);
    expect(rest.filter(([kind]) => kind !== "unknown_document_field")).toEqual([]);
  });

  test("a plain call with a contact's own id, a phone and an address has no finding", async () => {
    const world = await testWorld();
    const email = "deputy@client.example";
    const { id } = (await succeed(world.call("createContact", { body: { email } }))).body;
    const redirect = { is_enabled: true, url: "https://client.example/thanks" };
    const recipient = { ...CLIENT, id, email, phone: "+1 415 555-0100", redirect };
    await succeed(world.call("createDocument", { body: { ...BODY, recipients: [recipient] } }));
    await succeed(world.call("listDocuments", { query: { q: "Deal", page: 9 } }));
    expect(lint(world)).toEqual([]);
  });

  test("listDocuments reports an empty filter, and createDocument an unknown word of use_form_field_properties", async () => {
    const world = await testWorld();
    await succeed(world.call("listDocuments", { query: { folder_uuid: "" } }));
    await succeed(world.call("createDocument", { query: { use_form_field_properties: "maybe" }, body: BODY }));
    expect(pairs(world)).toEqual([
      ["doubtful_value", undefined, 'Leave "folder_uuid" out.'],
      ["doubtful_value", undefined, "Send a word that the description names."],
    ]);
  });

  test("createManualReminder reports a reminder without a way of delivery, and an empty list of reminders", async () => {
    const world = await testWorld();
    const document_id = await aSentDocument(world, { silent: false });
    const { recipients } = (await succeed(world.call("detailsDocument", { params: { id: document_id } }))).body;
    const reminders = [{ recipient_id: recipients[0].id, delivery_methods: {} }];
    await succeed(world.call("createManualReminder", { params: { document_id }, body: { reminders } }));
    await succeed(world.call("createManualReminder", { params: { document_id }, body: { reminders: [] } }));
    expect(pairs(world)).toEqual([
      ["doubtful_value", "/reminders/0/delivery_methods", "Set email or sms to true."],
      ["doubtful_value", "/reminders", "Send at least one entry: without one, the call does nothing."],
    ]);
  });

  test("createDocumentFromUpload reports a misspelled member of the part data", async () => {
    const world = await testWorld();
    const parts = { file: await aPdf(), data: { name: "Terms", recipient: [CLIENT] } };
    await succeed(world.call("createDocumentFromUpload", { parts }));
    expect(pairs(world)).toEqual([["unknown_field", "/recipient", "Correct the spelling, or remove it."]]);
  });
});
