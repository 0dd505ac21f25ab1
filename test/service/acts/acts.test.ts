import { describe, expect, test } from "vitest";
import { receiver } from "../../support/receiver.ts";
import {
  aCompletedDocument,
  aDraft,
  anUploadedDocument,
  aSentDocument,
  aSubscription,
  CLIENT,
  DIRECTOR,
  simulate,
  statusOf,
  succeed,
} from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";
import { ACTS } from "../../../src/service/kit/names.ts";

const world = useWorld();

interface Scene {
  begin(world: TestWorld): Promise<string>;
  input?: object;
  /** The document's status after the act. */
  status: string;
  /** Checks further effects of the act. */
  look?(world: TestWorld, id: string): Promise<void>;
}

const details = async (world: TestWorld, id: string) => (await succeed(world.call("detailsDocument", { params: { id } }))).body;
const waitingForApproval = async (world: TestWorld) => {
  const id = await aDraft(world, { template: "approval" });
  await succeed(world.call("sendDocument", { params: { id }, body: {} }));
  return id;
};
const waitingForPayment = async (world: TestWorld) => {
  const id = await aSentDocument(world, { template: "payment" });
  await simulate(world, id, "sign");
  return id;
};

const SCENES: Record<string, Scene> = {
  view: { begin: (world) => aSentDocument(world), status: "document.viewed" },
  fill: {
    begin: (world) => aSentDocument(world),
    input: { fields: { Company: "Marek & Sons", Agree: true } },
    status: "document.viewed",
    async look(world, id) {
      const { fields } = await details(world, id);
      expect(fields.find((one: { name: string }) => one.name === "Company").value).toBe("Marek & Sons");
    },
  },
  sign: {
    begin: (world) => aSentDocument(world, { template: "twoSigners" }),
    input: { recipient: CLIENT.email, fields: { ClientName: "Ivo" } },
    status: "document.viewed",
    async look(world, id) {
      const { recipients } = await details(world, id);
      expect(recipients.map((one: { has_completed: boolean }) => one.has_completed)).toEqual([true, false]);
    },
  },
  decline: { begin: (world) => aSentDocument(world), input: { reason: "too dear" }, status: "document.declined" },
  approve: {
    begin: waitingForApproval,
    input: { member: "sam.ode@northpeak.example" },
    status: "document.waiting_approval",
    async look(world, id) {
      await simulate(world, id, "approve", { member: "ines.carvalho@northpeak.example" });
      expect(await statusOf(world, id)).toBe("document.approved");
    },
  },
  reject: { begin: waitingForApproval, input: { reason: "not now" }, status: "document.rejected" },
  pay: { begin: waitingForPayment, status: "document.paid" },
  pay_fail: { begin: waitingForPayment, input: { reason: "card expired" }, status: "document.waiting_pay" },
  review: { begin: (world) => aSentDocument(world), input: { text: "clause 3?" }, status: "document.external_review" },
  accept_review: {
    async begin(world) {
      const id = await aSentDocument(world);
      await simulate(world, id, "review");
      return id;
    },
    status: "document.sent",
  },
  comment: {
    begin: (world) => aSentDocument(world, { silent: false }),
    input: { text: "Looks good" },
    status: "document.viewed",
    async look(world) {
      const { emails } = (await world.admin("GET", "/emails")).body;
      expect(emails.at(-1)).toMatchObject({ kind: "comment", text: expect.stringContaining("Looks good") });
    },
  },
  forward: {
    async begin(world) {
      const id = await aDraft(world);
      const forwarding_settings = { forwarding_allowed: true, forwarding_with_reassigning_allowed: true };
      await succeed(world.call("sendDocument", { params: { id }, body: { silent: true, forwarding_settings } }));
      return id;
    },
    input: { to: { email: DIRECTOR.email, reassign: true } },
    status: "document.viewed",
    async look(world, id) {
      const { recipients } = await details(world, id);
      expect(recipients.map((one: { email: string }) => one.email)).toEqual([DIRECTOR.email]);
    },
  },
  schedule: {
    begin: (world) => aDraft(world),
    input: { at: "2h" },
    status: "document.scheduled",
    async look(world, id) {
      await world.advance("2h");
      expect(await statusOf(world, id)).toBe("document.sent");
    },
  },
  expire: { begin: (world) => aSentDocument(world), status: "document.voided" },
  remind: {
    begin: (world) => aSentDocument(world),
    status: "document.sent",
    async look(world) {
      const { emails } = (await world.admin("GET", "/emails")).body;
      expect(emails).toMatchObject([{ kind: "reminder", to: CLIENT.email }]);
    },
  },
  opt_out: {
    begin: (world) => aSentDocument(world, { body: { recipients: [{ ...CLIENT, phone: "+15550001122" }] } }),
    status: "document.sent",
    async look(world) {
      expect((await world.call("listRecentSmsOptOuts")).body.results[0]).toMatchObject({
        phone_number: "+15550001122",
        status: "opt-out",
      });
    },
  },
  opt_in: {
    begin: (world) => aSentDocument(world, { body: { recipients: [{ ...CLIENT, phone: "+15550001122" }] } }),
    status: "document.sent",
    async look(world) {
      expect((await world.call("listRecentSmsOptOuts")).body.results[0]).toMatchObject({
        phone_number: "+15550001122",
        status: "opt-in",
      });
    },
  },
  lock: {
    begin: (world) => aDraft(world),
    input: { expires_in: "10m" },
    status: "document.draft",
    async look(world, id) {
      const update = async () => (await world.call("updateDocument", { params: { id }, body: { name: "New" } })).status;
      expect(await update()).toBe(423);
      await world.advance("11m");
      expect(await update()).toBe(204);
    },
  },
  unlock: {
    async begin(world) {
      const id = await aDraft(world);
      await simulate(world, id, "lock");
      return id;
    },
    status: "document.draft",
    async look(world, id) {
      expect((await world.call("updateDocument", { params: { id }, body: { name: "New" } })).status).toBe(204);
    },
  },
  fail: { begin: (world) => anUploadedDocument(world), input: { reason: "torn" }, status: "document.error" },
  process: {
    async begin(world) {
      await succeed(world.admin("POST", "/transitions", { model: "document.processing", progression: "manual" }));
      return anUploadedDocument(world);
    },
    status: "document.uploaded",
    async look(world, id) {
      await world.advance("0s");
      expect(await statusOf(world, id)).toBe("document.draft");
    },
  },
  finish_pdf: {
    async begin(world) {
      await succeed(world.admin("POST", "/transitions", { model: "document.pdf", progression: "manual" }));
      const id = await aCompletedDocument(world);
      await world.advance("1h");
      expect(world.tenant.store.documents.get(id)?.internal.pdf_ready).toBe(false);
      return id;
    },
    status: "document.completed",
    async look(world, id) {
      expect(world.tenant.store.documents.get(id)?.internal.pdf_ready).toBe(true);
    },
  },
};

