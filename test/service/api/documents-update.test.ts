import { describe, expect, test } from "vitest";
import { aDraft, CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const details = async (world: TestWorld, id: string) => (await succeed(world.call("detailsDocument", { params: { id } }))).body;

describe("updateDocument", () => {
  test("updateDocument sets the values of variables, and creates new variables", async () => {
    const id = await aDraft(world);
    const tokens = [
      { name: "Client.Company", value: "ACME" },
      { name: "Delivery.Date", value: "soon" },
      { name: "Delivery.Date", value: "tomorrow" },
    ];
    await succeed(world.call("updateDocument", { params: { id }, body: { tokens } }));
    expect((await details(world, id)).tokens).toEqual([
      { name: "Client.Company", value: "ACME" },
      { name: "Delivery.Date", value: "tomorrow" },
    ]);
  });

  test("updateDocument keeps the remaining members of a group and their links", async () => {
    const members = [{ email: "ada@client.example" }, { phone: "+15550000002" }, { email: "bo@client.example" }];
    const id = await aDraft(world, {
      body: { recipients: [{ type: "recipient_group", name: "Buyers", role: "Client", members }] },
    });
    const [before] = (await details(world, id)).recipients;
    const change = async (body: object) => {
      await succeed(world.call("updateDocument", { params: { id }, body: { recipients: [{ id: before.id, ...body }] } }));
      return (await details(world, id)).recipients[0];
    };
    expect(await change({ signing_order: 1 })).toEqual({ ...before, signing_order: 1 });
    const after = await change({
      name: "Board",
      members: [{ email: "ADA@client.example", first_name: "Ada" }, { phone: "+15550000002" }, { email: "cy@client.example" }],
    });
    expect(after).toMatchObject({ id: before.id, name: "Board", role: "Client", recipient_type: "signer" });
    expect(after.members).toMatchObject([
      { id: before.members[0].id, shared_link: before.members[0].shared_link, first_name: "Ada" },
      { id: before.members[1].id, shared_link: before.members[1].shared_link },
      { email: "cy@client.example", id: expect.not.stringMatching(before.members[2].id) },
    ]);
  });
});

describe("createDocument", () => {
  test("createDocument recognizes a table's discount, tax and fee by key, or by a word in the displayed name", async () => {
    const totals = async (options: object) => {
      const pricing_tables = [
        {
          name: "Pricing Table 1",
          options,
          sections: [{ title: "A", rows: [{ options: {}, data: { name: "Toy", price: 100, qty: 2 } }] }],
        },
      ];
      const id = await aDraft(world, { template: "pricing", body: { pricing_tables } });
      return (await details(world, id)).pricing.tables[0].summary;
    };
    const percent = (value: number, name: string) => ({ type: "percent", value, name });
    const byKey = await totals({ Discount: percent(10, "Spring"), Tax: percent(20, "VAT"), Fee: percent(5, "Freight") });
    // The template has a discount of 10 percent. Each of these has another name, so both count.
    expect(byKey).toEqual({ subtotal: "200", discount: "40", tax: "32", fee: "8", total: "200" });
    const byName = { one: percent(10, "Global Discount"), two: percent(20, "Tax First"), three: percent(5, "A fee") };
    expect(await totals(byName)).toEqual(byKey);
    expect(await totals({ Tax: percent(20, "Fee of the state"), ...byName })).toEqual(byKey);
  });

  test("createDocument refuses an incomplete file URL and an empty owner", async () => {
    const create = async (body: object) => (await world.call("createDocument", { body })).body;
    for (const url of ["https://", "http:///", "https://a b.example/c.pdf", "ftp://a.example/b.pdf"]) {
      const detail = { url: ["Enter a valid URL."] };
      expect([url, await create({ url, name: "File" })]).toEqual([url, { type: "validation_error", detail }]);
    }
    expect(await create({ template_uuid: TEMPLATES.oneSigner, recipients: [], owner: {} })).toEqual({
      type: "validation_error",
      detail: { owner: ["Either membership_id or email is required."] },
    });
  });
});

describe("listDocuments", () => {
  test("listDocuments with contact_id also finds documents that the contact approves", async () => {
    const id = await aDraft(world, { template: "approval", body: { recipients: [] } });
    await aDraft(world);
    const contact = (await succeed(world.call("createContact", { body: { email: "SAM.ode@northpeak.example" } }))).body.id;
    const found = async () => {
      const { body } = await succeed(world.call("listDocuments", { query: { contact_id: contact } }));
      return body.results.map((one: { id: string }) => one.id);
    };
    expect(await found()).toEqual([id]);
    const asRecipient = await aDraft(world, { body: { recipients: [{ email: "sam.ode@northpeak.example" }] } });
    expect((await found()).sort()).toEqual([id, asRecipient].sort());
  });
});

describe("missing, empty and wrong members of a request", () => {
  test("updateDocument with an empty body changes nothing, and a null phone leaves the contact's phone", async () => {
    const id = await aDraft(world, { body: { recipients: [{ ...CLIENT, phone: "+15550001111" }] } });
    const details = async () => (await succeed(world.call("detailsDocument", { params: { id } }))).body;
    const before = await details();
    await world.advance("1m");
    await succeed(world.call("updateDocument", { params: { id }, body: {} }));
    expect(await details()).toEqual(before);
    const recipients = [{ id: before.recipients[0].id, phone: null }];
    await succeed(world.call("updateDocument", { params: { id }, body: { recipients } }));
    expect((await details()).recipients[0]).toEqual({ ...before.recipients[0], phone: "" });
    const contact = await world.call("listContacts", { query: { email: CLIENT.email } });
    expect(contact.body.results).toMatchObject([{ phone: "+15550001111" }]);
  });

  test("createDocument refuses a blank name from a template or a URL, and a table without header or rows", async () => {
    const refused = async (body: object) => {
      const answer = await world.call("createDocument", {
        body: { template_uuid: TEMPLATES.oneSigner, recipients: [], ...body },
      });
      expect(answer).toMatchObject({ status: 400, body: { type: "validation_error" } });
      return answer.body.detail;
    };
    const blank = { name: ["This field may not be blank."] };
    expect(await refused({ name: "" })).toEqual(blank);
    expect(await refused({ name: "", template_uuid: undefined, url: "https://files.example/a.pdf" })).toEqual(blank);
    expect(await refused({ tables: [{ name: "T", data: { sections: [{}] } }] })).toEqual({
      tables: [{ data: { sections: [{ header: ["This field is required."], rows: ["This field is required."] }] } }],
    });
  });

  test("createDocument treats an empty name as missing, and shows the contact's name", async () => {
    await succeed(world.call("createContact", { body: { email: CLIENT.email, first_name: "Ivo", last_name: "Marek" } }));
    const recipients = [{ email: CLIENT.email, first_name: "", last_name: "", role: CLIENT.role }];
    const id = await aDraft(world, { body: { recipients } });
    const details = (await world.call("detailsDocument", { params: { id } })).body;
    expect(details.recipients[0]).toMatchObject({ first_name: "Ivo", last_name: "Marek" });
  });
});
