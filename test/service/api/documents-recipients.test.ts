import { describe, expect, test } from "vitest";
import { faultsByName } from "../../support/faults.ts";
import { anotherWorkspace } from "../../support/people.ts";
import { CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { type Answer, type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const create = (world: TestWorld, recipients: unknown): Promise<Answer> =>
  world.call("createDocument", { body: { template_uuid: TEMPLATES.oneSigner, recipients } });

async function aContact(world: TestWorld, body: object): Promise<string> {
  return (await succeed(world.call("createContact", { body }))).body.id;
}

async function recipientsOf(world: TestWorld, recipients: unknown) {
  const created = await succeed(create(world, recipients));
  await world.advance("5s");
  return (await succeed(world.call("detailsDocument", { params: { id: created.body.id } }))).body.recipients;
}

describe("recipients by contact id", () => {
  test("createDocument accepts a contact id instead of an email address", async () => {
    const byMail = await aContact(world, { email: "ada@client.example", first_name: "Ada", last_name: "Berg" });
    const byPhone = await aContact(world, { phone: "+15550000002", first_name: "Bo" });
    expect(await recipientsOf(world, [{ id: byMail, role: "Client", signing_order: 2 }, { id: byPhone }])).toMatchObject([
      {
        email: "ada@client.example",
        phone: "",
        first_name: "Ada",
        last_name: "Berg",
        contact_id: byMail,
        role: "Client",
        recipient_type: "signer",
        signing_order: 2,
      },
      { phone: "+15550000002", first_name: "Bo", contact_id: byPhone, role: "", recipient_type: "CC" },
    ]);
    expect(
      (await world.call("listContacts")).body.results.filter((one: { id: string }) => [byMail, byPhone].includes(one.id)),
    ).toHaveLength(2);
  });

  test("createDocument with a contact id updates the names of the contact", async () => {
    const id = await aContact(world, { email: "ada@client.example", first_name: "Ada", last_name: "Berg" });
    await succeed(create(world, [{ id, last_name: "Berger" }]));
    const contact = (await world.call("detailsContact", { params: { id } })).body;
    expect(contact).toMatchObject({ first_name: "Ada", last_name: "Berger", email: "ada@client.example" });
  });

  test("createDocument ignores the contact id when the recipient also has an email address", async () => {
    const id = await aContact(world, { email: "ada@client.example" });
    for (const given of [id, "nobody", null]) {
      const [recipient] = await recipientsOf(world, [{ ...CLIENT, id: given }]);
      expect(recipient).toMatchObject({ email: CLIENT.email, contact_id: expect.not.stringMatching(id) });
    }
  });

  test("createDocument accepts contact ids as members of a group", async () => {
    const id = await aContact(world, { email: "ada@client.example", first_name: "Ada" });
    const [group] = await recipientsOf(world, [
      { type: "recipient_group", name: "Buyers", role: "Client", members: [{ id }, { email: "bo@client.example" }] },
    ]);
    expect(group).toMatchObject({
      type: "recipient_group",
      members: [{ email: "ada@client.example", first_name: "Ada" }, { email: "bo@client.example" }],
    });
  });

  test("createDocument refuses contacts that are unknown, in another workspace or without email and phone", async () => {
    const branch = await anotherWorkspace(world);
    const foreign = (await succeed(world.call("createContact", { body: { email: "far@client.example" }, key: branch.key }))).body
      .id;
    const empty = await aContact(world, { first_name: "Nobody" });
    const cases: [unknown, object][] = [
      [[CLIENT, { id: "nobody" }], { "recipients[1].id": ["Contact not found."] }],
      [[{ id: foreign }], { "recipients[0].id": ["Contact not found."] }],
      [[{ id: empty }], { "recipients[0].email": ["Email or phone is required."] }],
      [[{ id: "" }], { "recipients[0].email": ["Email or phone is required."] }],
      [[{ id: 7 }], { "recipients[0].id": ["Not a valid string."] }],
      [
        [{ type: "recipient_group", name: "Buyers", members: [{ id: "nobody" }] }],
        { "recipients[0].members[0].id": ["Contact not found."] },
      ],
    ];
    const before = (await world.call("listDocuments")).body.results.length;
    for (const [recipients, detail] of cases) {
      const answer = await create(world, recipients);
      expect([recipients, answer.status, answer.body.type]).toEqual([recipients, 400, "validation_error"]);
      expect(faultsByName(answer.body.detail)).toEqual(detail);
    }
    expect((await world.call("listDocuments")).body.results).toHaveLength(before);
  });
});