describe("adminSimulate", () => {
  test("the scenes of this file cover every act", () => {
    expect(Object.keys(SCENES).sort()).toEqual([...ACTS].sort());
  });

  test.each(Object.entries(SCENES))(
    "adminSimulate performs the act %s and answers with the new status",
    async (name, { begin, input, status, look }) => {
      const id = await begin(world);
      const answer = await simulate(world, id, name, input);
      expect(answer.body).toMatchObject({ id, status, recipients: expect.any(Array) });
      expect(await statusOf(world, id)).toBe(status);
      await look?.(world, id);
    },
  );

  test("adminSimulate answers 404 for an unknown act, suggests the nearest act and lists all acts", async () => {
    const id = await aSentDocument(world);
    const answer = await world.admin("POST", `/documents/${id}/simulate/sing`);
    expect(answer.status).toBe(404);
    expect(answer.body.why).toContain("did you mean sign?");
    for (const name of ACTS) expect(answer.body.why).toContain(name);
  });

  test.each<[string, string, object, number, RegExp]>([
    ["sign", "draft", {}, 409, /sent|draft/],
    ["decline", "draft", {}, 409, /Cannot decline the document: the document is in document\.draft/],
    ["review", "draft", {}, 409, /Cannot review the document: the document is in document\.draft/],
    ["sign", "sent", { recipient: "nobody@client.example" }, 404, /nobody@client\.example; known: /],
    ["fill", "sent", { fields: { Nothing: "x" } }, 400, /are Company, Agree, Signature/],
    ["fill", "sent", { field: {} }, 400, /field/],
    ["comment", "sent", {}, 400, /text is empty/],
    ["pay", "sent", {}, 409, /waiting_pay|sent/],
    ["finish_pdf", "sent", {}, 409, /Cannot download the protected PDF of the document: the document is in document\.sent/],
    ["lock", "sent", { expires_in: "soon" }, 400, /duration/],
  ])(
    "adminSimulate refuses the act %s on a %s document with %j, and changes nothing",
    async (name, where, input, status, why) => {
      const id = where === "draft" ? await aDraft(world) : await aSentDocument(world);
      const before = world.tenant.store.snapshot();
      const answer = await world.admin("POST", `/documents/${id}/simulate/${name}`, input);
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringMatching(why)]);
      expect(world.tenant.store.snapshot()).toEqual(before);
    },
  );
});

describe("adminSetTransition", () => {
  test.each([
    { model: "document.signing", progression: "manual" },
    { model: "document.pdf", progression: "sometimes" },
    { model: "document.pdf", progression: "polls" },
    { model: "document.pdf", progression: "polls", times: 0 },
    { model: "document.pdf", progression: "time", seconds: -1 },
    { progression: "manual" },
  ])("adminSetTransition refuses %j", async (body) => {
    expect((await world.admin("POST", "/transitions", body)).status).toBe(400);
    expect(world.tenant.settings.transitions).toEqual({});
  });
});

describe("adminListDeliveries", () => {
  test("adminListDeliveries filters by event, document, subscription and state", async () => {
    const [good, bad] = [await receiver(), await receiver()];
    bad.answerWith(500);
    const one = await aSubscription(world, good, { triggers: ["document_created", "document_state_changed"] });
    const two = await aSubscription(world, bad);
    const first = await aDraft(world);
    await aDraft(world);
    const list = async (query: string) => (await world.admin("GET", `/webhooks/deliveries?${query}`)).body;
    expect((await list("")).meta).toEqual({ total: 6 });
    expect((await list("event=document_created")).deliveries).toHaveLength(2);
    expect((await list(`document_id=${first}`)).deliveries).toHaveLength(3);
    expect((await list(`subscription=${two}`)).deliveries).toHaveLength(2);
    expect((await list("state=pending")).deliveries.map((row: { subscription: string }) => row.subscription)).toEqual([two, two]);
    const [row] = (await list(`subscription=${one}&document_id=${first}&event=document_created&state=delivered`)).deliveries;
    expect(row).toMatchObject({
      event: "document_created",
      event_id: good.received.find((got) => got.body[0].event === "document_created")?.eventId,
      document_id: first,
      subscription_name: "Mine",
      url: good.url,
      body: [{ event: "document_created", data: { id: first } }],
      attempts: [{ status: 200, signed: "valid", response_body: "thank you", at: row.created }],
    });
  });
});
