/** Verbs that set up a story. Each brings a document to the start of a test. */
import { expect } from "vitest";
import type { Receiver } from "./receiver.ts";
import type { Answer, CallOptions, Calls, TestWorld } from "./world.ts";

export const TEMPLATES = {
  oneSigner: "TemplateOneSignerxxxxx",
  twoSigners: "TemplateTwoSignersxxxx",
  approval: "TemplateApprovalxxxxxx",
  payment: "TemplatePaymentxxxxxxx",
  pricing: "TemplatePricingxxxxxxx",
  quote: "TemplateQuotexxxxxxxxx",
  everyField: "TemplateEveryFieldxxxx",
  countersigned: "TemplateCountersignedx",
  staffForm: "TemplateStaffFormxxxxx",
  sharedNames: "TemplateSharedNamesxxx",
  euro: "TemplateEuroxxxxxxxxxx",
  gallery: "TemplateGalleryxxxxxxx",
} as const;

export const LIBRARY_ITEM = "LibraryServicesxxxxxxx";

export const CLIENT = { email: "ivo.marek@client.example", first_name: "Ivo", last_name: "Marek", role: "Client" };
export const DIRECTOR = { email: "tess.okafor@client.example", first_name: "Tess", last_name: "Okafor", role: "Director" };

const FIRST_ROLES: Partial<Record<keyof typeof TEMPLATES, string>> = { everyField: "Signer", staffForm: "Employee" };

export interface StoryOptions extends CallOptions {
  template?: keyof typeof TEMPLATES;
}

/** Creates a document. It is still uploaded. Returns its id. */
export async function anUploadedDocument(world: TestWorld, options: StoryOptions = {}): Promise<string> {
  const { template = "oneSigner", body, ...rest } = options;
  const recipients = template === "twoSigners" ? [CLIENT, DIRECTOR] : [{ ...CLIENT, role: FIRST_ROLES[template] ?? "Client" }];
  const created = await world.call("createDocument", {
    ...rest,
    body: { template_uuid: TEMPLATES[template], name: "Service agreement", recipients, ...(body as object) },
  });
  expect(created, JSON.stringify(created.body)).toMatchObject({ status: 201 });
  return created.body.id;
}

export async function aDraft(world: TestWorld, options: StoryOptions = {}): Promise<string> {
  const id = await anUploadedDocument(world, options);
  await world.advance("5s");
  return id;
}

export async function aSentDocument(world: TestWorld, options: StoryOptions & { silent?: boolean } = {}): Promise<string> {
  const id = await aDraft(world, options);
  await succeed(
    world.call("sendDocument", {
      params: { id },
      body: { silent: options.silent ?? true },
      ...(options.key === undefined ? {} : { key: options.key }),
    }),
  );
  return id;
}

export async function aCompletedDocument(world: TestWorld, options: StoryOptions = {}): Promise<string> {
  const id = await aSentDocument(world, options);
  await simulate(world, id, "sign");
  if (options.template === "twoSigners") await simulate(world, id, "sign");
  return id;
}

/** Subscribes a receiver, and sets its key to the shared key of the subscription. Returns the uuid. */
export async function aSubscription(world: TestWorld, hook: Receiver, body: object = {}, key?: string): Promise<string> {
  const made = await succeed(
    world.call("createWebhookSubscription", {
      body: { name: "Mine", url: hook.url, triggers: ["document_state_changed"], ...body },
      ...(key === undefined ? {} : { key }),
    }),
  );
  hook.key = made.body.shared_key;
  return made.body.uuid;
}

/** Simulates an act of a recipient or of another counterparty. */
export async function simulate(world: TestWorld, id: string, act: string, input: object = {}): Promise<Answer> {
  return succeed(world.admin("POST", `/documents/${id}/simulate/${act}`, input));
}

export async function succeed(call: Promise<Answer>): Promise<Answer> {
  const answer = await call;
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer;
}

export async function statusOf(world: Calls, id: string): Promise<string> {
  return (await succeed(world.call("statusDocument", { params: { id } }))).body.status;
}
