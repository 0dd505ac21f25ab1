/** People: one person in two roles, recipient groups, unknown names, schedules and magic addresses. */
import { describe, expect, test } from "vitest";
import { eventsOf, subscribe } from "../../support/content.ts";
import { aPdf, pdfTexts } from "../../support/pdf-texts.ts";
import { aDraft, CLIENT, DIRECTOR, simulate, statusOf, succeed, TEMPLATES } from "../../support/stories.ts";
import { testWorld, useWorld, type TestWorld } from "../../support/world.ts";
import type { SandboxOptions } from "../../../src/library/types.ts";
import type { DocumentRow } from "../../../src/service/nouns/documents/row.ts";

const world = useWorld();

const BOTH = [CLIENT, { ...CLIENT, email: CLIENT.email.toUpperCase(), role: DIRECTOR.role }];

async function detailsOf(world: TestWorld, id: string) {
  return (await succeed(world.call("detailsDocument", { params: { id } }))).body;
}

/** A draft from the template for two signers with these recipients. */
const aDraftFor = (world: TestWorld, recipients: object[]) => aDraft(world, { template: "twoSigners", body: { recipients } });

/** A group in the role Client. In these tests the first acting member is never the first of the list. */
const GROUP = {
  type: "recipient_group",
  name: "Board",
  role: "Client",
  members: [
    { email: "ada@board.example", first_name: "Ada", last_name: "Ames" },
    { email: "ben@board.example", first_name: "Ben", last_name: "Boyd" },
    { email: "cy@board.example", first_name: "Cy", last_name: "Cole" },
  ],
};

async function aSentDocumentFor(world: TestWorld, recipients: object[], template: keyof typeof TEMPLATES = "twoSigners") {
  const id = await aDraft(world, { template, body: { recipients } });
  await succeed(world.call("sendDocument", { params: { id }, body: {} }));
  return id;
}

async function aSession(world: TestWorld, id: string, recipient: string): Promise<string> {
  return `/s/${(await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient } }))).body.id}`;
}

const pageOf = async (world: TestWorld, path: string) =>
  new TextDecoder().decode((await world.request("GET", path, { key: null })).body);

/** Signs on the page of a session. */
async function signOnPage(world: TestWorld, id: string, path: string): Promise<void> {
  await world.request("GET", path, { key: null });
  const fields = world.tenant.store.documents.get(id)?.fields ?? [];
  const values = fields.map((field) => [`f.${field.uuid}`, field.type === "date" ? "2026-03-02" : "x"] as const);
  const parts = { act: "finish", fields: "1", ...Object.fromEntries(values) };
  expect((await world.request("POST", path, { key: null, parts })).status).toBe(200);
}

const auditOf = async (world: TestWorld, id: string) =>
  (await succeed(world.call("listDocumentAuditTrail", { params: { document_id: id } }))).body.results as {
    action: number;
    user: { email: string };
  }[];

/** The emails of all who viewed (8) and completed (9), in order. */
async function actorsOf(world: TestWorld, id: string): Promise<[number, string][]> {
  const trail = await auditOf(world, id);
  return trail.flatMap(({ action, user }): [number, string][] => (action === 8 || action === 9 ? [[action, user.email]] : []));
}

const refusal = (world: TestWorld, id: string, act: string, input: object) =>
  world.admin("POST", `/documents/${id}/simulate/${act}`, input);

