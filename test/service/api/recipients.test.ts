import { describe, expect, test } from "vitest";
import { aDraft, aSentDocument, CLIENT, DIRECTOR, simulate } from "../../support/stories.ts";
import { useWorld, type TestWorld } from "../../support/world.ts";
import type { DocumentRow } from "../../../src/service/nouns/documents/row.ts";

const world = useWorld();

const CONTACT = "ContactAxxxxxxxxxxxxxx";

function rowOf(world: TestWorld, id: string): DocumentRow {
  return world.tenant.store.documents.get(id) as DocumentRow;
}

async function recipientsOf(world: TestWorld, id: string) {
  return (await world.call("detailsDocument", { params: { id } })).body.recipients;
}

async function actionsOf(world: TestWorld, id: string): Promise<number[]> {
  return world.tenant.store.audit.where("document", id).map((row) => row.action);
}

function contact(world: TestWorld) {
  const row = world.tenant.store.contacts.get(CONTACT);
  if (!row) throw new Error("no contact in the fixtures");
  return row;
}

const NOT_FOUND = { type: "request_error", detail: "Not found" };

describe("addDocumentRecipient", () => {
  test("addDocumentRecipient adds the contact as CC, adds an audit entry, and sends no notification in draft", async () => {
    const id = await aDraft(world);
    await world.advance("1m");
    const answer = await world.call("addDocumentRecipient", { params: { id }, body: { id: CONTACT, kind: "contact" } });
    expect(answer.status).toBe(200);
    const recipients = await recipientsOf(world, id);
    expect(answer.body).toEqual({ recipient_id: recipients[1].id });
    expect(recipients[1]).toMatchObject({
      recipient_type: "CC",
      contact_id: CONTACT,
      email: contact(world).email,
      first_name: contact(world).first_name,
      role: "",
      roles: [],
    });
    expect(rowOf(world, id).recipients[1]?.internal.notified_at).toBeNull();
    expect(await actionsOf(world, id)).toEqual([1, 25]);
    const { body } = await world.call("detailsDocument", { params: { id } });
    expect(body.date_modified > body.content_date_modified).toBe(true);
  });

  test("addDocumentRecipient mails the new CC of a sent document, unless the send was silent", async () => {
    const mailsAfterAdding = async (silent: boolean) => {
      const id = await aSentDocument(world, { silent });
      await world.call("addDocumentRecipient", { params: { id }, body: { id: CONTACT } });
      return world.tenant.store.emails.where("document", id).map((row) => row.to);
    };
    expect(await mailsAfterAdding(false)).toEqual([CLIENT.email, contact(world).email]);
    expect(await mailsAfterAdding(true)).toEqual([]);
  });
});

describe("deleteDocumentRecipient", () => {
  test("deleteDocumentRecipient removes a signer from a draft, and leaves the signer's fields unassigned", async () => {
    const id = await aDraft(world, { template: "twoSigners" });
    const [client, director] = await recipientsOf(world, id);
    const answer = await world.call("deleteDocumentRecipient", { params: { id, recipient_id: client.id } });
    expect({ status: answer.status, size: answer.body.length }).toEqual({ status: 204, size: 0 });
    const { body } = await world.call("detailsDocument", { params: { id } });
    expect(body.recipients.map((one: { id: string }) => one.id)).toEqual([director.id]);
    const owners = body.fields.map((field: { assigned_to: { id: string } }) => field.assigned_to.id);
    expect(new Set(owners)).toEqual(new Set(["", director.id]));
    expect(await actionsOf(world, id)).toEqual([1, 26]);
  });

  test("deleteDocumentRecipient refuses a signer of a sent document, and removes a CC with its sessions", async () => {
    const id = await aSentDocument(world);
    const signer = rowOf(world, id).recipients[0]?.id as string;
    const refused = await world.call("deleteDocumentRecipient", { params: { id, recipient_id: signer } });
    expect(refused).toMatchObject({ status: 400, body: { type: "request_error" } });
    const { body } = await world.call("addDocumentRecipient", { params: { id }, body: { id: CONTACT } });
    await world.call("createDocumentLink", { params: { id }, body: { recipient: contact(world).email } });
    expect(world.tenant.store.sessions.size).toBe(1);
    const removed = await world.call("deleteDocumentRecipient", { params: { id, recipient_id: body.recipient_id } });
    expect(removed.status).toBe(204);
    expect(rowOf(world, id).recipients.map((one) => one.id)).toEqual([signer]);
    expect(world.tenant.store.sessions.size).toBe(0);
  });
});

