/** A recipient's act has the same effect through the signing page, the admin API and an actor. That covers state, events, audit, dates and mails. */
import { describe, expect, test } from "vitest";
import type { ScenarioFile } from "../../../src/library/file-types.ts";
import { CLIENT, DIRECTOR, succeed, TEMPLATES } from "../../support/stories.ts";
import { testWorld, useWorld, type TestWorld } from "../../support/world.ts";
import type { FieldRow } from "../../../src/service/nouns/content/row.ts";

const world = useWorld();

type Way = "page" | "simulate" | "actor";

interface Step {
  role: "Client" | "Director";
  act: string;
  /** The input for the admin API and for actors. */
  input?: Record<string, unknown>;
  /** The form that the page posts. Undefined when opening the page is the act. */
  form?: (fields: readonly FieldRow[]) => Record<string, string>;
}

interface Story {
  template: keyof typeof TEMPLATES;
  recipients?: object[];
  silent?: boolean;
  steps: Step[];
}

const view = (role: Step["role"]): Step => ({ role, act: "view" });

/** Signs with only the required values filled in. */
const sign = (role: Step["role"], name: string): Step => ({
  role,
  act: "sign",
  form(fields) {
    const own = fields.filter((field) => field.role === role && (field.settings.required || field.type === "signature"));
    const values = own.map((field) => [`f.${field.uuid}`, field.type === "signature" ? name : field.placeholder || field.name]);
    return { act: "finish", fields: "1", ...Object.fromEntries(values) };
  },
});

const PASSCODE = "abc1234";
const guarded = (verification_place: string) => ({
  ...CLIENT,
  verification_settings: { verification_place, passcode_verification: { passcode: PASSCODE } },
});
const TAKER = { email: "new@client.example", first_name: "New", last_name: "One" };
const said = (act: string, words: Record<string, string>) => () => ({ act, ...words });

const IN_ORDER = [
  { ...CLIENT, signing_order: 1 },
  { ...DIRECTOR, signing_order: 2 },
];
const BOTH = [view("Client"), sign("Client", "Ivo Marek"), view("Director"), sign("Director", "Tess Okafor")];

const STORIES: Record<string, Story> = {
  "two sign in order": { template: "twoSigners", recipients: IN_ORDER, steps: BOTH },
  "two sign in silence": { template: "twoSigners", recipients: IN_ORDER, silent: true, steps: BOTH },
  "a passcode before opening": { template: "oneSigner", recipients: [guarded("before_open")], steps: BOTH.slice(0, 2) },
  "a passcode before signing": { template: "oneSigner", recipients: [guarded("before_sign")], steps: BOTH.slice(0, 2) },
  declined: {
    template: "oneSigner",
    steps: [
      view("Client"),
      { role: "Client", act: "decline", input: { reason: "Too dear" }, form: said("decline", { reason: "Too dear" }) },
    ],
  },
  commented: {
    template: "oneSigner",
    steps: [view("Client"), { role: "Client", act: "comment", input: { text: "Why?" }, form: said("comment", { text: "Why?" }) }],
  },
  forwarded: {
    template: "oneSigner",
    steps: [view("Client"), { role: "Client", act: "forward", input: { to: TAKER }, form: said("forward", TAKER) }],
  },
  "handed over": {
    template: "oneSigner",
    steps: [
      view("Client"),
      {
        role: "Client",
        act: "forward",
        input: { to: { ...TAKER, reassign: true } },
        form: said("forward", { ...TAKER, reassign: "1" }),
      },
    ],
  },
  "payment refused, then paid": {
    template: "payment",
    steps: [
      view("Client"),
      sign("Client", "Ivo Marek"),
      { role: "Client", act: "pay_fail", form: said("pay_fail", {}) },
      { role: "Client", act: "pay", form: said("pay", {}) },
    ],
  },
};

function scenarioOf({ steps }: Story): ScenarioFile {
  // A pay act takes no recipient.
  const todo = steps.map(({ role, act, input }) => ({
    after: "1h",
    do: act,
    with: act === "pay" ? {} : { recipient: role, ...input },
  }));
  return { version: 1, name: "acts", actors: [{ name: "all", on: "document.sent", steps: todo }] } as ScenarioFile;
}

