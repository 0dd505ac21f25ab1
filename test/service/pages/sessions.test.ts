import { describe, expect, test } from "vitest";
import {
  aDraft,
  aSentDocument,
  CLIENT,
  DIRECTOR,
  type StoryOptions,
  simulate,
  statusOf,
  succeed,
} from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";
import type { DocumentRow } from "../../../src/service/nouns/documents/row.ts";

const world = useWorld();

interface Page {
  status: number;
  headers: Headers;
  html: string;
}

/** Sends a request like a browser: without a key, and with a form instead of JSON. */
async function visit(world: TestWorld, path: string, form?: Record<string, string> | FormData): Promise<Page> {
  const body = form === undefined || form instanceof FormData ? form : new URLSearchParams(form);
  const response = await world.sandbox.fetch(path, body ? { method: "POST", body } : {});
  return { status: response.status, headers: response.headers, html: await response.text() };
}

async function aSession(world: TestWorld, options: StoryOptions & { recipient?: string; silent?: boolean } = {}) {
  const { recipient = CLIENT.email, ...story } = options;
  const id = await aSentDocument(world, story);
  return { id, path: await sessionOf(world, id, recipient) };
}

async function sessionOf(world: TestWorld, id: string, recipient: string, key?: string): Promise<string> {
  const made = await succeed(
    world.call("createDocumentLink", { params: { id }, body: { recipient }, ...(key === undefined ? {} : { key }) }),
  );
  return `/s/${made.body.id}/`;
}

function fieldOf(world: TestWorld, id: string, name: string): string {
  const field = world.tenant.store.documents.get(id)?.fields.find((one) => one.name === name);
  if (!field) throw new Error(`no field ${name}`);
  return field.uuid;
}

/** A form with the named fields filled in. */
function filled(world: TestWorld, id: string, act: string, values: Record<string, string>): Record<string, string> {
  return {
    act,
    fields: "1",
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`f.${fieldOf(world, id, name)}`, value])),
  };
}

/** The text of the paragraph with this test id. */
function textOf(html: string, testId: string): string | undefined {
  return new RegExp(`data-testid="${testId}">(.*?)</p>`, "s").exec(html)?.[1]?.replaceAll(/<\/?[a-z][^>]*>/g, "");
}

function why(page: Page): string | undefined {
  return /data-why="(\w+)"/.exec(page.html)?.[1];
}

function audits(world: TestWorld, id: string): number[] {
  return world.tenant.store.audit.where("document", id).map((row) => row.action);
}

describe("GET /s/{session}", () => {
  test("the first visit moves the document to viewed, and later visits change nothing", async () => {
    const { id, path } = await aSession(world);
    const page = await visit(world, path);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("x-frame-options")).toBeNull();
    expect(await statusOf(world, id)).toBe("document.viewed");
    const before = world.tenant.store.snapshot();
    await visit(world, path);
    expect(world.tenant.store.snapshot()).toEqual(before);
  });

  test("an unknown session answers 404, and so does the session of a deleted document", async () => {
    const { id, path } = await aSession(world);
    const unknown = await visit(world, "/s/nothing/");
    expect([unknown.status, why(unknown)]).toEqual([404, "unknown"]);
    await succeed(world.call("deleteDocument", { params: { id } }));
    expect((await visit(world, path)).status).toBe(404);
  });

  test.each([
    ["decline", "declined"],
    ["expire", "expired"],
    ["review", "review"],
  ])("after %s the page states the reason", async (name, reason) => {
    const { id, path } = await aSession(world);
    await simulate(world, id, name);
    expect(why(await visit(world, path))).toBe(reason);
  });

  test("a declined document says who declined it, when and why, and that no call makes a new link", async () => {
    const { id, path } = await aSession(world);
    await visit(world, path, { act: "decline", reason: "Too <b>expensive</b>" });
    const { html } = await visit(world, path);
    expect(textOf(html, "declined-by")).toBe("Ivo Marek declined it on 2026-03-02 09:00.");
    expect(textOf(html, "reason")).toBe("Reason: Too &lt;b&gt;expensive&lt;/b&gt;");
    expect(textOf(html, "testing")).toContain("No call makes a new link for a declined document.");
    expect(html).toContain(`href="/__admin/?view=documents&amp;id=${id}"`);
    const link = await world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } });
    expect(link.status).toBe(400);
  });

  test("text from outside is escaped", async () => {
    const { id, path } = await aSession(world, { body: { name: "<img src=x onerror=alert(1)></script>" } });
    expect((await visit(world, path)).html).not.toContain("<img src=x");
    await simulate(world, id, "decline");
    const page = await visit(world, path);
    expect(why(page)).toBe("declined");
    expect(page.html).not.toContain("<img src=x");
  });

  test("a session ends when its document returns to draft, and a second send does not restore it", async () => {
    const { id, path } = await aSession(world);
    await succeed(world.call("documentRevertToDraft", { params: { id } }));
    expect([(await visit(world, path)).status, why(await visit(world, path))]).toEqual([404, "unknown"]);
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    expect((await visit(world, path)).status).toBe(404);
  });

  test("a CC sees a page for reading, without a button to finish", async () => {
    const { path } = await aSession(world, {
      recipient: "reader@client.example",
      body: { recipients: [CLIENT, { email: "reader@client.example" }] },
    });
    const page = await visit(world, path);
    expect(page.html).toContain("For you to read");
    expect(page.html).not.toContain('data-testid="finish"');
  });
});

