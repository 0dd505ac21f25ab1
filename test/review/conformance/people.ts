/** People: one person in two roles, recipient groups, unknown names, schedules and turns. */
import { describe, expect, test } from "vitest";
import { aPdf } from "../../support/pdf-texts.ts";
import { aDraft, CLIENT, DIRECTOR, simulate, statusOf, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const BOTH = [CLIENT, { ...CLIENT, email: CLIENT.email.toUpperCase(), role: DIRECTOR.role }];

async function detailsOf(world: TestWorld, id: string) {
  return (await succeed(world.call("detailsDocument", { params: { id } }))).body;
}

/** A draft of the template for two signers, with these recipients. */
const aDraftFor = (world: TestWorld, recipients: object[]) => aDraft(world, { template: "twoSigners", body: { recipients } });

describe("E6", () => {
  test("E6 one e-mail in two roles is one recipient who signs for both", async () => {
    const world = await testWorld();
    const id = await aDraftFor(world, BOTH);
    const details = await detailsOf(world, id);
    expect(details.recipients).toHaveLength(1);
    expect(details.recipients[0]).toMatchObject({ email: CLIENT.email, role: "Client", roles: ["Client", "Director"] });
    const owners = details.fields.map((field: { assigned_to: { email: string } }) => field.assigned_to.email);
    expect(new Set(owners)).toEqual(new Set([CLIENT.email]));
    await succeed(world.call("sendDocument", { params: { id }, body: {} }));
    await simulate(world, id, "sign", { recipient: "Director" });
    expect(await statusOf(world, id)).toBe("document.completed");
  });

  test("E6 the earliest turn of a joined person counts, and the next signer follows", async () => {
    const world = await testWorld();
    const other = { email: "una@client.example", role: "Director", signing_order: 2 };
    const first = { ...CLIENT, role: null, signing_order: 3 };
    const id = await aDraftFor(world, [first, other, { ...CLIENT, signing_order: 1 }]);
    const { recipients } = await detailsOf(world, id);
    expect(recipients.map((one: { email: string; signing_order: number }) => [one.email, one.signing_order])).toEqual([
      [CLIENT.email, 1],
      ["una@client.example", 2],
    ]);
    await succeed(world.call("sendDocument", { params: { id }, body: {} }));
    await simulate(world, id, "sign");
    await simulate(world, id, "sign");
    expect(await statusOf(world, id)).toBe("document.completed");
  });

  test.each([
    ["the same role twice", [CLIENT, { ...CLIENT, first_name: undefined }], ["Client"]],
    ["CC and signer", [{ ...CLIENT, role: undefined }, CLIENT], ["Client"]],
    ["signer and CC", [CLIENT, { email: CLIENT.email }], ["Client"]],
  ])("E6 %s is one signer", async (_, recipients, roles) => {
    const world = await testWorld();
    const { recipients: kept } = await detailsOf(world, await aDraftFor(world, recipients));
    expect(kept).toMatchObject([{ email: CLIENT.email, first_name: "Ivo", recipient_type: "signer", roles }]);
  });

  test("E6 a joined person keeps the checks, channels and redirect of either entry", async () => {
    const world = await testWorld();
    const id = await aDraftFor(world, [
      CLIENT,
      {
        ...CLIENT,
        role: DIRECTOR.role,
        phone: "+15550000001",
        delivery_methods: { email: false, sms: true },
        redirect: { is_enabled: true, url: "https://client.example/done" },
        verification_settings: { verification_place: "before_open", passcode_verification: { passcode: "secret1" } },
      },
    ]);
    const { recipients } = await detailsOf(world, id);
    expect(recipients).toMatchObject([
      {
        phone: "+15550000001",
        delivery_methods: { email: true, sms: true },
        redirect: { is_enabled: true, url: "https://client.example/done" },
        verification_settings: { passcode_verification: { passcode: "secret1" } },
      },
    ]);
  });

  test("E6 two people with one phone number stay two; one number without an e-mail is one person", async () => {
    const world = await testWorld();
    const phone = "+15550000002";
    const texted = { phone, delivery_methods: { sms: true } };
    const two = await aDraftFor(world, [
      { ...CLIENT, phone },
      { ...DIRECTOR, phone },
    ]);
    expect((await detailsOf(world, two)).recipients).toHaveLength(2);
    const other = await testWorld();
    const one = await aDraftFor(other, [
      { ...texted, role: "Client" },
      { ...texted, role: "Director" },
    ]);
    expect((await detailsOf(other, one)).recipients).toMatchObject([{ phone, roles: ["Client", "Director"] }]);
  });

  test("E6 a person whom the template assigns to another role is joined", async () => {
    const world = await testWorld({
      fixtures: {
        templates: [
          {
            id: "TemplateAssignedxxxxxx",
            name: "Assigned",
            roles: [
              { name: "Seller", signing_order: 2, email: CLIENT.email },
              { name: "Buyer", signing_order: 1 },
            ],
            fields: [
              { name: "SellerSignature", type: "signature", role: "Seller" },
              { name: "BuyerSignature", type: "signature", role: "Buyer" },
            ],
          },
        ],
      },
    });
    const recipients = [{ email: CLIENT.email.toUpperCase(), role: "Buyer" }];
    const id = await aDraft(world, { body: { template_uuid: "TemplateAssignedxxxxxx", recipients } });
    const { recipients: joined } = await detailsOf(world, id);
    expect(joined).toMatchObject([{ roles: ["Buyer", "Seller"], signing_order: 1, recipient_type: "signer" }]);
  });

  test("E6 an uploaded file and a Markdown text join roles too", async () => {
    const world = await testWorld();
    const tagged = "{signature:Client:one____} and {signature:Director:two____}";
    const fields = { one: {}, two: {} };
    const upload = await succeed(
      world.call("createDocumentFromUpload", {
        parts: { file: await aPdf([tagged]), data: { name: "Tagged", recipients: BOTH, fields } },
      }),
    );
    const file = new File([tagged], "a.md", { type: "text/markdown" });
    const markdown = await succeed(
      world.call("createDocumentFromMarkdownUpload", { parts: { file, data: { name: "Text", recipients: BOTH } } }),
    );
    await world.advance("10s");
    for (const { body } of [upload, markdown]) {
      const details = await detailsOf(world, body.id);
      expect(details.recipients).toMatchObject([{ roles: ["Client", "Director"], recipient_type: "signer" }]);
      expect(details.fields).toMatchObject([{ assigned_to: { email: CLIENT.email } }, { assigned_to: { email: CLIENT.email } }]);
    }
  });

  test("E6 an update adds nobody who is there already", async () => {
    const world = await testWorld();
    const id = await aDraftFor(world, [CLIENT, DIRECTOR]);
    const recipients = [{ email: CLIENT.email.toUpperCase() }, { email: "new@client.example" }];
    await succeed(world.call("updateDocument", { params: { id }, body: { recipients } }));
    const { recipients: kept } = await detailsOf(world, id);
    expect(kept.map((one: { email: string; recipient_type: string }) => [one.email, one.recipient_type])).toEqual([
      [CLIENT.email, "signer"],
      [DIRECTOR.email, "signer"],
      ["new@client.example", "CC"],
    ]);
  });

  test("E6 a section's person takes on the section's role", async () => {
    const world = await testWorld();
    const id = await aDraftFor(world, [CLIENT, DIRECTOR]);
    const body = {
      template_uuid: TEMPLATES.everyField,
      name: "Annex",
      recipients: [{ email: CLIENT.email.toUpperCase(), role: "Signer", signing_order: null }],
    };
    await succeed(world.call("uploadSection", { params: { document_id: id }, body }));
    await world.advance("5s");
    const { recipients } = await detailsOf(world, id);
    expect(recipients.map((one: { roles: string[] }) => one.roles)).toEqual([["Client", "Signer"], ["Director"]]);
  });

  test("E6 a reassigned part joins the person who takes it, at the earlier turn", async () => {
    const world = await testWorld();
    const id = await aDraftFor(world, [CLIENT, DIRECTOR]);
    const { recipients } = await detailsOf(world, id);
    const [client, director] = recipients;
    const answer = await world.call("reassignDocumentRecipient", {
      params: { id, recipient_id: client.id },
      body: { id: director.contact_id, kind: "contact" },
    });
    expect(answer).toMatchObject({ status: 200, body: { recipient_id: director.id } });
    const after = await detailsOf(world, id);
    expect(after.recipients).toMatchObject([
      { id: director.id, roles: ["Director", "Client"], signing_order: client.signing_order },
    ]);
  });
});

describe("E7", () => {
  test.each(["client", "Nobody"])("E7 the role %s, which the template lacks, is refused", async (role) => {
    const world = await testWorld();
    const body = { template_uuid: TEMPLATES.oneSigner, name: "Offer", recipients: [{ ...CLIENT, role }] };
    const answer = await world.call("createDocument", { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { type: "validation_error", detail: { non_field_errors: [`Role '${role}' does not exist`] } },
    });
    expect(world.tenant.store.documents.size).toBe(0);
  });

  test("E7 a recipient without a role stays CC", async () => {
    const world = await testWorld();
    const recipients = [CLIENT, { email: "copy@client.example" }, { email: "blank@client.example", role: "" }];
    const { recipients: kept } = await detailsOf(world, await aDraft(world, { body: { recipients } }));
    expect(kept.map((one: { recipient_type: string }) => one.recipient_type)).toEqual(["signer", "CC", "CC"]);
  });

  test("E7 a section of a template refuses an unknown role", async () => {
    const world = await testWorld();
    const document_id = await aDraft(world);
    const body = { template_uuid: TEMPLATES.pricing, name: "Annex", recipients: [{ ...CLIENT, role: "Witness" }] };
    expect(await world.call("uploadSection", { params: { document_id }, body })).toMatchObject({
      status: 400,
      body: { detail: { non_field_errors: ["Role 'Witness' does not exist"] } },
    });
  });

  test("E7 a fixture with an unknown role says which roles there are", async () => {
    const documents = [{ name: "Offer", template: TEMPLATES.oneSigner, recipients: [{ ...CLIENT, role: "client" }] }];
    await expect(testWorld({ scenario: { version: 1, name: "offer", world: { documents } } })).rejects.toThrow(
      "the template has the roles Client",
    );
  });

  test("E7 a file takes any role, as its tags name them", async () => {
    const world = await testWorld();
    const data = { name: "File", recipients: [{ ...CLIENT, role: "Anything" }], fields: {} };
    expect(await world.call("createDocumentFromUpload", { parts: { file: await aPdf(["Page"]), data } })).toMatchObject({
      status: 201,
    });
  });
});