async function byPage(world: TestWorld, id: string, { role, form }: Step): Promise<void> {
  const recipient = role === "Client" ? CLIENT.email : DIRECTOR.email;
  const path = `/s/${(await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient } }))).body.id}`;
  const read = async (answer: { body: Uint8Array }) => new TextDecoder().decode(answer.body);
  const post = (fields: Record<string, string>) => world.request("POST", path, { key: null, parts: fields });
  let html = await read(await world.request("GET", path, { key: null }));
  if (html.includes('data-state="verify"')) {
    expect((await post({ act: "verify", answer: PASSCODE })).status).toBe(303);
    html = await read(await world.request("GET", path, { key: null }));
  }
  if (!form) return;
  const fields = world.tenant.store.documents.get(id)?.fields ?? [];
  let answer = await post(form(fields));
  if (answer.status === 200 && (await read(answer)).includes('data-state="verify"')) {
    expect((await post({ act: "verify", answer: PASSCODE })).status).toBe(303);
    answer = await post(form(fields));
  }
  expect(answer.status).toBeLessThan(400);
}

/** Runs a story in one way. Returns everything visible afterwards, without ids. */
async function tell(story: Story, way: Way) {
  const world = await testWorld(way === "actor" ? { scenario: scenarioOf(story) } : {});
  const triggers = ["document_state_changed", "recipient_completed", "document_completed_pdf_ready"];
  const url = "http://127.0.0.1:9/hook";
  await succeed(world.call("createWebhookSubscription", { body: { name: "All", url, triggers, payload: ["fields"] } }));
  const body = { template_uuid: TEMPLATES[story.template], name: "Deal", recipients: story.recipients ?? [CLIENT] };
  const { id } = (await succeed(world.call("createDocument", { body }))).body;
  await world.advance("10s");
  await succeed(world.call("sendDocument", { params: { id }, body: { silent: story.silent ?? false } }));
  for (const step of story.steps) {
    await world.advance("1h");
    if (way === "page") await byPage(world, id, step);
    if (way === "simulate")
      await succeed(world.admin("POST", `/documents/${id}/simulate/${step.act}`, { recipient: step.role, ...step.input }));
  }
  await world.advance("1m");
  const { results } = (await succeed(world.call("listDocumentAuditTrail", { params: { document_id: id } }))).body;
  const { emails } = (await succeed(world.admin("GET", "/emails"))).body;
  const deliveries = world.tenant.store.deliveries.all().map(({ event, body: sent }) => ({ event, sent: JSON.parse(sent) }));
  const ids = /^(id|uuid|contact_id|section|shared_link|ref_number|link|document_id|avatar|sent_at)$/;
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value, (key, one) => (ids.test(key) ? undefined : one)));
  return {
    details: plain((await succeed(world.call("detailsDocument", { params: { id } }))).body),
    audit: plain(results),
    emails: emails.map(({ kind, to, subject }: Record<string, unknown>) => ({ kind, to, subject })),
    deliveries: plain(deliveries),
  };
}

describe("acts of recipients", () => {
  test.each(Object.entries(STORIES))("%s: the page, simulate and an actor have the same effect", async (_, story) => {
    const byHand = await tell(story, "page");
    expect(byHand.audit.length).toBeGreaterThan(2);
    expect(byHand.deliveries.length).toBeGreaterThan(1);
    if (story.silent) expect(byHand.emails).toEqual([]);
    expect(await tell(story, "simulate")).toEqual(byHand);
    expect(await tell(story, "actor")).toEqual(byHand);
  });

  test("a recipient who is not up yet cannot view, comment, forward, decline or sign, and a CC cannot decline", async () => {
    const body = { template_uuid: TEMPLATES.twoSigners, name: "Deal", recipients: [...IN_ORDER, TAKER] };
    const { id } = (await succeed(world.call("createDocument", { body }))).body;
    await world.advance("10s");
    await succeed(world.call("sendDocument", { params: { id }, body: {} }));
    const before = (await succeed(world.call("detailsDocument", { params: { id } }))).body;
    const act = (name: string, input: object) => world.admin("POST", `/documents/${id}/simulate/${name}`, input);
    const inputs = { view: {}, comment: { text: "Hm" }, forward: { to: { email: "x@client.example" } }, decline: {}, sign: {} };
    for (const [name, input] of Object.entries(inputs))
      expect.soft(await act(name, { recipient: "Director", ...input }), name).toMatchObject({
        status: 400,
        body: { detail: "It is not the turn of Tess Okafor yet." },
      });
    expect((await act("decline", { recipient: TAKER.email })).status).toBe(400);
    expect((await succeed(world.call("detailsDocument", { params: { id } }))).body).toEqual(before);
    await succeed(act("view", { recipient: TAKER.email }));
  });
});