describe("POST /s/{session}", () => {
  test("save stores the entered values, and finish names invalid values and keeps the others in the form", async () => {
    const { id, path } = await aSession(world, { template: "everyField" });
    const saved = await visit(world, path, filled(world, id, "save", { Text: "Kept" }));
    expect([saved.status, saved.headers.get("location")]).toEqual([303, `${path}?notice=save`]);
    expect((await visit(world, path)).html).toContain('value="Kept"');
    const wrong = await visit(world, path, filled(world, id, "save", { Text: "Also kept", Date: "soon" }));
    expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining("Datetime has wrong format.")]);
    expect((await visit(world, path)).html).toContain('value="Also kept"');
    const refused = await visit(world, path, filled(world, id, "finish", { Text: "Newer", Date: "soon", Dropdown: "Huge" }));
    expect(refused.status).toBe(422);
    expect(refused.html).toContain("Datetime has wrong format.");
    expect(refused.html).toContain("&quot;Huge&quot; is not a valid choice.");
    expect(refused.html).toContain('value="Newer"');
    expect(await statusOf(world, id)).toBe("document.viewed");
  });

  test("finish fails with a file that is too large, and the page posts an exception message", async () => {
    const { id, path } = await aSession(world, { template: "everyField" });
    const before = world.tenant.store.snapshot();
    const form = new FormData();
    for (const [name, value] of Object.entries(filled(world, id, "finish", { Text: "Ivo" }))) form.append(name, value);
    form.append(`u.${fieldOf(world, id, "File")}`, new File([new Uint8Array(25 * 1024 * 1024 + 1)], "large.bin"));
    const page = await visit(world, path, form);
    expect(page.status).toBe(409);
    expect(page.html).toContain('"type":"session_view.document.exception"');
    expect(page.html).toContain("The file is larger than 25 MB.");
    expect(world.tenant.store.snapshot()).toEqual(before);
  });

  test("a recipient cannot finish before their turn, and the page posts an exception message", async () => {
    const { id, path } = await aSession(world, { template: "twoSigners", recipient: DIRECTOR.email });
    const page = await visit(world, path, filled(world, id, "finish", { DirectorSignature: "Tess" }));
    expect(why(page)).toBe("turn");
    expect(page.html).toContain("session_view.document.exception");
    expect(world.tenant.store.documents.get(id)?.fields.some((field) => field.value !== null)).toBe(false);
  });

  test("a form cannot fill the fields of other recipients", async () => {
    const { id, path } = await aSession(world, { template: "twoSigners" });
    const saved = await visit(world, path, filled(world, id, "save", { ClientName: "Ivo", DirectorSignature: "Forged" }));
    expect(saved.status).toBe(303);
    const forged = { recipient: CLIENT.email, fields: { DirectorSignature: "Forged" } };
    expect((await world.admin("POST", `/documents/${id}/simulate/fill`, forged)).status).toBe(400);
    const fields = world.tenant.store.documents.get(id)?.fields ?? [];
    expect(fields.find((one) => one.name === "ClientName")?.value).toBe("Ivo");
    expect(fields.find((one) => one.name === "DirectorSignature")?.value).toBeNull();
  });

  test("an unreadable form and an unknown act are refused", async () => {
    const { path } = await aSession(world, { template: "pricing" });
    const broken = await world.sandbox.fetch(path, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" },
    });
    expect(broken.status).toBe(400);
    expect((await visit(world, path, { act: "explode" })).status).toBe(400);
    // The page needs no credentials, so they do not come before the method.
    expect((await world.sandbox.fetch(path, { method: "DELETE" })).status).toBe(405);
  });

  test("with a passcode before opening, a wrong passcode is refused and audited, and the right passcode opens the document", async () => {
    const guarded = {
      ...CLIENT,
      verification_settings: { verification_place: "before_open", passcode_verification: { passcode: "abc1234" } },
    };
    const { id, path } = await aSession(world, { body: { recipients: [guarded] } });
    expect((await visit(world, path)).html).toContain('data-kind="passcode"');
    expect(await statusOf(world, id)).toBe("document.sent");
    expect((await visit(world, path, filled(world, id, "finish", { Company: "X" }))).status).toBe(403);
    const wrong = await visit(world, path, { act: "verify", answer: "letmein1" });
    expect(wrong.status).toBe(403);
    expect(wrong.html).toContain("This is not correct.");
    expect((await visit(world, path, { act: "verify", answer: "abc1234" })).status).toBe(303);
    expect((await visit(world, path)).html).toContain('data-testid="signing-form"');
    expect(audits(world, id)).toEqual(expect.arrayContaining([54, 50]));
  });

  test("a new passcode asks a recipient again who has entered the old one", async () => {
    const settings = (passcode: string) => ({ verification_place: "before_open", passcode_verification: { passcode } });
    const { id, path } = await aSession(world, {
      body: { recipients: [{ ...CLIENT, verification_settings: settings("abc1234") }] },
    });
    await visit(world, path, { act: "verify", answer: "abc1234" });
    expect((await visit(world, path)).html).toContain('data-testid="signing-form"');
    const recipient_id = world.sandbox.documents.get(id)?.recipients[0]?.id ?? "";
    const edit = (body: object) => succeed(world.call("editDocumentRecipient", { params: { id, recipient_id }, body }));
    await edit({ last_name: "Marek-Novak" });
    expect((await visit(world, path)).html).toContain('data-testid="signing-form"');
    await edit({ verification_settings: settings("xyz9876") });
    expect((await visit(world, path)).html).toContain('data-kind="passcode"');
    expect((await visit(world, path, { act: "verify", answer: "abc1234" })).status).toBe(403);
    expect((await visit(world, path, { act: "verify", answer: "xyz9876" })).status).toBe(303);
  });

  test("with a passcode before signing, the document opens, and finish asks for the passcode", async () => {
    const verification_settings = { verification_place: "before_sign", passcode_verification: { passcode: "abc1234" } };
    const { id, path } = await aSession(world, {
      template: "pricing",
      body: { recipients: [{ ...CLIENT, verification_settings }] },
    });
    expect((await visit(world, path)).html).toContain('data-testid="signing-form"');
    const form = filled(world, id, "finish", { Signature: "Ivo Marek" });
    expect((await visit(world, path, form)).html).toContain('data-kind="passcode"');
    expect(await statusOf(world, id)).toBe("document.viewed");
    await visit(world, path, { act: "verify", answer: "abc1234" });
    await visit(world, path, form);
    expect(await statusOf(world, id)).toBe("document.completed");
  });

  test("with a mailed code before signing, the page asks for the code again after it sent one", async () => {
    const verification_settings = {
      verification_place: "before_sign",
      email_otp_verification: { email: "other@client.example" },
    };
    const { id, path } = await aSession(world, {
      template: "pricing",
      body: { recipients: [{ ...CLIENT, verification_settings }] },
    });
    const form = filled(world, id, "finish", { Signature: "Ivo Marek" });
    expect((await visit(world, path, form)).html).toContain('data-kind="email"');
    const page = await visit(world, path, { act: "send_code" });
    expect([page.status, page.html]).toEqual([200, expect.stringContaining('data-kind="email"')]);
    const [mail] = (await world.admin("GET", "/emails?kind=verification_code")).body.emails;
    await visit(world, path, { act: "verify", answer: String(/\d{6}/.exec(mail.text)) });
    await visit(world, path, form);
    expect(await statusOf(world, id)).toBe("document.completed");
  });

  test("a verification code arrives by mail, and an identity check fails or passes as the form requests", async () => {
    const mailed = {
      ...CLIENT,
      verification_settings: { verification_place: "before_open", email_otp_verification: { email: "other@client.example" } },
    };
    const { path } = await aSession(world, { body: { recipients: [mailed] } });
    expect((await visit(world, path, { act: "verify", answer: "" })).status).toBe(403);
    expect((await visit(world, path, { act: "send_code" })).status).toBe(303);
    const [mail] = (await world.admin("GET", "/emails?kind=verification_code")).body.emails;
    expect(mail.to).toBe("other@client.example");
    expect((await visit(world, path, { act: "verify", answer: String(/\d{6}/.exec(mail.text)) })).status).toBe(303);
    expect((await visit(world, path)).html).toContain('data-testid="signing-form"');

    const checked = {
      ...CLIENT,
      verification_settings: { verification_place: "before_open", id_verification: { enabled: true } },
    };
    const other = await aSession(world, { body: { recipients: [checked] } });
    expect((await visit(world, other.path, { act: "verify", answer: "fail" })).status).toBe(403);
    expect((await visit(world, other.path, { act: "verify", answer: "pass" })).status).toBe(303);
    expect(audits(world, other.id)).toEqual(expect.arrayContaining([52, 48]));
  });

  test.each([
    [{ act: "decline", reason: "Too late" }, "Cannot decline the document"],
    [{ act: "suggest", text: "Shorter" }, "Cannot review the document"],
    [{ act: "forward", email: "new@client.example" }, "Cannot forward the document"],
  ])("the page of a completed document refuses %j and changes nothing", async (form, words) => {
    const { id, path } = await aSession(world);
    await simulate(world, id, "sign");
    const { internal, ...row } = world.tenant.store.documents.get(id) as DocumentRow;
    const settings = { ...internal.settings, suggest_edits: true };
    const document = world.tenant.store.documents.put({ ...row, internal: { ...internal, settings } });
    const page = await visit(world, path, form);
    expect([page.status, page.html]).toEqual([409, expect.stringContaining(`${words}: it is in document.completed`)]);
    expect(world.tenant.store.documents.get(id)).toEqual(document);
    expect(world.tenant.store.comments.where("document", id)).toEqual([]);
  });

  test("a failed payment leaves the document waiting, and a successful payment makes it paid", async () => {
    const { id, path } = await aSession(world, { template: "payment" });
    expect((await visit(world, path, { act: "pay" })).status).toBe(409);
    expect((await world.admin("POST", `/documents/${id}/simulate/pay`, {})).status).toBe(409);
    await visit(world, path, filled(world, id, "finish", { Signature: "Ivo Marek" }));
    expect(await statusOf(world, id)).toBe("document.waiting_pay");
    expect((await visit(world, path)).html).toContain("Pay 1,200.00 USD");
    expect((await visit(world, path, { act: "pay_fail" })).headers.get("location")).toBe(`${path}?notice=pay_fail`);
    expect(await statusOf(world, id)).toBe("document.waiting_pay");
    await visit(world, path, { act: "pay" });
    expect(await statusOf(world, id)).toBe("document.paid");
    expect(audits(world, id)).toEqual(expect.arrayContaining([17, 11]));
  });

  test("a comment appears on the page, and is mailed to the owner unless the send was silent", async () => {
    const { id, path } = await aSession(world, { template: "twoSigners", silent: false });
    expect((await visit(world, path, { act: "comment", text: "  " })).status).toBe(422);
    expect((await visit(world, path, { act: "comment", text: "What about <b>page 2</b>?" })).status).toBe(303);
    expect((await visit(world, path)).html).toContain("What about &lt;b&gt;page 2&lt;/b&gt;?");
    const [mail] = (await world.admin("GET", "/emails?kind=comment")).body.emails;
    expect(mail.text).toBe("Ivo Marek: What about <b>page 2</b>?");
    const silent = await aSession(world);
    await visit(world, silent.path, { act: "comment", text: "Quiet" });
    expect((await world.admin("GET", "/emails?kind=comment")).body.emails).toHaveLength(1);
    expect(world.tenant.store.comments.where("document", id)).toHaveLength(1);
  });

  test("forwarding adds a CC, and reassigning transfers the fields and ends the session", async () => {
    const { id, path } = await aSession(world);
    expect((await visit(world, path, { act: "forward", email: "nobody" })).status).toBe(422);
    expect((await visit(world, path, { act: "forward", email: CLIENT.email })).status).toBe(422);
    await visit(world, path, { act: "forward", email: "copy@client.example", first_name: "Cora" });
    await visit(world, path, { act: "forward", email: "deputy@client.example", first_name: "Dana", reassign: "1" });
    expect((await visit(world, path)).status).toBe(404);
    const { body } = await world.call("detailsDocument", { params: { id } });
    expect(body.recipients.map((one: { email: string; recipient_type: string }) => [one.email, one.recipient_type])).toEqual([
      ["deputy@client.example", "signer"],
      ["copy@client.example", "CC"],
    ]);
    const mails = (await world.admin("GET", "/emails?kind=forwarded")).body.emails;
    expect(mails.map((mail: { to: string }) => mail.to)).toEqual(["copy@client.example", "deputy@client.example"]);
    const link = await visit(world, new URL(mails[1].link).pathname);
    expect((await visit(world, String(link.headers.get("location")))).html).toContain("for <bdi>Dana");
    expect(audits(world, id)).toEqual(expect.arrayContaining([12, 23]));
  });

  test("forwarding and suggested edits are refused when the sender does not allow them", async () => {
    const id = await aDraft(world);
    await succeed(world.call("sendDocument", { params: { id }, body: { forwarding_settings: { forwarding_allowed: false } } }));
    const path = await sessionOf(world, id, CLIENT.email);
    expect((await visit(world, path)).html).not.toContain('data-testid="forward"');
    const before = world.tenant.store.snapshot();
    expect((await visit(world, path, { act: "forward", email: "copy@client.example" })).status).toBe(422);
    expect((await visit(world, path, { act: "suggest", text: "Cheaper" })).status).toBe(403);
    expect(world.tenant.store.snapshot()).toEqual(before);
  });
});

