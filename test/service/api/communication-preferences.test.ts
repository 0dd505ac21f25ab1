import { expect, test } from "vitest";
import { aDraft, aSentDocument, CLIENT, simulate, succeed } from "../../support/stories.ts";
import { useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

const phonesOf = async (world: TestWorld): Promise<string[]> =>
  world.tenant.store.contacts
    .all()
    .filter((row) => /^Contact[ABC]x/.test(row.id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((row) => row.phone ?? "");

test("listRecentSmsOptOuts shows the last change of each phone number in the last hour", async () => {
  const [a, b] = await phonesOf(world);
  const { status, body } = await world.call("listRecentSmsOptOuts");
  expect(status).toBe(200);
  expect(body).toEqual({
    results: [
      { phone_number: a, status: "opt-out", opt_out_changed: "2026-03-02T08:50:00Z" },
      { phone_number: b, status: "opt-in", opt_out_changed: "2026-03-02T08:40:00Z" },
    ],
  });
});

test("listRecentSmsOptOuts shows the later of two changes at one instant", async () => {
  const phone_number = "+15550009911";
  const change = (status: string) => ({ phone_number, status, changed_ago: "10m" });
  const seed = { sms_opt_outs: [change("opt-out"), change("opt-in")] };
  await succeed(world.admin("POST", "/scenarios", { version: 1, name: "twice", world: seed }));
  const { results } = (await succeed(world.call("listRecentSmsOptOuts"))).body;
  expect(results.filter((one: { phone_number: string }) => one.phone_number === phone_number)).toMatchObject([
    { phone_number, status: "opt-in" },
  ]);
});

test("listRecentSmsOptOuts filters by a time window, and ignores changes after its end", async () => {
  const [, b, c] = await phonesOf(world);
  const query = { timestamp_from: "2026-03-02T05:00:00Z", timestamp_to: "2026-03-02T08:15:00Z" };
  expect((await world.call("listRecentSmsOptOuts", { query })).body).toEqual({
    results: [
      { phone_number: b, status: "opt-out", opt_out_changed: "2026-03-02T08:10:00Z" },
      { phone_number: c, status: "opt-out", opt_out_changed: "2026-03-02T06:00:00Z" },
    ],
  });
});

test("sendDocument sends no text message to a phone number whose last choice is to opt out", async () => {
  const [optedOut, optedInAgain, optedOutLongAgo] = await phonesOf(world);
  const recipients = [optedOut, optedInAgain, optedOutLongAgo].map((phone, i) => ({
    email: `person${i}@client.example`,
    phone,
    role: i === 0 ? "Client" : undefined,
    delivery_methods: { email: false, sms: true },
  }));
  await aSentDocument(world, { silent: false, body: { recipients } });
  const texts = world.sandbox.emails.find({ channel: "sms" }).map((one) => one.to);
  expect(texts).toEqual([optedInAgain]);
});

test("editDocumentRecipient refuses a phone number that opted out, and changes nothing", async () => {
  const [optedOut, optedInAgain] = await phonesOf(world);
  const id = await aSentDocument(world);
  const recipient_id = world.sandbox.documents.get(id)?.recipients[0]?.id ?? "";
  const edit = (phone: string | undefined) =>
    world.call("editDocumentRecipient", { params: { id, recipient_id }, body: { phone } });
  const before = world.tenant.store.snapshot();
  expect(await edit(optedOut)).toMatchObject({
    status: 400,
    body: { type: "request_error", detail: { phone: ["This phone number has opted out of text messages."] } },
  });
  expect(world.tenant.store.snapshot()).toEqual(before);
  expect((await edit(optedInAgain)).status).toBe(204);
});

/** Sends a document. `edit` edits its recipient. */
async function out(world: TestWorld, person: object) {
  const id = await aSentDocument(world, { silent: false, body: { recipients: [{ ...CLIENT, ...person }] } });
  const recipient_id = world.sandbox.documents.get(id)?.recipients[0]?.id ?? "";
  return { id, edit: (body: object) => world.call("editDocumentRecipient", { params: { id, recipient_id }, body }) };
}

const NO_EMAILS = {
  status: 400,
  body: { type: "request_error", detail: { email: ["This email address has opted out of emails."] } },
};

test("editDocumentRecipient of a sent document refuses a new or newly enabled email address that opted out", async () => {
  const seed = { email_opt_outs: ["Never@client.example", CLIENT.email] };
  await succeed(world.admin("POST", "/scenarios", { version: 1, name: "spam", world: seed }));
  const delivery_methods = { email: false, sms: true };
  const { edit } = await out(world, { phone: "+15550001122", delivery_methods });
  const before = world.tenant.store.snapshot();
  for (const body of [{ email: "never@client.example" }, { delivery_methods: { email: true } }])
    expect(await edit(body)).toMatchObject(NO_EMAILS);
  expect(world.tenant.store.snapshot()).toEqual(before);
  // Neither a new address nor a newly enabled channel: these edits notify nobody.
  for (const body of [{ last_name: "New" }, { email: CLIENT.email.toUpperCase() }, { email: "fine@client.example" }])
    expect((await edit(body)).status).toBe(204);
  const draft = await aDraft(world, { body: { recipients: [{ ...CLIENT, email: "other@client.example" }] } });
  const recipient_id = world.sandbox.documents.get(draft)?.recipients[0]?.id ?? "";
  const body = { email: "never@client.example" };
  expect((await world.call("editDocumentRecipient", { params: { id: draft, recipient_id }, body })).status).toBe(204);
});

test("editDocumentRecipient refuses to enable text messages for a phone number that opted out", async () => {
  const [phone] = await phonesOf(world);
  const { edit } = await out(world, { phone });
  expect(await edit({ delivery_methods: { sms: true } })).toMatchObject({
    status: 400,
    body: { detail: { phone: ["This phone number has opted out of text messages."] } },
  });
  expect((await edit({ delivery_methods: { sms: false } })).status).toBe(204);
});

test("createManualReminder sends no email to a recipient who reported one as spam, until that recipient opts in", async () => {
  const { id, edit } = await out(world, {});
  const recipient_id = world.sandbox.documents.get(id)?.recipients[0]?.id ?? "";
  const remind = async () => {
    const reminders = [{ recipient_id, delivery_methods: { email: true } }];
    return (await succeed(world.call("createManualReminder", { params: { document_id: id }, body: { reminders } }))).body
      .result[0].email;
  };
  const mails = () => world.sandbox.emails.find({ to: CLIENT.email }).length;
  expect(mails()).toBe(1);
  await simulate(world, id, "opt_out", { channel: "email" });
  expect(await remind()).toEqual({ status: "error", detail: "Can't send email reminder. Recipient's mailbox is unreachable" });
  expect((await edit({ email: "else@client.example" })).status).toBe(204);
  expect(await edit({ email: CLIENT.email })).toMatchObject(NO_EMAILS);
  await aSentDocument(world, { silent: false });
  expect(mails()).toBe(1);
  expect((await world.call("listRecentSmsOptOuts")).body.results.length).toBe(2);
  const again = await aSentDocument(world, { silent: true });
  await simulate(world, again, "opt_in", { channel: "email" });
  expect((await edit({ email: CLIENT.email })).body).toMatchObject({
    detail: { email: ["Contact with this email already exists."] },
  });
  await aSentDocument(world, { silent: false });
  expect(mails()).toBe(2);
  const nobody = await aSentDocument(world, { body: { recipients: [{ phone: "+15550001122", role: "Client" }] } });
  const refused = await world.admin("POST", `/documents/${nobody}/simulate/opt_out`, { channel: "email" });
  expect(refused).toMatchObject({ status: 400, body: { detail: "The recipient has no email address." } });
});