describe("editDocumentRecipient", () => {
  test("editDocumentRecipient changes the recipient and its contact, but no other document", async () => {
    const other = await aDraft(world);
    const id = await aDraft(world);
    const [recipient] = await recipientsOf(world, id);
    const answer = await world.call("editDocumentRecipient", {
      params: { id, recipient_id: recipient.id },
      body: {
        first_name: "Ivan",
        phone: "+351111111111",
        company: "Marek & Co",
        title: "Head",
        city: "Brno",
        delivery_methods: { sms: true },
        redirect: { is_enabled: true, url: "https://example.com/done" },
        verification_settings: { verification_place: "before_sign", passcode_verification: { passcode: "abc123" } },
      },
    });
    expect({ status: answer.status, size: answer.body.length }).toEqual({ status: 204, size: 0 });
    const [edited] = await recipientsOf(world, id);
    expect(edited).toMatchObject({
      id: recipient.id,
      email: CLIENT.email,
      first_name: "Ivan",
      last_name: "Marek",
      phone: "+351111111111",
      delivery_methods: { email: true, sms: true },
      redirect: { is_enabled: true, url: "https://example.com/done" },
      shared_link: recipient.shared_link,
    });
    expect(edited.verification_settings).toMatchObject({
      verification_place: "before_sign",
      passcode_verification: { passcode: "abc123" },
    });
    expect(world.tenant.store.contacts.get(recipient.contact_id)).toMatchObject({
      first_name: "Ivan",
      company: "Marek & Co",
      job_title: "Head",
      city: "Brno",
    });
    expect((await recipientsOf(world, other))[0]).toMatchObject({ first_name: "Ivo", phone: "" });
    expect(await actionsOf(world, id)).toEqual([1, 24]);
  });

  test("editDocumentRecipient with a new email replaces the link of a sent document, ends sessions, and notifies again", async () => {
    const id = await aSentDocument(world);
    const [before] = await recipientsOf(world, id);
    await world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } });
    await world.advance("1h");
    const params = { id, recipient_id: before.id };
    expect((await world.call("editDocumentRecipient", { params, body: { email: "ivo@new.example" } })).status).toBe(204);
    const [after] = await recipientsOf(world, id);
    expect(after).toMatchObject({ id: before.id, email: "ivo@new.example", contact_id: before.contact_id });
    expect(after.shared_link).not.toBe(before.shared_link);
    expect(world.tenant.store.sessions.size).toBe(0);
    expect(rowOf(world, id).recipients[0]?.internal.notified_at).toBe(world.tenant.clock.now());
  });

  test("editDocumentRecipient refuses the email of another contact, and a new email for a PandaDoc user", async () => {
    const id = await aDraft(world, { body: { recipients: [CLIENT, { email: "sam.ode@northpeak.example" }] } });
    const [client, sam] = await recipientsOf(world, id);
    const taken = await world.call("editDocumentRecipient", {
      params: { id, recipient_id: client.id },
      body: { email: contact(world).email },
    });
    expect({ status: taken.status, body: taken.body }).toEqual({
      status: 400,
      body: { type: "request_error", detail: { email: ["Contact with this email already exists."] } },
    });
    const user = await world.call("editDocumentRecipient", {
      params: { id, recipient_id: sam.id },
      body: { email: "sam@elsewhere.example" },
    });
    expect(user).toMatchObject({ status: 400, body: { detail: { email: ["You cannot change the email of a PandaDoc user."] } } });
  });

  test("editDocumentRecipient replaces a group's members, and matches them by email", async () => {
    const id = await aDraft(world, {
      body: {
        recipients: [
          {
            type: "recipient_group",
            name: "Board",
            role: "Client",
            members: [CLIENT, DIRECTOR].map(({ role: _, ...one }) => one),
          },
        ],
      },
    });
    const [group] = await recipientsOf(world, id);
    const params = { id, recipient_id: group.id };
    const body = { name: "Council", members: [{ email: DIRECTOR.email, last_name: "Obi" }, { email: "new@client.example" }] };
    expect((await world.call("editDocumentRecipient", { params, body })).status).toBe(204);
    const [after] = await recipientsOf(world, id);
    expect(after).toMatchObject({ name: "Council", recipient_type: "signer" });
    expect(
      after.members.map(({ email, first_name, last_name }: Record<string, string>) => [email, first_name, last_name]),
    ).toEqual([
      [DIRECTOR.email, "Tess", "Obi"],
      ["new@client.example", "", ""],
    ]);
    expect(after.members[0].id).toBe(group.members[1].id);
    expect(after.members[0].shared_link).toBe(group.members[1].shared_link);
    expect(world.tenant.store.emails.size).toBe(0);
    await world.call("sendDocument", { params: { id }, body: {} });
    const later = { members: [{ email: "new@client.example" }, { email: "late@client.example" }] };
    expect((await world.call("editDocumentRecipient", { params, body: later })).status).toBe(204);
    expect(world.tenant.store.emails.where("document", id).map((row) => row.to)).toEqual([
      DIRECTOR.email,
      "new@client.example",
      "late@client.example",
    ]);
    const nothing = await world.call("editDocumentRecipient", { params, body: {} });
    expect(nothing).toMatchObject({
      status: 400,
      body: { detail: { non_field_errors: ["Provide at least one of name or members."] } },
    });
    const twice = await world.call("editDocumentRecipient", {
      params,
      body: { members: [{ email: "a@b.example" }, { email: "A@b.example" }] },
    });
    expect(twice).toMatchObject({ status: 400, body: { detail: { members: ["Members must be unique."] } } });
  });
});