describe("a person with several parts", () => {
  test("a session by email opens the part that is still open", async () => {
    const second = { ...GROUP, name: "Audit", role: "Director", members: GROUP.members.slice(1) };
    const id = await aSentDocumentFor(world, [GROUP, second]);
    for (const name of ["Board", "Audit"]) {
      const path = await aSession(world, id, "BEN@board.example");
      expect(await pageOf(world, path)).toContain(`<bdi>${name}</bdi>`);
      await signOnPage(world, id, path);
    }
    expect(await statusOf(world, id)).toBe("document.completed");
  });

  test("simulate by email acts for the open part, also when the person is a signer and in a group", async () => {
    const id = await aSentDocumentFor(world, [GROUP, { email: "ben@board.example", role: "Director" }]);
    await simulate(world, id, "sign", { recipient: "ben@board.example" });
    await simulate(world, id, "sign", { recipient: "ben@board.example" });
    expect(await statusOf(world, id)).toBe("document.completed");
  });

  test("one person in two roles signs both in one session, and a new session says that it is finished", async () => {
    const world = await testWorld({ assume: { "recipients.same_email": "join" } });
    const id = await aSentDocumentFor(world, BOTH);
    await signOnPage(world, id, await aSession(world, id, CLIENT.email));
    expect(await statusOf(world, id)).toBe("document.completed");
    expect(await pageOf(world, await aSession(world, id, CLIENT.email))).toContain("You have finished this document");
  });
});

describe("members of a group", () => {
  test("event, audit trail, comment and page name the acting member", async () => {
    await subscribe(world, ["recipient_completed"]);
    const id = await aSentDocumentFor(world, [GROUP, DIRECTOR]);
    const path = await aSession(world, id, "ben@board.example");
    expect(await pageOf(world, path)).toContain("Ben Boyd");
    await world.request("POST", path, { key: null, parts: { act: "comment", text: "Fine" } });
    expect(await pageOf(world, path)).toContain("Ben Boyd, 2026");
    await signOnPage(world, id, path);
    const [event] = await eventsOf(world, "recipient_completed");
    const [, ben] = (await detailsOf(world, id)).recipients[0].members;
    expect(event.action_by).toEqual({ id: ben.id, email: "ben@board.example", first_name: "Ben", last_name: "Boyd" });
    expect(await actorsOf(world, id)).toEqual([
      [8, "ben@board.example"],
      [9, "ben@board.example"],
    ]);
    const { emails } = (await world.admin("GET", "/emails?kind=comment")).body;
    expect(emails).toMatchObject([{ text: "Ben Boyd: Fine" }]);
    expect(await pageOf(world, await aSession(world, id, "ada@board.example"))).toContain(
      "Ben Boyd has finished this document for Board",
    );
  });

  test("the certificate in the download names the member and the group", async () => {
    const id = await aSentDocumentFor(world, [GROUP], "oneSigner");
    await simulate(world, id, "sign", { recipient: "ben@board.example" });
    await world.advance("10s");
    const { body } = await world.call("downloadDocument", { params: { id } });
    expect((await pdfTexts(body)).join(" ")).toContain("Ben Boyd for Board");
  });

  test("the session of a member who left the group answers 404", async () => {
    const id = await aSentDocumentFor(world, [GROUP, DIRECTOR]);
    const path = await aSession(world, id, "ben@board.example");
    const { recipients } = await detailsOf(world, id);
    const params = { id, recipient_id: recipients[0].id };
    const members = [{ email: "ada@board.example" }];
    await succeed(world.call("editDocumentRecipient", { params, body: { name: "Board", members } }));
    expect((await world.request("GET", path, { key: null })).status).toBe(404);
  });
});

describe("signing members", () => {
  test("an actor that matches a member acts as this member", async () => {
    const actors = [
      {
        name: "cy",
        on: "document.sent" as const,
        recipient: { email: "cy@board.example" },
        steps: [{ after: "1m", do: "sign" as const }],
      },
    ];
    const world = await testWorld({ scenario: { version: 1, name: "cy", actors } });
    const id = await aSentDocumentFor(world, [GROUP, DIRECTOR]);
    await world.advance("2m");
    expect((await actorsOf(world, id)).at(-1)).toEqual([9, "cy@board.example"]);
  });
});