describe("GET /document/{token}", () => {
  test("a shared link opens a session of its recipient", async () => {
    const id = await aSentDocument(world);
    const { body } = await world.call("detailsDocument", { params: { id } });
    const answer = await visit(world, new URL(body.recipients[0].shared_link).pathname);
    expect(answer.status).toBe(303);
    const page = await visit(world, String(answer.headers.get("location")));
    expect(page.html).toContain("for <bdi>Ivo Marek</bdi>");
  });

  test("each member of a group receives a mail, and a member who follows the link signs for the group", async () => {
    const members = [{ email: "one@client.example" }, { email: "two@client.example", first_name: "Tove" }];
    const id = await aSentDocument(world, {
      template: "pricing",
      silent: false,
      body: { recipients: [{ type: "recipient_group", name: "Board", role: "Client", members }] },
    });
    const mails = (await world.admin("GET", "/emails?kind=sent")).body.emails;
    expect(mails.map((mail: { to: string }) => mail.to)).toEqual(["one@client.example", "two@client.example"]);
    const path = String((await visit(world, new URL(mails[1].link).pathname)).headers.get("location"));
    await visit(world, path, filled(world, id, "finish", { Signature: "Tove" }));
    const [group] = (await world.call("detailsDocument", { params: { id } })).body.recipients;
    expect(group).toMatchObject({
      has_completed: true,
      members: [{ signature_date: null }, { signature_date: "2026-03-02T09:00:05.000000Z" }],
    });
  });

  test("a link to a draft or a declined document states the reason, and an unknown link answers 404", async () => {
    const id = await aDraft(world);
    const path = `/document/${world.tenant.store.documents.get(id)?.recipients[0]?.internal.link_token}`;
    expect(why(await visit(world, path))).toBe("not_out");
    await succeed(world.call("sendDocument", { params: { id }, body: {} }));
    await simulate(world, id, "decline");
    expect(why(await visit(world, path))).toBe("declined");
    expect((await visit(world, "/document/0123456789")).status).toBe(404);
    expect((await visit(world, "/files/none/name")).status).toBe(404);
  });
});