describe("reassignDocumentRecipient", () => {
  test("reassignDocumentRecipient in draft keeps the field values, and removes the original signer", async () => {
    const id = await aDraft(world, {
      template: "everyField",
      body: { fields: { "Full name": { value: "Ivo Marek" } } },
    });
    const [signer] = await recipientsOf(world, id);
    const filled = rowOf(world, id).fields.filter((field) => field.value !== null && field.value !== false);
    const answer = await world.call("reassignDocumentRecipient", {
      params: { id, recipient_id: signer.id },
      body: { id: CONTACT, kind: "contact" },
    });
    expect(answer.status).toBe(200);
    const after = rowOf(world, id);
    expect(after.recipients).toHaveLength(1);
    expect(after.recipients[0]).toMatchObject({
      id: answer.body.recipient_id,
      contact_id: CONTACT,
      recipient_type: "signer",
      roles: signer.roles,
    });
    expect(after.fields.every((field) => field.recipient_id === answer.body.recipient_id)).toBe(true);
    expect(after.fields.filter((field) => field.value !== null && field.value !== false).map((field) => field.value)).toEqual(
      filled.map((field) => field.value),
    );
    expect(await actionsOf(world, id)).toEqual([1, 23]);
  });

  test("reassignDocumentRecipient in a sent document clears the signer's fields, and the new signer can sign", async () => {
    const id = await aSentDocument(world, { template: "twoSigners" });
    const [signer] = await recipientsOf(world, id);
    await simulate(world, id, "fill", {
      recipient: CLIENT.email,
      fields: Object.fromEntries(
        rowOf(world, id)
          .fields.filter((field) => field.recipient_id === signer.id && field.type !== "checkbox")
          .map((field) => [field.uuid, field.type === "date" ? "2026-03-01" : "something"]),
      ),
    });
    const answer = await world.call("reassignDocumentRecipient", {
      params: { id, recipient_id: signer.id },
      body: { id: CONTACT, kind: "contact" },
    });
    expect(answer.status).toBe(200);
    const after = rowOf(world, id);
    const own = after.fields.filter((field) => field.recipient_id === answer.body.recipient_id);
    expect(own.length).toBeGreaterThan(0);
    expect(own.map((field) => field.value ?? null)).toEqual(own.map((field) => (field.type === "checkbox" ? false : null)));
    expect(after.recipients.find((one) => one.id === answer.body.recipient_id)?.internal.notified_at).toBe(
      world.tenant.clock.now(),
    );
    await simulate(world, id, "sign", { recipient: contact(world).email });
    await simulate(world, id, "sign", { recipient: DIRECTOR.email });
    expect(rowOf(world, id).status).toBe("document.completed");
  });

  test("reassignDocumentRecipient to another recipient of the document gives that recipient both roles and all fields", async () => {
    const id = await aDraft(world, { template: "twoSigners" });
    const [client, director] = await recipientsOf(world, id);
    const answer = await world.call("reassignDocumentRecipient", {
      params: { id, recipient_id: client.id },
      body: { id: director.contact_id },
    });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { recipient_id: director.id } });
    const after = rowOf(world, id);
    expect(after.recipients.map((one) => [one.id, one.roles])).toEqual([[director.id, ["Director", "Client"]]]);
    expect(after.fields.every((field) => field.recipient_id === director.id)).toBe(true);
  });

  test("reassignDocumentRecipient refuses a CC, a signer who has signed, and a new signer who has signed", async () => {
    const id = await aSentDocument(world, { template: "twoSigners" });
    await simulate(world, id, "sign", { recipient: CLIENT.email });
    const { body: added } = await world.call("addDocumentRecipient", { params: { id }, body: { id: CONTACT } });
    const [client, director] = await recipientsOf(world, id);
    const to = (recipient_id: string, contactId: string) =>
      world.call("reassignDocumentRecipient", { params: { id, recipient_id }, body: { id: contactId, kind: "contact" } });
    expect(await to(added.recipient_id, CONTACT)).toMatchObject({ status: 400, body: { type: "request_error" } });
    expect(await to(client.id, CONTACT)).toMatchObject({ status: 400, body: { type: "request_error" } });
    expect(await to(director.id, client.contact_id)).toMatchObject({
      status: 400,
      body: { detail: { id: ["This contact cannot be the new signer of the document."] } },
    });
    expect(await to(director.id, "nobody")).toMatchObject({ status: 400, body: { detail: { id: ["Contact not found."] } } });
    expect(await to("nobody", CONTACT)).toMatchObject({ status: 404, body: NOT_FOUND });
  });
});
