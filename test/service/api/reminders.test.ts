import { describe, expect, test } from "vitest";
import { aDraft, aSentDocument, CLIENT, DIRECTOR, simulate, succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();
const NOW = "2026-03-02T09:00:05Z";

type Person = { email?: string; phone?: string; delivery_methods?: object };

async function setReminders(world: TestWorld, id: string, body: object) {
  return succeed(world.call("updateDocumentAutoReminderSettings", { params: { document_id: id }, body }));
}

function recipientsOf(world: TestWorld, id: string) {
  const document = world.tenant.store.documents.get(id);
  if (!document) throw new Error(`no document ${id}`);
  return document.recipients;
}

function remindersTo(world: TestWorld, id: string): [day: string, channel: string, to: string][] {
  return world.tenant.store.emails
    .where("document", id)
    .filter((row) => row.kind === "reminder")
    .map((row) => [new Date(row.created).toISOString().slice(0, 10), row.channel, row.to]);
}

async function statusesOf(world: TestWorld, id: string): Promise<[string, string][]> {
  const { body } = await succeed(world.call("statusDocumentAutoReminder", { params: { document_id: id } }));
  return body.reminders.map((one: { recipient_id: string; status: string }) => [one.recipient_id, one.status]);
}

/** Changes the first recipient after the send, because the send refuses phone numbers that cannot receive texts. */
async function editRecipient(world: TestWorld, id: string, body: object) {
  await succeed(
    world.call("editDocumentRecipient", { params: { id, recipient_id: recipientsOf(world, id)[0]?.id as string }, body }),
  );
}

async function remindBy(world: TestWorld, id: string, reminders: object[]) {
  return world.call("createManualReminder", { params: { document_id: id }, body: { reminders } });
}

describe("updateDocumentAutoReminderSettings", () => {
  test("updateDocumentAutoReminderSettings keeps members that the request omits, so enabled alone can switch reminders off", async () => {
    const id = await aDraft(world);
    const full = {
      enabled: true,
      delivery_method: "sms",
      initial_delay_days: 3,
      is_recurring: true,
      recurrence_frequency_days: 180,
    };
    expect((await setReminders(world, id, full)).body).toEqual(full);
    expect((await setReminders(world, id, { enabled: false })).body).toEqual({ ...full, enabled: false });
    const { body } = await world.call("getDocumentAutoReminderSettings", { params: { document_id: id } });
    expect(body).toEqual({ ...full, enabled: false });
  });
});

describe("automatic reminders", () => {
  test("reminders recur until the signer has signed, and link to the signing page", async () => {
    const id = await aSentDocument(world, { silent: false });
    await setReminders(world, id, {
      enabled: true,
      initial_delay_days: 2,
      is_recurring: true,
      recurrence_frequency_days: 4,
    });
    await world.advance("11d");
    expect(remindersTo(world, id).map(([day]) => day)).toEqual(["2026-03-04", "2026-03-08", "2026-03-12"]);
    const mail = world.tenant.store.emails.where("document", id).at(-1);
    expect(mail?.link).toContain(recipientsOf(world, id)[0]?.internal.link_token);
    await simulate(world, id, "sign");
    await world.advance("20d");
    expect(remindersTo(world, id)).toHaveLength(3);
    expect(world.tenant.store.jobs.all().filter((job) => job.kind === "send_reminders")).toEqual([]);
  });

  test("with a signing order, the second signer's delay starts with the second signer's turn", async () => {
    const id = await aSentDocument(world, { template: "twoSigners", silent: false });
    const [client, director] = recipientsOf(world, id);
    await setReminders(world, id, { enabled: true, initial_delay_days: 2 });
    await world.advance("3d");
    expect(await statusesOf(world, id)).toEqual([
      [client?.id, "sent"],
      [director?.id, "scheduled"],
    ]);
    await simulate(world, id, "sign", { recipient: CLIENT.email });
    await world.advance("47h");
    expect(remindersTo(world, id)).toEqual([["2026-03-04", "email", CLIENT.email]]);
    await world.advance("1h");
    expect(remindersTo(world, id)).toEqual([
      ["2026-03-04", "email", CLIENT.email],
      ["2026-03-07", "email", DIRECTOR.email],
    ]);
  });

  test("a new delay counts from the send, and an overdue reminder is sent at once", async () => {
    const id = await aSentDocument(world, { silent: false });
    await setReminders(world, id, { enabled: true, initial_delay_days: 30 });
    await world.advance("10d");
    await setReminders(world, id, { enabled: true, initial_delay_days: 4 });
    await world.advance("0s");
    expect(remindersTo(world, id)).toEqual([["2026-03-12", "email", CLIENT.email]]);
  });

  test("disabling, deletion and a return to draft stop reminders, and a new send restarts them", async () => {
    const on = { enabled: true, initial_delay_days: 2, is_recurring: true, recurrence_frequency_days: 2 };
    const off = await aSentDocument(world, { silent: false });
    await setReminders(world, off, on);
    await setReminders(world, off, { enabled: false });
    const deleted = await aSentDocument(world, { silent: false });
    await setReminders(world, deleted, on);
    await world.call("deleteDocument", { params: { id: deleted } });
    const reverted = await aSentDocument(world, { silent: false });
    await setReminders(world, reverted, on);
    await world.advance("3d");
    expect(remindersTo(world, reverted)).toHaveLength(1);
    await world.call("documentRevertToDraft", { params: { id: reverted } });
    await world.advance("10d");
    expect([off, deleted, reverted].map((id) => remindersTo(world, id).length)).toEqual([0, 0, 1]);
    await world.call("sendDocument", { params: { id: reverted }, body: {} });
    const [client] = recipientsOf(world, reverted);
    expect(await statusesOf(world, reverted)).toEqual([[client?.id, "scheduled"]]);
    await world.advance("2d");
    expect(remindersTo(world, reverted)).toHaveLength(2);
  });

  test("a silent send disables reminders", async () => {
    const id = await aDraft(world);
    await setReminders(world, id, { enabled: true, initial_delay_days: 1 });
    await world.call("sendDocument", { params: { id }, body: { silent: true } });
    await world.advance("9d");
    expect(remindersTo(world, id)).toEqual([]);
    const { body } = await world.call("getDocumentAutoReminderSettings", { params: { document_id: id } });
    expect(body).toMatchObject({ enabled: false, initial_delay_days: 1 });
  });

  test("statusDocumentAutoReminder shows an error for an unreachable channel, and leaves out groups and CC recipients", async () => {
    const group = { type: "recipient_group", name: "Board", role: "Director", members: [{ email: "board@client.example" }] };
    const id = await aSentDocument(world, {
      template: "twoSigners",
      silent: false,
      body: { recipients: [CLIENT, { email: "copy@client.example" }, group] },
    });
    const [client, copy, board] = recipientsOf(world, id);
    expect([copy?.recipient_type, board?.recipient_type]).toEqual(["CC", "signer"]);
    await setReminders(world, id, { enabled: true, delivery_method: "sms", initial_delay_days: 1 });
    expect(await statusesOf(world, id)).toEqual([[client?.id, "scheduled"]]);
    await world.advance("1d");
    expect(await statusesOf(world, id)).toEqual([[client?.id, "error"]]);
    expect(remindersTo(world, id)).toEqual([]);
  });
});

describe("createManualReminder", () => {
  test("createManualReminder sends through the requested channels, with the caller's subject and message", async () => {
    const recipients = [{ ...CLIENT, phone: "+420 777 123 456", delivery_methods: { email: true, sms: true } }];
    const id = await aSentDocument(world, { body: { recipients } });
    const recipient_id = recipientsOf(world, id)[0]?.id;
    const email_customization = { subject: "Please sign", message: "See [our site](https://northpeak.example)." };
    const answer = await remindBy(world, id, [
      { recipient_id, delivery_methods: { email: true, sms: true }, email_customization },
    ]);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: {
        result: [
          {
            recipient_id,
            sms: { status: "sent", sent_at: NOW },
            email: { status: "sent", sent_at: NOW },
            email_customization,
          },
        ],
      },
    });
    const mails = world.tenant.store.emails.where("document", id);
    expect(mails.map((row) => [row.kind, row.channel, row.to, row.subject === "Please sign"])).toEqual([
      ["reminder", "sms", "+420 777 123 456", false],
      ["reminder", "email", CLIENT.email, true],
    ]);
  });

  test("createManualReminder sends once in 24 hours per recipient and channel", async () => {
    const id = await aSentDocument(world);
    const recipient_id = recipientsOf(world, id)[0]?.id;
    const byMail = { recipient_id, delivery_methods: { email: true } };
    const first = await remindBy(world, id, [byMail, byMail]);
    const again = { status: "error", detail: "Can't send email reminder to the Recipient more than once every 24 hours" };
    expect(first.body.result.map((one: { email: unknown }) => one.email)).toEqual([{ status: "sent", sent_at: NOW }, again]);
    await world.advance("86399s");
    expect((await remindBy(world, id, [byMail])).body.result[0].email).toEqual(again);
    await world.advance("1s");
    expect((await remindBy(world, id, [byMail])).body.result[0].email).toEqual({
      status: "sent",
      sent_at: "2026-03-03T09:00:05Z",
    });
    expect(remindersTo(world, id)).toHaveLength(2);
  });

  test("createManualReminder names the reason of each failure, by recipient and channel", async () => {
    const both = { email: true, sms: true };
    const id = await aSentDocument(world, {
      template: "twoSigners",
      body: { recipients: [CLIENT, DIRECTOR, { email: "copy@client.example" }] },
    });
    const [client, director, copy] = recipientsOf(world, id);
    await editRecipient(world, id, { phone: "12", delivery_methods: both });
    const { body } = await remindBy(world, id, [
      { recipient_id: client?.id, delivery_methods: { sms: true } },
      { recipient_id: director?.id, delivery_methods: both },
      { recipient_id: copy?.id, delivery_methods: both },
      { recipient_id: "nobody", delivery_methods: both },
      { recipient_id: client?.id, delivery_methods: { email: false, sms: false } },
    ]);
    const twice = (detail: string) => ({ sms: { status: "error", detail }, email: { status: "error", detail } });
    expect(body.result).toEqual([
      {
        recipient_id: client?.id,
        sms: { status: "error", detail: "Can't send SMS reminder to the Recipient with invalid phone number" },
      },
      {
        recipient_id: director?.id,
        ...twice("Can't send reminder. Signing order is enabled and this Recipient can't sign the document yet"),
      },
      { recipient_id: copy?.id, ...twice("Can't send reminder to CC recipient") },
      {
        recipient_id: "nobody",
        ...twice("Can't send reminder. The document does not contain a recipient with the specified recipient ID"),
      },
      { recipient_id: client?.id },
    ]);
    await simulate(world, id, "sign", { recipient: CLIENT.email });
    const after = await remindBy(world, id, [{ recipient_id: client?.id, delivery_methods: { email: true } }]);
    expect(after.body.result[0].email.detail).toBe("Can't send reminder to the Recipient who completed their part");
    expect(remindersTo(world, id)).toEqual([]);
  });

  test.each([
    [
      { email: "a@b.example", delivery_methods: { email: false, sms: false } },
      "email",
      "Can't send reminder. Email delivery method is not selected for recipient",
    ],
    [{ phone: "+420777123456" }, "email", "Can't send email reminder to the Recipient with no email"],
    [{ email: "gone@nowhere.invalid" }, "email", "Can't send email reminder. Recipient's mailbox is unreachable"],
    [{ email: "a@b.example" }, "sms", "Can't send reminder. SMS delivery method is not selected for recipient"],
    [
      { email: "a@b.example", delivery_methods: { sms: true } },
      "sms",
      "Can't send SMS reminder to the Recipient with no phone number",
    ],
  ] as [Person, string, string][])("createManualReminder to %j by %s fails: %s", async (person, channel, detail) => {
    const { delivery_methods, ...identity } = person;
    const id = await aSentDocument(world, { body: { recipients: [{ ...identity, role: "Client" }] } });
    const recipient_id = recipientsOf(world, id)[0]?.id;
    await editRecipient(world, id, { delivery_methods });
    const { body } = await remindBy(world, id, [{ recipient_id, delivery_methods: { [channel]: true } }]);
    expect(body).toEqual({ result: [{ recipient_id, [channel]: { status: "error", detail } }] });
  });

  test("createManualReminder mails each member of a group, but sends no texts to a group", async () => {
    const members = [{ email: "one@client.example" }, { email: "two@client.example" }];
    const group = { type: "recipient_group", name: "Board", role: "Client", members };
    const id = await aSentDocument(world, { body: { recipients: [group] } });
    const recipient_id = recipientsOf(world, id)[0]?.id;
    const { body } = await remindBy(world, id, [{ recipient_id, delivery_methods: { email: true, sms: true } }]);
    expect(body.result[0]).toEqual({
      recipient_id,
      email: { status: "sent", sent_at: NOW },
      sms: { status: "error", detail: "Can't send SMS reminder to recipient group" },
    });
    expect(remindersTo(world, id).map(([, , to]) => to)).toEqual(members.map((one) => one.email));
  });

  test.each(["[go](javascript:alert(1))", "https://bank.example@evil.example/", "http://10.0.0.1/pay"])(
    "createManualReminder refuses the unsafe message %s",
    async (message) => {
      const id = await aSentDocument(world);
      const recipient_id = recipientsOf(world, id)[0]?.id;
      const { body } = await remindBy(world, id, [
        { recipient_id, delivery_methods: { email: true }, email_customization: { message } },
      ]);
      expect(body.result[0].email).toEqual({
        status: "error",
        detail: "Can’t send reminder. Email message contains potentially malicious links and could not be processed",
      });
    },
  );
});