describe("wrong inputs of acts", () => {
  test.each([
    ["approve", { recipient: "nobody@x.example" }, 400, "approve takes member"],
    ["decline", { member: "nobody@x.example" }, 400, "decline takes recipient, reason"],
    ["view", { fields: { Company: "x" } }, 400, "view takes recipient"],
    ["unlock", { reason: "x" }, 400, "unlock takes no input"],
    ["view", { recipient: "nobody@x.example" }, 404, "ada@board.example, ben@board.example, cy@board.example"],
    ["pay", { recipient: "nobody@x.example" }, 404, "ada@board.example"],
    ["pay_fail", { recipient: "nobody@x.example" }, 404, "ada@board.example"],
    ["remind", { recipient: "nobody@x.example" }, 404, "ada@board.example"],
    ["opt_out", { recipient: "nobody@x.example" }, 404, "ada@board.example"],
    ["lock", { member: "nobody@x.example" }, 404, "nora.lind@northpeak.example"],
    ["fill", { fields: { Nothing: "x" } }, 400, "the fields of Board are ClientName, ClientDate, ClientSignature"],
    ["sign", { pricing: { Nothing: { selected: true } } }, 400, "the signer may choose nothing"],
  ])("%s with %j is refused with the accepted values", async (name, input, status, why) => {
    const id = await aSentDocumentFor(world, [GROUP, DIRECTOR]);
    const before = await statusOf(world, id);
    const answer = await refusal(world, id, name, input);
    expect(answer).toMatchObject({ status, body: { why: expect.stringContaining(why) } });
    expect(await statusOf(world, id)).toBe(before);
  });

  test("an unknown member or a member without a turn cannot approve", async () => {
    const id = await aDraft(world, { template: "approval" });
    await succeed(world.call("sendDocument", { params: { id }, body: {} }));
    expect(await refusal(world, id, "approve", { member: "nobody@x.example" })).toMatchObject({ status: 404 });
    expect(await refusal(world, id, "approve", { member: "nora.lind@northpeak.example" })).toMatchObject({
      status: 400,
      body: { why: expect.stringContaining("sam.ode@northpeak.example") },
    });
    expect(await statusOf(world, id)).toBe("document.waiting_approval");
  });
});

describe("acts that open the document", () => {
  test.each([
    ["fill", { fields: { Company: "Marek" } }],
    ["comment", { text: "Fine" }],
    ["forward", { to: { email: "una@client.example" } }],
  ])("%s opens the document first", async (name, input) => {
    await subscribe(world, ["document_state_changed"]);
    const id = await aSentDocumentFor(world, [CLIENT], "oneSigner");
    await simulate(world, id, name, input);
    expect(await statusOf(world, id)).toBe("document.viewed");
    expect((await eventsOf(world, "document_state_changed")).at(-1)).toMatchObject({ status: "document.viewed" });
  });
});

describe("collected files", () => {
  test("a simulated signer submits the named file, which can be downloaded", async () => {
    const id = await aSentDocumentFor(world, [{ ...CLIENT, role: "Signer" }], "everyField");
    const file = world.tenant.store.documents.get(id)?.fields.find((field) => field.type === "collect_file");
    await simulate(world, id, "sign", { fields: { [file?.name ?? ""]: "contract.pdf" } });
    const { fields } = await detailsOf(world, id);
    const { value } = fields.find((field: { type: string }) => field.type === "collect_file");
    expect(value).toEqual({ name: "contract.pdf", url: expect.stringContaining("/contract.pdf") });
    const fetched = await world.request("GET", new URL(value.url).pathname, { key: null });
    expect([fetched.status, new TextDecoder().decode(fetched.body)]).toEqual([200, "contract.pdf\n"]);
  });

  test("a value that is not a file name is refused", async () => {
    const id = await aSentDocumentFor(world, [{ ...CLIENT, role: "Signer" }], "everyField");
    const file = world.tenant.store.documents.get(id)?.fields.find((field) => field.type === "collect_file");
    for (const value of [true, 3])
      expect(await refusal(world, id, "fill", { fields: { [file?.name ?? ""]: value } })).toMatchObject({
        status: 400,
        body: { why: expect.stringContaining("needs the name of a file") },
      });
  });
});

/** A world that joins the roles of one person. By default docdouble refuses such a request. */
const joining = (options: SandboxOptions = {}) => testWorld({ ...options, assume: { "recipients.same_email": "join" } });

