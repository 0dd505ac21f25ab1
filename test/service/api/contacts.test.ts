import { describe, expect, test } from "vitest";
import { anotherWorkspace } from "../../support/people.ts";
import { aDraft, CLIENT, succeed } from "../../support/stories.ts";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

const WHOLE = {
  email: "Ada.Berg@Buyer.example",
  first_name: "Ada",
  last_name: "Berg",
  company: "Buyer",
  job_title: "Head of buying",
  phone: "+15550000001",
  country: "US",
  state: "Texas",
  street_address: "1 Elm Street",
  city: "Austin",
  postal_code: "75001",
};

describe("createContact", () => {
  test("createContact keeps each member, and detailsContact shows them", async () => {
    const created = await world.call("createContact", { body: { ...WHOLE, industry: "ignored" } });
    expect(created).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^\w{22}$/), ...WHOLE } });
    const details = await world.call("detailsContact", { params: { id: created.body.id } });
    expect(details.status).toBe(200);
    expect(details.body).toEqual(created.body);
  });

  test("createContact updates the contact with the same email address, in upper or lower case", async () => {
    const { body: made } = await succeed(world.call("createContact", { body: WHOLE }));
    const email = WHOLE.email.toLowerCase();
    const again = await world.call("createContact", { body: { email, company: "Elsewhere" } });
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: { ...made, email, company: "Elsewhere" } });
    expect((await world.call("listContacts", { query: { email } })).body.results).toEqual([again.body]);
    const branch = await anotherWorkspace(world);
    expect((await world.call("createContact", { key: branch.key, body: WHOLE })).status).toBe(201);
  });
});

describe("listContacts", () => {
  test("listContacts shows contacts made from recipients, and recipients take their names from contacts", async () => {
    const { body: ada } = await succeed(world.call("createContact", { body: WHOLE }));
    const id = await aDraft(world, { body: { recipients: [{ email: WHOLE.email, role: "Client" }] } });
    const { body: details } = await succeed(world.call("detailsDocument", { params: { id } }));
    expect(details.recipients[0]).toMatchObject({ contact_id: ada.id, first_name: "Ada", last_name: "Berg" });
    await aDraft(world);
    const { body: met } = await world.call("listContacts", { query: { email: CLIENT.email } });
    expect(met.results).toMatchObject([{ first_name: CLIENT.first_name, last_name: CLIENT.last_name, company: null }]);
    const found = await world.call("listDocuments", { query: { contact_id: ada.id } });
    expect(found.body.results.map((row: { id: string }) => row.id)).toEqual([id]);
  });

  test("listContacts shows one contact per email address, also when a scenario repeats the address", async () => {
    const { body: ada } = await succeed(world.call("createContact", { body: WHOLE }));
    const contacts = [{ email: WHOLE.email.toUpperCase(), company: "Seller" }];
    await succeed(world.admin("POST", "/scenarios", { version: 1, name: "again", world: { contacts } }));
    const { body } = await world.call("listContacts", { query: { email: WHOLE.email } });
    expect(body.results).toMatchObject([{ id: ada.id, company: "Seller" }]);
  });
});

describe("updateContact", () => {
  test("updateContact changes the members in the body, including the country, and ignores the email address", async () => {
    const { body: before } = await succeed(world.call("createContact", { body: WHOLE }));
    const changed = await world.call("updateContact", {
      params: { id: before.id },
      body: { company: "Seller", country: "Norway", phone: null, email: "else@buyer.example" },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ ...before, company: "Seller", country: "Norway", phone: null });
    expect((await world.call("detailsContact", { params: { id: before.id } })).body).toEqual(changed.body);
  });
});

describe("deleteContact", () => {
  test("deleteContact deletes the contact, keeps the recipients of documents, and a later recipient makes a new contact", async () => {
    const document = await aDraft(world);
    const first = (await world.call("listContacts", { query: { email: CLIENT.email } })).body.results[0].id;
    const gone = await world.call("deleteContact", { params: { id: first } });
    expect(gone.status).toBe(204);
    expect((await world.call("deleteContact", { params: { id: first } })).status).toBe(404);
    const { body } = await succeed(world.call("detailsDocument", { params: { id: document } }));
    expect(body.recipients[0]).toMatchObject({ email: CLIENT.email, contact_id: first });
    await aDraft(world);
    const second = (await world.call("listContacts", { query: { email: CLIENT.email } })).body.results[0].id;
    expect(second).not.toBe(first);
  });
});
