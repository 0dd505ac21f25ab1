import { describe, expect, test } from "vitest";
import { anotherWorkspace, NOT_FOUND } from "../../support/people.ts";
import { aDraft, CLIENT, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

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

const TEXT_FIELDS = Object.keys(WHOLE).filter((name) => name !== "email");

describe("createContact", () => {
  test("createContact keeps each member, and detailsContact shows them", async () => {
    const world = await testWorld();
    const created = await world.call("createContact", { body: { ...WHOLE, industry: "ignored" } });
    expect(created).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^\w{22}$/), ...WHOLE } });
    const details = await world.call("detailsContact", { params: { id: created.body.id } });
    expect(details.status).toBe(200);
    expect(details.body).toEqual(created.body);
  });

  test("createContact accepts nulls and an empty body", async () => {
    const world = await testWorld();
    const empty = await world.call("createContact", { body: { email: null, phone: "+15550000002" } });
    expect(empty.status).toBe(201);
    expect(empty.body).toEqual({
      ...Object.fromEntries(Object.keys(WHOLE).map((name) => [name, null])),
      id: empty.body.id,
      phone: "+15550000002",
    });
    expect((await world.call("createContact", { body: {} })).status).toBe(201);
  });

  test("createContact names each field of a wrong type", async () => {
    const world = await testWorld();
    const body = { ...Object.fromEntries(TEXT_FIELDS.map((name) => [name, 7])), email: "nobody" };
    const answer = await world.call("createContact", { body });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      type: "validation_error",
      detail: {
        ...Object.fromEntries(TEXT_FIELDS.map((name) => [name, ["Not a valid string."]])),
        email: ["Enter a valid email address."],
      },
    });
  });

  test("createContact updates the contact with the same email address, in upper or lower case", async () => {
    const world = await testWorld();
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
  test("listContacts shows all contacts, and filters by the exact email address", async () => {
    const world = await testWorld();
    const before = await world.call("listContacts");
    expect(before.status).toBe(200);
    expect(before.body.results).toHaveLength(6);
    const { body: made } = await succeed(world.call("createContact", { body: { ...WHOLE, email: "ada+test@buyer.example" } }));
    expect((await world.call("listContacts", { query: { email: "ADA+test@buyer.example" } })).body).toEqual({ results: [made] });
    expect((await world.call("listContacts", { query: { email: "ada" } })).body).toEqual({ results: [] });
    expect((await world.call("listContacts", { query: { email: "" } })).body.results).toHaveLength(7);
  });

  test("listContacts shows contacts made from recipients, and recipients take their names from contacts", async () => {
    const world = await testWorld();
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
    const world = await testWorld();
    const { body: ada } = await succeed(world.call("createContact", { body: WHOLE }));
    const contacts = [{ email: WHOLE.email.toUpperCase(), company: "Seller" }];
    await succeed(world.admin("POST", "/scenarios", { version: 1, name: "again", world: { contacts } }));
    const { body } = await world.call("listContacts", { query: { email: WHOLE.email } });
    expect(body.results).toMatchObject([{ id: ada.id, company: "Seller" }]);
  });

  test("listContacts hides the contacts of other workspaces and tenants", async () => {
    const world = await testWorld();
    await succeed(world.call("createContact", { body: WHOLE }));
    const branch = await anotherWorkspace(world);
    expect((await world.call("listContacts", { key: branch.key })).body).toEqual({ results: [] });
    const tenant = await world.call("listContacts", { key: "test-contacts", query: { email: WHOLE.email } });
    expect(tenant.body).toEqual({ results: [] });
  });
});

describe("updateContact", () => {
  test("updateContact changes the members in the body, including the country, and ignores the email address", async () => {
    const world = await testWorld();
    const { body: before } = await succeed(world.call("createContact", { body: WHOLE }));
    const changed = await world.call("updateContact", {
      params: { id: before.id },
      body: { company: "Seller", country: "Norway", phone: null, email: "else@buyer.example" },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ ...before, company: "Seller", country: "Norway", phone: null });
    expect((await world.call("detailsContact", { params: { id: before.id } })).body).toEqual(changed.body);
  });

  test("updateContact names each field of a wrong type, and changes nothing", async () => {
    const world = await testWorld();
    const { body: before } = await succeed(world.call("createContact", { body: WHOLE }));
    const body = Object.fromEntries(TEXT_FIELDS.map((name) => [name, ["x"]]));
    expect(await world.call("updateContact", { params: { id: before.id }, body })).toMatchObject({
      status: 400,
      body: {
        type: "validation_error",
        detail: Object.fromEntries(TEXT_FIELDS.map((name) => [name, ["Not a valid string."]])),
      },
    });
    expect((await world.call("detailsContact", { params: { id: before.id } })).body).toEqual(before);
  });
});

describe("deleteContact", () => {
  test("deleteContact deletes the contact, keeps the recipients of documents, and a later recipient makes a new contact", async () => {
    const world = await testWorld();
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

describe("contacts that the caller cannot see", () => {
  test.each(["detailsContact", "updateContact", "deleteContact"] as const)(
    "%s answers 404 for an unknown id, another workspace's and another tenant's",
    async (operation) => {
      const world = await testWorld();
      const branch = await anotherWorkspace(world);
      const theirs = await succeed(world.call("createContact", { key: branch.key, body: WHOLE }));
      const strange = await succeed(world.call("createContact", { key: "test-far", body: { email: "far@far.example" } }));
      for (const id of ["__proto__", "nothing", theirs.body.id, strange.body.id]) {
        const answer = await world.call(operation, { params: { id }, body: operation === "updateContact" ? {} : undefined });
        expect(answer).toMatchObject({ status: 404, body: NOT_FOUND });
      }
      expect((await world.call("detailsContact", { key: branch.key, params: { id: theirs.body.id } })).status).toBe(200);
    },
  );
});