describe("one person in two roles", () => {
  test("one email in two roles is one recipient who signs for both", async () => {
    const world = await joining();
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

  test("a joined recipient keeps the verification, the channels and the redirect of both entries", async () => {
    const world = await joining();
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

  test("two emails with one phone number stay two recipients, and one number without emails is one recipient", async () => {
    const world = await joining();
    const phone = "+15550000002";
    const texted = { phone, delivery_methods: { sms: true } };
    const two = await aDraftFor(world, [
      { ...CLIENT, phone },
      { ...DIRECTOR, phone },
    ]);
    expect((await detailsOf(world, two)).recipients).toHaveLength(2);
    const other = await joining();
    const one = await aDraftFor(other, [
      { ...texted, role: "Client" },
      { ...texted, role: "Director" },
    ]);
    expect((await detailsOf(other, one)).recipients).toMatchObject([{ phone, roles: ["Client", "Director"] }]);
  });

  test("a reassigned part joins the recipient who receives it, at the earlier turn", async () => {
    const world = await joining();
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

describe("unknown roles", () => {
  test.each(["client", "Nobody"])("the role %s, which the template lacks, is refused", async (role) => {
    const body = { template_uuid: TEMPLATES.oneSigner, name: "Offer", recipients: [{ ...CLIENT, role }] };
    const answer = await world.call("createDocument", { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { type: "validation_error", detail: { non_field_errors: [`Role '${role}' does not exist`] } },
    });
    expect(world.tenant.store.documents.size).toBe(0);
  });

  test("a fixture with an unknown role names the roles of the template", async () => {
    const documents = [{ name: "Offer", template: TEMPLATES.oneSigner, recipients: [{ ...CLIENT, role: "client" }] }];
    await expect(testWorld({ scenario: { version: 1, name: "offer", world: { documents } } })).rejects.toThrow(
      "the template has the roles Client",
    );
  });

  test("an uploaded file accepts any role, because its tags name the roles", async () => {
    const data = { name: "File", recipients: [{ ...CLIENT, role: "Anything" }], fields: {} };
    expect(await world.call("createDocumentFromUpload", { parts: { file: await aPdf(["Page"]), data } })).toMatchObject({
      status: 201,
    });
  });
});

describe("magic addresses", () => {
  const acting = (word: string) => `pat+${word}@client.example`;

  test("members of a group act by their addresses, and the first signature counts", async () => {
    const members = [{ email: acting("view.after=1m") }, { email: acting("sign.after=2m") }, { email: acting("never") }];
    const id = await aSentDocumentFor(world, [{ ...GROUP, members }, DIRECTOR]);
    await world.advance("5m");
    expect(await actorsOf(world, id)).toEqual([
      [8, members[0]?.email],
      [8, members[1]?.email],
      [9, members[1]?.email],
    ]);
  });

  test("a document that is sent again starts the acts again", async () => {
    const id = await aSentDocumentFor(world, [{ ...CLIENT, email: acting("view.after=1m") }], "oneSigner");
    await world.advance("2m");
    await succeed(world.call("documentRevertToDraft", { params: { id } }));
    await succeed(world.call("sendDocument", { params: { id }, body: {} }));
    await world.advance("2m");
    expect(await actorsOf(world, id)).toHaveLength(2);
  });
});

describe("scheduled documents", () => {
  const scheduleAt = (world: TestWorld, id: string, at: unknown) =>
    refusal(world, id, "schedule", at === undefined ? {} : { at });

  test("a scheduled document is sent at its time, with events and mail", async () => {
    await subscribe(world, ["document_state_changed"]);
    const id = await aDraft(world);
    await simulate(world, id, "schedule", { at: "2026-03-03T09:00:00Z" });
    expect(await statusOf(world, id)).toBe("document.scheduled");
    const state = (await world.admin("GET", `/documents/${id}`)).body;
    expect(state).toMatchObject({ scheduled: "2026-03-03T09:00:00.000000Z" });
    expect(state.jobs.map(({ kind }: { kind: string }) => kind)).toContain("send_scheduled");
    expect(new TextDecoder().decode((await world.request("GET", `/__admin/?view=documents&id=${id}`)).body)).toContain(
      "Scheduled for",
    );
    await world.advance("23h");
    expect(await statusOf(world, id)).toBe("document.scheduled");
    await world.advance("2h");
    const details = await detailsOf(world, id);
    expect(details).toMatchObject({ status: "document.sent", date_sent: "2026-03-03T09:00:00.000000Z" });
    expect(details.sent_by.email).toBe(details.created_by.email);
    const events = await eventsOf(world, "document_state_changed");
    expect(events.map(({ status }) => status)).toEqual(["document.draft", "document.scheduled", "document.sent"]);
    expect((await world.admin("GET", "/emails?kind=sent")).body.emails).toMatchObject([{ to: CLIENT.email }]);
    expect((await world.admin("GET", `/documents/${id}`)).body.scheduled).toBeNull();
  });

  test("a scheduled document refuses a send, and stays a draft after a revert", async () => {
    const id = await aDraft(world);
    await simulate(world, id, "schedule", { at: "2h" });
    expect((await world.call("sendDocument", { params: { id }, body: {} })).status).toBe(409);
    await succeed(world.call("documentRevertToDraft", { params: { id } }));
    await world.advance("3h");
    expect(await statusOf(world, id)).toBe("document.draft");
    await simulate(world, id, "schedule", { at: "1h" });
    await world.advance("1h");
    expect(await statusOf(world, id)).toBe("document.sent");
  });

  test("a document with approvers waits for approval at its time", async () => {
    const id = await aDraft(world, { template: "approval" });
    await simulate(world, id, "schedule", { at: "1h" });
    await world.advance("1h");
    expect(await statusOf(world, id)).toBe("document.waiting_approval");
  });

  test.each([
    [undefined, "This field is required."],
    ["soon", '"soon" is not an ISO 8601 instant'],
    ["2020-01-01T00:00:00Z", "is not later than the clock"],
    ["99999999d", "is too long"],
  ])("the time %s is refused", async (at, text) => {
    const id = await aDraft(world);
    const answer = await scheduleAt(world, id, at);
    expect(answer).toMatchObject({ status: 400, body: { detail: { at: [expect.stringContaining(text)] } } });
    expect(await statusOf(world, id)).toBe("document.draft");
  });

  test("a document that cannot be sent at its time stays scheduled, and its state shows the reason", async () => {
    const id = await aDraft(world);
    await simulate(world, id, "schedule", { at: "1h" });
    const { store } = world.tenant;
    const row = store.documents.get(id) as DocumentRow;
    const texted = row.recipients.map((one) => ({ ...one, phone: null, delivery_methods: { email: true, sms: true } }));
    store.transaction(() => store.documents.put({ ...row, recipients: texted }));
    await world.advance("2h");
    expect((await world.admin("GET", `/documents/${id}`)).body).toMatchObject({
      status: "document.scheduled",
      scheduled: null,
      failure: {
        type: "send",
        detail:
          "Cannot send the scheduled document: recipients[0] gets text messages, by its delivery methods or by those of its contact or role, and has no number.",
      },
    });
  });

  test("fixtures and actors can schedule", async () => {
    const documents = [
      {
        as: "later",
        name: "Later",
        template: TEMPLATES.oneSigner,
        status: "document.scheduled" as const,
        send_at: "3h",
        recipients: [CLIENT],
      },
    ];
    const actors = [
      { name: "planner", on: "document.draft" as const, steps: [{ do: "schedule" as const, with: { at: "2h" }, after: "1m" }] },
    ];
    const world = await testWorld({ scenario: { version: 1, name: "later", world: { documents: documents as never }, actors } });
    const planted = world.tenant.store.documents.all()[0]?.id ?? "";
    const id = await aDraft(world);
    await world.advance("1m");
    expect([await statusOf(world, planted), await statusOf(world, id)]).toEqual(["document.scheduled", "document.scheduled"]);
    await world.advance("2h");
    expect([await statusOf(world, planted), await statusOf(world, id)]).toEqual(["document.scheduled", "document.sent"]);
    await world.advance("1h");
    expect(await statusOf(world, planted)).toBe("document.sent");
  });
});
