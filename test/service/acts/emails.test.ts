import { describe, expect, test } from "vitest";
import { CLIENT, DIRECTOR, aDraft, aSentDocument, simulate, succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

async function mails(
  world: TestWorld,
  query = "",
): Promise<{ kind: string; to: string; subject: string; link: string | null }[]> {
  return (await succeed(world.admin("GET", `/emails${query}`))).body.emails;
}

async function kinds(world: TestWorld): Promise<string[]> {
  return (await mails(world)).map((mail) => `${mail.kind} ${mail.to}`);
}

describe("adminListEmails", () => {
  test("sendDocument mails the recipient whose turn it is, with the subject, the message and a link to the document", async () => {
    const id = await aDraft(world, { template: "twoSigners" });
    await succeed(world.call("sendDocument", { params: { id }, body: { subject: "Please sign", message: "Until Friday." } }));
    const all = (await world.admin("GET", "/emails")).body;
    const details = (await world.call("detailsDocument", { params: { id } })).body;
    expect(all).toEqual({
      emails: [
        {
          id: expect.any(String),
          kind: "sent",
          channel: "email",
          to: CLIENT.email,
          to_name: "Ivo Marek",
          from: { email: details.sent_by.email, name: `${details.sent_by.first_name} ${details.sent_by.last_name}` },
          reply_to: null,
          subject: "Please sign",
          text: "Until Friday.",
          link: details.recipients[0].shared_link,
          document_id: id,
          document_name: "Service agreement",
          recipient_id: details.recipients[0].id,
          created: "2026-03-02T09:00:05.000000Z",
        },
      ],
      meta: { total: 1 },
    });
    expect((await world.admin("GET", `/emails/${all.emails[0].id}`)).body).toEqual(all.emails[0]);
  });

  test("each signer gets a mail in turn, and completion sends a mail to all recipients and the sender", async () => {
    const id = await aSentDocument(world, { template: "twoSigners", silent: false });
    expect(await kinds(world)).toEqual([`sent ${CLIENT.email}`]);
    await simulate(world, id, "sign", { recipient: CLIENT.email });
    expect(await kinds(world)).toEqual([`sent ${CLIENT.email}`, `sent ${DIRECTOR.email}`]);
    await simulate(world, id, "sign", { recipient: DIRECTOR.email });
    const sender = (await world.call("detailsDocument", { params: { id } })).body.sent_by.email;
    expect(await kinds(world)).toEqual([
      `sent ${CLIENT.email}`,
      `sent ${DIRECTOR.email}`,
      `completed ${CLIENT.email}`,
      `completed ${DIRECTOR.email}`,
      `completed ${sender}`,
    ]);
  });

  test("a silent send causes no mails, not even at completion", async () => {
    const id = await aSentDocument(world, { silent: true });
    await simulate(world, id, "sign");
    expect(await kinds(world)).toEqual([]);
  });

  test("changeDocumentStatus mails the recipients only with notify_recipients", async () => {
    const [quiet, loud] = [await aSentDocument(world), await aSentDocument(world)];
    await succeed(world.call("changeDocumentStatus", { params: { id: quiet }, body: { status: 11 } }));
    expect(await kinds(world)).toEqual([]);
    await succeed(
      world.call("changeDocumentStatus", {
        params: { id: loud },
        body: { status: 11, note: "private", notify_recipients: true },
      }),
    );
    const all = (await world.admin("GET", "/emails")).body.emails;
    expect(all).toMatchObject([{ kind: "expired", to: CLIENT.email, document_id: loud }]);
    expect(all[0].text).not.toContain("private");
  });

  test("a recipient with SMS delivery gets a text message, and a refused send causes no message", async () => {
    const id = await aDraft(world, {
      body: { recipients: [{ ...CLIENT, phone: "+15550100", delivery_methods: { email: false, sms: true } }] },
    });
    await succeed(world.call("sendDocument", { params: { id }, body: {} }));
    expect((await world.call("sendDocument", { params: { id }, body: {} })).status).toBe(409);
    expect((await world.admin("GET", "/emails")).body.emails).toMatchObject([{ channel: "sms", to: "+15550100", kind: "sent" }]);
  });
});

describe("adminAwaitEmail", () => {
  test("adminAwaitEmail answers as soon as a matching mail is sent", async () => {
    const waiting = world.admin("POST", "/emails/wait", { match: { to: CLIENT.email, kind: "sent" }, timeoutMs: 10_000 });
    const id = await aSentDocument(world, { silent: false });
    expect(await waiting).toMatchObject({ status: 200, body: { emails: [{ to: CLIENT.email, document_id: id }] } });
  });
});

describe("the page of mails", () => {
  const pageOf = async (world: TestWorld, query = "", key?: string) => {
    const answer = await world.admin("GET", `/?view=mails${query}`, undefined, key);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    return new TextDecoder().decode(answer.body);
  };

  test("adminInspector shows mails as an HTML page and escapes their texts", async () => {
    const id = await aDraft(world);
    await succeed(world.call("sendDocument", { params: { id }, body: { subject: "<script>alert(1)</script>" } }));
    const page = await pageOf(world);
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(page).not.toContain("<script>alert");
    expect(page).toContain("http://docdouble.test/document/");
  });

  test("adminInspector labels links by the recipient's turn, and shows the mails that the search asks for", async () => {
    const id = await aSentDocument(world, { template: "twoSigners", silent: false });
    const [first] = await mails(world);
    expect(await pageOf(world)).toContain(`href="${first?.link}" target="_blank" rel="noopener">Open to sign</a>`);
    await simulate(world, id, "sign", { recipient: CLIENT.email });
    const query = `q=${encodeURIComponent(CLIENT.email)}`;
    const page = await pageOf(world, `&${query}`);
    expect(page).toContain(">Open the document</a>");
    expect(page).not.toContain(">Open to sign</a>");
    expect(page).not.toContain(DIRECTOR.email);
  });
});
